// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// The doses of one rule of a plan, after the steps before it and with numbers that continue
/// theirs.
package struct PlanTimelinePart: Sendable {
  /// The rule that gives the doses.
  package let rule: PlanRule
  let slots: [PlanSlot]
  let expander: ScheduleExpander
  /// The doses counted from the last intake; nil for rules that do not count from it.
  package var chain: IntakeChain?

  /// True if there is at least one dose.
  var canFire: Bool {
    if let chain { return chain.first(after: .earliest) != nil }
    guard expander.canFire else { return false }
    return rule.notBefore.map { first(after: $0.adding(milliseconds: -1)) != nil } ?? true
  }

  /// Returns the occurrences in [from, until), in order, at most `limit`.
  package func occurrences(from: Instant, until: Instant, limit: Int = .max) -> [Occurrence] {
    if let chain { return chain.occurrences(from: from, until: until, limit: limit) }
    let begin = rule.notBefore.map { max($0, from) } ?? from
    let found = expander.occurrences(from: begin, until: until, limit: limit)
    return rule.firstNumber == 0 ? found : found.map(numbered)
  }

  func first(after instant: Instant) -> Occurrence? {
    if let chain { return chain.first(after: instant) }
    let before = rule.notBefore.map { max($0.adding(milliseconds: -1), instant) } ?? instant
    return expander.first(after: before).map(numbered)
  }

  func last(before instant: Instant) -> Occurrence? {
    if let chain { return chain.last(before: instant) }
    guard let found = expander.last(before: instant) else { return nil }
    if let notBefore = rule.notBefore, found.instant < notBefore { return nil }
    return numbered(found)
  }

  private func numbered(_ occurrence: Occurrence) -> Occurrence {
    guard case .running(let number) = occurrence.id, rule.firstNumber > 0 else {
      return occurrence
    }
    let (sum, overflow) = number.addingReportingOverflow(rule.firstNumber)
    return Occurrence(
      id: .running(overflow ? .max : sum), instant: occurrence.instant, shift: occurrence.shift)
  }
}
