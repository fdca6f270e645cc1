// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling

/// The new times of a medicine.
package struct IntakeChange: Sendable, Hashable {
  /// The plan.
  package let medicine: PlanID
  /// The name of the medicine to show.
  package let name: String
  /// The current times in minutes from midnight, dose by dose.
  package let from: [Int]
  /// The proposed times in minutes from midnight, in the order of ``from``.
  package let to: [Int]
  let way: IntakeMedicine.Way
}

/// A dose of the proposed day, with the rules that decided its time.
package struct IntakeEntry: Sendable, Hashable {
  /// The plan.
  package let medicine: PlanID
  /// The name of the medicine to show.
  package let name: String
  /// The current time of the clock, in minutes from 0 to 1,439.
  package let from: Int
  /// The proposed time of the clock, in minutes from 0 to 1,439.
  package let to: Int
  /// The rules that decided the proposed time.
  package let rules: [IntakeRule]

  /// True if the time changes.
  package var isMoved: Bool { from != to }
}

/// A rule of the interaction list that the current times break.
package struct IntakeFinding: Sendable, Hashable {
  /// The rule.
  package let rule: IntakeRule
  /// The current interval, in minutes.
  package let distance: Int
  /// True if the proposal keeps the rule.
  package let isMended: Bool
  /// The rule that prevents it from being kept; nil if the proposal keeps it.
  package let clash: IntakeRule?
}

/// The fewest times of day, with the reasons.
package struct IntakeProposal: Sendable, Hashable {
  /// The current situation.
  package let before: IntakeSituation
  /// The proposed situation, with the medicines in the same order.
  package let after: IntakeSituation
  /// True if all combinations were tried.
  package let isExhaustive: Bool

  /// The current times of the clock, in minutes, ascending.
  package var timesBefore: [Int] { Self.times(before) }
  /// The proposed times of the clock, in minutes, ascending.
  package var timesAfter: [Int] { Self.times(after) }

  /// The medicines whose times would change, by name.
  package var changes: [IntakeChange] {
    zip(before.medicines, after.medicines).compactMap { old, new in
      guard old.minutes != new.minutes else { return nil }
      return IntakeChange(
        medicine: old.id, name: old.name, from: old.minutes, to: new.minutes, way: new.way)
    }.sorted { ($0.name, $0.medicine) < ($1.name, $1.medicine) }
  }

  /// The medicines that keep their times, with the reason, by name.
  package var kept: [(medicine: IntakeMedicine, why: IntakeKept)] {
    var found: [(medicine: IntakeMedicine, why: IntakeKept)] = []
    for medicine in after.medicines {
      if let why = medicine.kept { found.append((medicine, why)) }
    }
    return found.sorted { ($0.medicine.name, $0.medicine.id) < ($1.medicine.name, $1.medicine.id) }
  }

  /// The medicines whose times could change, by name.
  package var movable: [IntakeMedicine] {
    after.medicines.filter { $0.kept == nil && !$0.intakes.isEmpty }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// Returns the shown name of a medicine; empty if it is not part of the proposal.
  package func name(_ medicine: PlanID) -> String {
    before.medicines.first { $0.id == medicine }?.name ?? ""
  }

  /// Returns the names of the medicines that a broken rule is about.
  package func medicines(of finding: IntakeFinding) -> [String] {
    before.medicines.filter { finding.rule.concerns($0.id) }.map(\.name).sorted()
  }

  /// Returns the names of the medicines that are taken now at a minute of the clock.
  package func namesBefore(at minute: Int) -> [String] {
    before.medicines.filter { $0.minutes.map(IntakeClock.ofDay).contains(minute) }.map(\.name)
      .sorted()
  }

  private static func times(_ situation: IntakeSituation) -> [Int] {
    Set(situation.medicines.flatMap { $0.minutes.map(IntakeClock.ofDay) }).sorted()
  }
}

extension IntakeChange {
  /// Returns a medicine's form with the new times; nil if its schedule has changed since.
  package func applied(to draft: PlanDraft) -> PlanDraft? {
    var changed = draft
    switch draft.schedule {
    case .times(let times, let weekdays):
      guard let moved = moved(times) else { return nil }
      changed.schedule = .times(moved, weekdays: weekdays)
    case .everyDays(let days, let times):
      guard let moved = moved(times) else { return nil }
      changed.schedule = .everyDays(days, times: moved)
    case .spread(let spread):
      guard case .spread(let new) = way, spread.times.map({ $0.secondsOfDay / 60 }) == from,
        new.times.map({ $0.secondsOfDay / 60 }) == to
      else { return nil }
      var kept = spread
      kept.window = new.window
      changed.schedule = .spread(kept)
    case .everyHours, .meals, .asNeeded, .cycle, .steps, .varying, .afterIntake: return nil
    }
    return changed
  }

  /// Returns the new times; each keeps its slot, so that its doses stay the same.
  private func moved(_ times: [DraftTime]) -> [DraftTime]? {
    let ascending = times.sorted { $0.time < $1.time }
    guard ascending.map({ $0.time.secondsOfDay / 60 }) == from, from.count == to.count else {
      return nil
    }
    var moved: [DraftTime] = []
    for (time, minute) in zip(ascending, to) {
      guard let clock = ClockTime(secondsOfDay: minute * 60) else { return nil }
      moved.append(DraftTime(slot: time.slot, time: clock))
    }
    return moved
  }
}
