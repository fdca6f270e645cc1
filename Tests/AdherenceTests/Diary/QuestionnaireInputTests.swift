// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Testing

@testable import Diary

/// Answers as they are typed or sent.
@Suite struct QuestionnaireInputTests {
  private static let resource: JSONValue = [
    "resourceType": "Questionnaire", "status": "active", "url": "urn:test",
    "item": [
      [
        "linkId": "n", "type": "integer", "required": true,
        "extension": [
          ["url": "http://hl7.org/fhir/StructureDefinition/minValue", "valueInteger": 1],
          ["url": "http://hl7.org/fhir/StructureDefinition/maxValue", "valueInteger": 5],
        ],
      ],
      ["linkId": "d", "type": "decimal"],
      ["linkId": "t", "type": "string", "maxLength": 3],
      ["linkId": "day", "type": "date"],
      ["linkId": "b", "type": "boolean"],
      [
        "linkId": "r", "type": "string", "repeats": true,
        "extension": [
          [
            "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-maxOccurs",
            "valueInteger": 2,
          ]
        ],
      ],
      [
        "linkId": "w", "type": "quantity",
        "extension": [
          [
            "url": "http://hl7.org/fhir/StructureDefinition/questionnaire-unit",
            "valueCoding": ["system": "http://unitsofmeasure.org", "code": "kg", "display": "kg"],
          ]
        ],
      ],
    ],
  ]

  private func read(
    _ texts: [String: [String]], isDraft: Bool = false
  ) throws -> (answers: QuestionnaireAnswers, mistakes: [String: QuestionnaireInput.Mistake]) {
    let form = try #require(QuestionnaireReader.read(Self.resource).questionnaire)
    return QuestionnaireInput(texts).read(form, isDraft: isDraft)
  }

  @Test func `good answers have their types`() throws {
    let read = try read([
      "n": [" 5 "], "d": ["2,5"], "t": ["abc"], "day": ["2026-02-28"], "b": ["false"],
      "r": ["x", "", "y"], "w": ["70.5"],
    ])
    #expect(read.mistakes == [:])
    #expect(read.answers["n"] == [.integer(5)])
    #expect(read.answers["d"] == [.decimal(Decimal(string: "2.5") ?? 0)])
    #expect(read.answers["b"] == [.boolean(false)])
    #expect(read.answers["r"] == [.string("x"), .string("y")])
    #expect(read.answers["w"]?.first?.json.value["code"]?.string == "kg")
  }

  @Test func `every mistake is named`() throws {
    for (link, text, mistake) in [
      ("n", "six", QuestionnaireInput.Mistake.whole), ("n", "6", .range), ("n", "", .missing),
      ("d", "1.2.3", .number), ("d", "1e400", .number), ("t", "abcd", .long),
      ("day", "2026-02-30", .date), ("b", "perhaps", .choice),
    ] {
      var texts = ["n": ["1"]]
      texts[link] = [text]
      #expect(try read(texts).mistakes == [link: mistake], "\(link) \(text)")
    }
    #expect(try read(["n": ["1"], "r": ["a", "b", "c"]]).mistakes == ["r": .many])
    #expect(try read(["n": ["1", "2"]]).mistakes == ["n": .many])
  }

  @Test func `a draft may leave out what is required`() throws {
    #expect(try read([:], isDraft: true).mistakes == [:])
    #expect(try read([:]).mistakes == ["n": .missing])
  }
}
