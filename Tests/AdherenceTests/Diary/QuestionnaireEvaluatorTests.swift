// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Testing

@testable import Diary

/// The conditions under which an item of a questionnaire is asked.
@Suite struct QuestionnaireEvaluatorTests {
  private static let unit = QuestionnaireUnit(name: "kg", system: "urn:u", code: "kg")
  private static let otherUnit = QuestionnaireUnit(name: "lb", system: "urn:u", code: "lb")
  private static let red = QuestionnaireValue.coding(system: "c", code: "red", display: nil)

  private struct Case: CustomTestStringConvertible {
    let comparison: QuestionnaireCondition.Operator
    let value: QuestionnaireValue
    let answers: [QuestionnaireValue]
    let holds: Bool

    init(
      _ comparison: QuestionnaireCondition.Operator, _ value: QuestionnaireValue,
      _ answers: [QuestionnaireValue], _ holds: Bool
    ) {
      self.comparison = comparison
      self.value = value
      self.answers = answers
      self.holds = holds
    }

    var testDescription: String { "\(answers) \(comparison.rawValue) \(value)" }
  }

  @Test func `every operator holds exactly for fitting answers`() {
    let cases = [
      Case(.exists, .boolean(true), [.integer(1)], true),
      Case(.exists, .boolean(true), [], false),
      Case(.exists, .boolean(false), [], true),
      Case(.exists, .boolean(false), [.integer(1)], false),
      Case(.equal, .integer(3), [.integer(3)], true),
      Case(.equal, .integer(3), [.decimal(3)], true),
      Case(.equal, .integer(3), [.integer(4)], false),
      Case(.equal, .integer(3), [], false),
      Case(.equal, .integer(3), [.integer(1), .integer(3)], true),
      Case(.equal, .integer(3), [.string("3")], false),
      Case(.equal, .boolean(false), [.boolean(false)], true),
      Case(.equal, .string("a"), [.string("a")], true),
      Case(.equal, Self.red, [.coding(system: "c", code: "red", display: "Red")], true),
      Case(.equal, Self.red, [.coding(system: "d", code: "red", display: nil)], false),
      Case(.notEqual, Self.red, [.coding(system: "c", code: "blue", display: nil)], true),
      Case(.notEqual, Self.red, [Self.red], false),
      Case(.notEqual, Self.red, [], true),
      Case(.greater, .integer(3), [.integer(4)], true),
      Case(.greater, .integer(3), [.integer(3)], false),
      Case(.greater, .decimal(2.5), [.integer(3)], true),
      Case(.less, .integer(3), [.integer(2)], true),
      Case(.less, .integer(3), [.integer(3)], false),
      Case(.less, .date("2026-03-01"), [.date("2026-02-28")], true),
      Case(.greaterOrEqual, .integer(3), [.integer(3)], true),
      Case(.greaterOrEqual, .integer(3), [.integer(2)], false),
      Case(.lessOrEqual, .integer(3), [.integer(3)], true),
      Case(.lessOrEqual, .integer(3), [.integer(4)], false),
      Case(.greater, .quantity(70, Self.unit), [.quantity(71, Self.unit)], true),
      Case(.greater, .quantity(70, Self.unit), [.quantity(71, Self.otherUnit)], false),
      Case(.greater, Self.red, [.coding(system: "c", code: "blue", display: nil)], false),
    ]
    for one in cases {
      let condition = QuestionnaireCondition(
        question: "q", comparison: one.comparison, value: one.value)
      #expect(
        QuestionnaireEvaluator.holds(condition, one.answers) == one.holds,
        "\(one.testDescription)")
    }
  }

  @Test func `all or any of several conditions decide`() throws {
    for (behavior, asked) in [("all", false), ("any", true)] {
      let form = try Self.form(behavior)
      let answers: QuestionnaireAnswers = ["a": [.integer(1)], "b": [.integer(0)]]
      #expect(QuestionnaireEvaluator.asked(form, answers).contains("c") == asked, "\(behavior)")
    }
  }

  @Test func `an answer to an item that is not asked counts as none`() throws {
    let form = try Self.form("all")
    let all: QuestionnaireAnswers = [
      "a": [.integer(1)], "b": [.integer(1)], "c": [.boolean(true)], "d": [.string("x")],
    ]
    #expect(QuestionnaireEvaluator.asked(form, all) == ["a", "b", "c", "d"])
    var changed = all
    changed["a"] = [.integer(0)]
    // "d" follows "c", which is not asked any more.
    #expect(QuestionnaireEvaluator.asked(form, changed) == ["a", "b"])
    #expect(QuestionnaireEvaluator.counting(form, changed).keys.sorted() == ["a", "b"])
  }

  /// Returns a form in which "c" depends on "a" and "b", and "d" on "c".
  private static func form(_ behavior: String) throws -> Questionnaire {
    let rules: JSONValue = [
      ["question": "a", "operator": "=", "answerInteger": 1],
      ["question": "b", "operator": "=", "answerInteger": 1],
    ]
    let read = QuestionnaireReader.read([
      "resourceType": "Questionnaire", "status": "active", "url": "urn:test",
      "item": [
        ["linkId": "a", "type": "integer"], ["linkId": "b", "type": "integer"],
        [
          "linkId": "c", "type": "boolean", "enableWhen": rules,
          "enableBehavior": .string(behavior),
        ],
        [
          "linkId": "d", "type": "string",
          "enableWhen": [["question": "c", "operator": "exists", "answerBoolean": true]],
        ],
      ],
    ])
    return try #require(read.questionnaire, "\(read.findings)")
  }
}
