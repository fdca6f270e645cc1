// SPDX-License-Identifier: Apache-2.0

import FHIR
import Testing

@testable import Diary

/// Questionnaires that are refused, each with the place and the rule.
@Suite struct QuestionnaireReaderTests {
  /// Returns the findings of a questionnaire with these items, as "place rule".
  private static func findings(_ items: JSONValue, score: String? = nil) -> [String] {
    var resource: JSONValue = [
      "resourceType": "Questionnaire", "status": "active", "url": "urn:test", "item": items,
    ]
    if let score {
      resource["extension"] = [
        ["url": .string(QuestionnaireReader.scoreURL), "valueString": .string(score)]
      ]
    }
    return QuestionnaireReader.read(resource).findings.map { "\($0.path) \($0.rule.rawValue)" }
  }

  private static func limit(_ end: String, _ value: Int) -> JSONValue {
    [
      "url": .string("http://hl7.org/fhir/StructureDefinition/\(end)Value"),
      "valueInteger": .number(JSONNumber(value)),
    ]
  }

  private static let slider: JSONValue = [
    "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-itemControl",
    "valueCodeableConcept": ["coding": [["code": "slider"]]],
  ]

  @Test func `conditions must name an earlier question and a fitting answer`() {
    let unknown: JSONValue = [
      [
        "linkId": "a", "type": "string",
        "enableWhen": [["question": "b", "operator": "exists", "answerBoolean": true]],
      ],
      ["linkId": "b", "type": "boolean"],
    ]
    #expect(
      Self.findings(unknown) == ["Questionnaire.item[0].enableWhen[0].question condition"])
    let other: JSONValue = [
      ["linkId": "a", "type": "boolean"],
      [
        "linkId": "b", "type": "string",
        "enableWhen": [["question": "a", "operator": "=", "answerInteger": 1]],
      ],
    ]
    #expect(Self.findings(other) == ["Questionnaire.item[1].enableWhen[0].answer condition"])
  }

  @Test func `limits must be in order, and a scale needs them`() {
    let turned: JSONValue = [
      [
        "linkId": "a", "type": "integer",
        "extension": [Self.limit("min", 3), Self.limit("max", 1)],
      ]
    ]
    #expect(Self.findings(turned) == ["Questionnaire.item[0] limits"])
    let open: JSONValue = [["linkId": "a", "type": "integer", "extension": [Self.slider]]]
    #expect(Self.findings(open) == ["Questionnaire.item[0] limits"])
    let wide: JSONValue = [
      [
        "linkId": "a", "type": "integer",
        "extension": [Self.slider, Self.limit("min", 0), Self.limit("max", 101)],
      ]
    ]
    #expect(Self.findings(wide) == ["Questionnaire.item[0] limits"])
  }

  @Test func `choices need options that differ`() {
    let none: JSONValue = [["linkId": "a", "type": "choice"]]
    #expect(Self.findings(none) == ["Questionnaire.item[0] value-set"])
    let foreign: JSONValue = [
      ["linkId": "a", "type": "choice", "answerValueSet": "http://example.org/set"]
    ]
    #expect(
      Self.findings(foreign) == [
        "Questionnaire.item[0].answerValueSet value-set", "Questionnaire.item[0] value-set",
      ])
    let twice: JSONValue = [
      [
        "linkId": "a", "type": "choice",
        "answerOption": [
          ["valueCoding": ["code": "x", "display": "One"]],
          ["valueCoding": ["code": "x", "display": "Two"]],
        ],
      ]
    ]
    #expect(Self.findings(twice) == ["Questionnaire.item[0].answerOption[1] options"])
  }

  @Test func `types that no page asks are named, and can still be stored`() throws {
    let items: JSONValue = [
      ["linkId": "a", "type": "attachment"],
      ["linkId": "b", "type": "quantity"],
      [
        "linkId": "c", "type": "group", "repeats": true, "item": [["linkId": "d", "type": "date"]],
      ],
    ]
    #expect(
      Self.findings(items) == [
        "Questionnaire.item[0].type item-type", "Questionnaire.item[1] unit",
        "Questionnaire.item[2].repeats repeated-group",
      ])
    let read = QuestionnaireReader.read([
      "resourceType": "Questionnaire", "status": "active", "item": items,
    ])
    #expect(read.findings.allSatisfy { $0.rule.onlyPreventsAsking })
    #expect(read.findings.contains { $0.rule == .address })
  }

  @Test func `a score must name items with numbers`() {
    let items: JSONValue = [
      ["linkId": "a", "type": "integer"], ["linkId": "b", "type": "text"],
    ]
    let place = "Questionnaire.extension[0] score"
    #expect(Self.findings(items, score: "sum(a)") == [])
    #expect(Self.findings(items, score: "sum(a, b)") == [place])
    #expect(Self.findings(items, score: "sum(c)") == [place])
    #expect(Self.findings(items, score: "mean(-a)") == [place])
    #expect(Self.findings(items, score: "a + b") == [place])
  }

  @Test func `rules of FHIR and of JSON have their place`() {
    let lines = QuestionnaireCheck.lines(
      of: Array(#"{"resourceType":"Questionnaire","item":[{"linkId":"a","type":"group"}]}"#.utf8))
    #expect(
      lines.contains { $0.hasPrefix("Questionnaire.item[0]") && $0.contains("que-1") }, "\(lines)")
    #expect(lines.contains { $0.contains("status") }, "\(lines)")
    let broken = QuestionnaireCheck.lines(of: Array("{\n  \"a\" 1}".utf8))
    #expect(broken.count == 1)
    #expect(broken[0].contains("line 2"), "\(broken)")
  }

  @Test func `too many items or levels are refused`() {
    let many = JSONValue.array(
      (0...Questionnaire.mostItems).map { ["linkId": .string("q\($0)"), "type": "boolean"] })
    #expect(
      Self.findings(many) == ["Questionnaire.item[\(Questionnaire.mostItems)] too-large"])
    var deep: JSONValue = ["linkId": "end", "type": "boolean"]
    for level in 0..<Questionnaire.mostLevels {
      deep = ["linkId": .string("g\(level)"), "type": "group", "item": [deep]]
    }
    #expect(Self.findings([deep]).allSatisfy { $0.hasSuffix(" too-large") })
    #expect(!Self.findings([deep]).isEmpty)
  }
}
