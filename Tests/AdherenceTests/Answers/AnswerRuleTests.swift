// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans

@Suite("The rule that the first answer wins")
struct AnswerRuleTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let standing: String
    let action: AnswerAction
    let corrects: Int64?
    let expected: String
    var testDescription: String {
      "\(standing): \(action)\(corrects.map { " correcting \($0)" } ?? "") gives \(expected)"
    }
  }

  static func standing(_ text: String) -> AnswerRule.Standing {
    func inForce(_ action: AnswerAction, _ version: Int64) -> AnswerInForce {
      AnswerInForce(
        id: "a", action: action, at: Timestamp(milliseconds: 5), recorded: .init(milliseconds: 6),
        by: "Ann", reason: nil, amount: nil, doseVersion: version, administration: "m")
    }
    return switch text {
    case "open at 1": .init(version: 1, isCancelled: false, inForce: nil)
    case "undone at 3": .init(version: 3, isCancelled: false, inForce: nil)
    case "later at 2": .init(version: 2, isCancelled: false, inForce: inForce(.later, 2))
    case "taken at 2": .init(version: 2, isCancelled: false, inForce: inForce(.taken, 2))
    case "taken at 2, edited at 3":
      .init(version: 3, isCancelled: false, inForce: inForce(.taken, 2))
    case "skipped at 4": .init(version: 4, isCancelled: false, inForce: inForce(.skipped, 4))
    default: .init(version: 2, isCancelled: true, inForce: nil)
    }
  }

  static func name(_ step: AnswerRule.Step) -> String {
    switch step {
    case .unchanged: "unchanged"
    case .record(nil): "record"
    case .record: "replace"
    case .takeBack: "take back"
    case .refuse(let conflict): "\(conflict)"
    }
  }

  static let cases: [Case] = [
    .init(standing: "open at 1", action: .taken, corrects: nil, expected: "record"),
    .init(standing: "open at 1", action: .taken, corrects: 1, expected: "record"),
    .init(standing: "open at 1", action: .taken, corrects: 2, expected: "stale"),
    .init(standing: "open at 1", action: .later, corrects: nil, expected: "record"),
    .init(standing: "open at 1", action: .undo, corrects: nil, expected: "unchanged"),
    .init(standing: "open at 1", action: .undo, corrects: 1, expected: "unchanged"),
    .init(standing: "open at 1", action: .undo, corrects: 9, expected: "stale"),
    .init(standing: "undone at 3", action: .undo, corrects: 2, expected: "unchanged"),
    .init(standing: "undone at 3", action: .skipped, corrects: 2, expected: "stale"),
    .init(standing: "undone at 3", action: .skipped, corrects: nil, expected: "record"),
    .init(standing: "later at 2", action: .taken, corrects: nil, expected: "replace"),
    .init(standing: "later at 2", action: .taken, corrects: 1, expected: "stale"),
    .init(standing: "later at 2", action: .later, corrects: nil, expected: "replace"),
    .init(standing: "later at 2", action: .undo, corrects: nil, expected: "take back"),
    .init(standing: "later at 2", action: .undo, corrects: 2, expected: "take back"),
    .init(standing: "taken at 2", action: .taken, corrects: nil, expected: "unchanged"),
    .init(standing: "taken at 2", action: .taken, corrects: 2, expected: "unchanged"),
    .init(standing: "taken at 2", action: .taken, corrects: 1, expected: "unchanged"),
    .init(standing: "taken at 2", action: .skipped, corrects: nil, expected: "answered"),
    .init(standing: "taken at 2", action: .later, corrects: nil, expected: "answered"),
    .init(standing: "taken at 2", action: .later, corrects: 2, expected: "replace"),
    .init(standing: "taken at 2", action: .refused, corrects: 2, expected: "replace"),
    .init(standing: "taken at 2", action: .refused, corrects: 1, expected: "stale"),
    .init(standing: "taken at 2", action: .refused, corrects: 3, expected: "stale"),
    .init(standing: "taken at 2", action: .refused, corrects: .max, expected: "stale"),
    .init(standing: "taken at 2", action: .refused, corrects: -1, expected: "stale"),
    .init(standing: "taken at 2", action: .undo, corrects: nil, expected: "take back"),
    .init(standing: "taken at 2", action: .undo, corrects: 2, expected: "take back"),
    .init(standing: "taken at 2", action: .undo, corrects: 1, expected: "stale"),
    .init(standing: "taken at 2, edited at 3", action: .undo, corrects: 2, expected: "take back"),
    .init(standing: "taken at 2, edited at 3", action: .skipped, corrects: 3, expected: "replace"),
    .init(standing: "skipped at 4", action: .undo, corrects: 2, expected: "stale"),
    .init(standing: "cancelled", action: .taken, corrects: nil, expected: "cancelled"),
    .init(standing: "cancelled", action: .undo, corrects: nil, expected: "cancelled"),
    .init(standing: "cancelled", action: .later, corrects: 2, expected: "cancelled"),
  ]

  @Test(arguments: cases) func step(_ one: Case) throws {
    let request = try CheckedAnswer(
      AnswerRequest(
        action: one.action, minutes: one.action == .later ? 10 : nil, corrects: one.corrects),
      now: Timestamp(milliseconds: 100))
    let step = AnswerRule.step(for: request, on: Self.standing(one.standing))
    #expect(Self.name(step) == one.expected)
  }

  @Test func aCorrectionThatSaysSomethingNewReplacesTheSameOutcome() throws {
    let standing = Self.standing("taken at 2")
    let time = Timestamp(milliseconds: 4)
    for request in [
      AnswerRequest(action: .taken, at: time, corrects: 2),
      AnswerRequest(action: .taken, reason: "with food", corrects: 2),
      AnswerRequest(action: .taken, amount: Amount(value: "2", unit: "tablet"), corrects: 2),
    ] {
      let checked = try CheckedAnswer(request, now: Timestamp(milliseconds: 100))
      #expect(Self.name(AnswerRule.step(for: checked, on: standing)) == "replace")
    }
    // It names a version that was replaced, so its basis is wrong.
    let late = try CheckedAnswer(
      AnswerRequest(action: .taken, at: time, corrects: 1), now: Timestamp(milliseconds: 100))
    #expect(Self.name(AnswerRule.step(for: late, on: standing)) == "stale")
  }
}
