// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The answers to a questionnaire, by the link of their item.
package typealias QuestionnaireAnswers = [String: [QuestionnaireValue]]

/// Decides which items of a questionnaire are asked, given the answers so far.
///
/// Each item is asked if its own conditions hold and the item above it is asked. An answer to an item that is not
/// asked counts as no answer, so that conditions follow each other. ``QuestionnaireReader`` accepts only conditions on
/// earlier items, so one pass in the order of the document decides.
package enum QuestionnaireEvaluator {
  /// Returns the links of the items that are asked.
  package static func asked(
    _ questionnaire: Questionnaire, _ answers: QuestionnaireAnswers
  ) -> Set<String> {
    var asked: Set<String> = []
    var counting: QuestionnaireAnswers = [:]
    for item in questionnaire.items { walk(item, answers, &asked, &counting) }
    return asked
  }

  /// Returns only the answers to items that are asked.
  package static func counting(
    _ questionnaire: Questionnaire, _ answers: QuestionnaireAnswers
  ) -> QuestionnaireAnswers {
    let asked = asked(questionnaire, answers)
    return answers.filter { asked.contains($0.key) && !$0.value.isEmpty }
  }

  private static func walk(
    _ item: QuestionnaireItem, _ answers: QuestionnaireAnswers, _ asked: inout Set<String>,
    _ counting: inout QuestionnaireAnswers
  ) {
    guard holds(item, counting) else { return }
    asked.insert(item.link)
    counting[item.link] = answers[item.link]
    for nested in item.items { walk(nested, answers, &asked, &counting) }
  }

  private static func holds(_ item: QuestionnaireItem, _ answers: QuestionnaireAnswers) -> Bool {
    guard !item.conditions.isEmpty else { return true }
    return item.needsAllConditions
      ? item.conditions.allSatisfy { holds($0, answers[$0.question] ?? []) }
      : item.conditions.contains { holds($0, answers[$0.question] ?? []) }
  }

  /// Returns true if a condition holds for the answers to its question.
  ///
  /// As in FHIR, one fitting answer of several is enough, except for "not equal", which holds if no answer is equal:
  /// also without any answer.
  package static func holds(
    _ condition: QuestionnaireCondition, _ answers: [QuestionnaireValue]
  ) -> Bool {
    let value = condition.value
    switch condition.comparison {
    case .exists: return QuestionnaireValue.boolean(!answers.isEmpty) == value
    case .equal: return answers.contains { order($0, value) == .orderedSame }
    case .notEqual: return !answers.contains { order($0, value) == .orderedSame }
    case .greater: return answers.contains { order($0, value) == .orderedDescending }
    case .less: return answers.contains { order($0, value) == .orderedAscending }
    case .greaterOrEqual:
      return answers.contains {
        let found = order($0, value)
        return found == .orderedDescending || found == .orderedSame
      }
    case .lessOrEqual:
      return answers.contains {
        let found = order($0, value)
        return found == .orderedAscending || found == .orderedSame
      }
    }
  }

  /// Returns the order of two values; nil if they cannot be compared, as for different codes or units.
  static func order(_ left: QuestionnaireValue, _ right: QuestionnaireValue) -> ComparisonResult? {
    switch (left, right) {
    case (.boolean(let left), .boolean(let right)): left == right ? .orderedSame : nil
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.integer(let left), .decimal(let right)): order(Decimal(left), right)
    case (.decimal(let left), .integer(let right)): order(left, Decimal(right))
    case (.decimal(let left), .decimal(let right)): order(left, right)
    case (.string(let left), .string(let right)): order(left, right)
    case (.date(let left), .date(let right)): order(left, right)
    // Both have a time without a zone or in the same one, which text order follows.
    case (.dateTime(let left), .dateTime(let right)): order(left, right)
    case (.coding(let leftSystem, let left, _), .coding(let rightSystem, let right, _)):
      left == right && leftSystem == rightSystem ? .orderedSame : nil
    case (.quantity(let left, let leftUnit), .quantity(let right, let rightUnit)):
      leftUnit.code == rightUnit.code && leftUnit.system == rightUnit.system
        ? order(left, right) : nil
    default: nil
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    if left == right { return .orderedSame }
    return left < right ? .orderedAscending : .orderedDescending
  }
}
