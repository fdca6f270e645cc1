// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import TestSupport

@testable import Plans

/// The expected results of answers, kept in plain variables: an independent model of the rules for property
/// tests, in minutes after eight.
///
/// All medicines of the model have one ingredient, with a gap of three hours if the plan has one.
struct AnswerModel {
  struct Dose {
    let plan: PlanID
    let due: Int
    let next: Int
    var version: Int64 = 1
    var outcome: AnswerAction?
    /// The version that the answer in force created; nil without one.
    var since: Int64?
    var at = 0
    var later: Int?
  }

  struct Intake: Hashable {
    let dose: Int?
    let at: Int
  }

  enum Verdict: Hashable {
    case changed, unchanged, answered, stale, asked, invalid
  }

  static let gap = 180
  static let lateWindow = 240
  static let onTimeWindow = 60

  var doses: [Dose]
  var intakes: [Intake] = []
  var notTaken = 0
  /// The events that are used up, by their press.
  var events: Set<String> = []

  private func hasGap(_ plan: PlanID) -> Bool { plan == "m" }

  private func isAsked(_ plan: PlanID, at: Int, except dose: Int?) -> Bool {
    hasGap(plan)
      && intakes.contains { abs($0.at - at) < Self.gap && (dose == nil || $0.dose != dose) }
  }

  mutating func answer(
    _ index: Int, _ action: AnswerAction, at given: Int?, minutes: Int, corrects: Int64?,
    confirm: Bool, event: String?, now: Int
  ) -> Verdict {
    if let event, events.contains(event) { return .unchanged }
    let verdict = judge(
      index, action, at: given, minutes: minutes, corrects: corrects, confirm: confirm, now: now)
    if let event, verdict == .changed || verdict == .unchanged { events.insert(event) }
    return verdict
  }

  private mutating func judge(
    _ index: Int, _ action: AnswerAction, at given: Int?, minutes: Int, corrects: Int64?,
    confirm: Bool, now: Int
  ) -> Verdict {
    let dose = doses[index]
    let first = dose.since ?? dose.version
    let fits = corrects.map { $0 >= first && $0 <= dose.version } ?? true
    switch action {
    case .undo:
      guard dose.since != nil else {
        return corrects.map { $0 > dose.version } ?? false ? .stale : .unchanged
      }
      guard fits else { return .stale }
      change(index, to: nil, at: 0)
      doses[index].since = nil
      return .changed
    case .later:
      if dose.outcome != nil && corrects == nil { return .answered }
      guard fits else { return .stale }
      let start = max(given ?? now, dose.due)
      let end = min(
        dose.due + Self.lateWindow - 1, dose.next - (hasGap(dose.plan) ? Self.gap : 1))
      guard start + minutes <= end else { return .invalid }
      change(index, to: nil, at: 0)
      doses[index].later = start + minutes
      return .changed
    case .taken, .skipped, .refused:
      if dose.outcome == action {
        let isSame = given == nil || given == dose.at
        if corrects == nil || isSame { return .unchanged }
      } else if dose.outcome != nil && corrects == nil {
        return .answered
      }
      guard fits else { return .stale }
      let at = given ?? (dose.outcome == action ? dose.at : now)
      let isEarly = at < dose.due - Self.onTimeWindow
      if action == .taken && !confirm && (isEarly || isAsked(dose.plan, at: at, except: index)) {
        return .asked
      }
      change(index, to: action, at: at)
      return .changed
    }
  }

  private mutating func change(_ index: Int, to outcome: AnswerAction?, at: Int) {
    intakes.removeAll { $0.dose == index }
    doses[index].version += 1
    doses[index].since = doses[index].version
    doses[index].outcome = outcome
    doses[index].at = at
    doses[index].later = nil
    if outcome == .taken { intakes.append(Intake(dose: index, at: at)) }
  }

  /// Returns the dose that an intake at a time answers, the nearest first.
  func openDose(of plan: PlanID, at: Int) -> Int? {
    doses.indices.filter { index in
      let dose = doses[index]
      return dose.plan == plan && dose.outcome == nil
        && at >= dose.due - Self.onTimeWindow && at < dose.due + Self.lateWindow
    }.min { abs(doses[$0].due - at) < abs(doses[$1].due - at) }
  }

  mutating func administer(
    _ plan: PlanID, at: Int, taken: Bool, confirm: Bool, event: String, now: Int
  ) -> Verdict {
    if events.contains(event) { return .unchanged }
    if let dose = openDose(of: plan, at: at) {
      return answer(
        dose, taken ? .taken : .skipped, at: at, minutes: 0, corrects: nil, confirm: confirm,
        event: event, now: now)
    }
    if taken && !confirm && isAsked(plan, at: at, except: nil) { return .asked }
    events.insert(event)
    if taken { intakes.append(Intake(dose: nil, at: at)) } else { notTaken += 1 }
    return .changed
  }
}
