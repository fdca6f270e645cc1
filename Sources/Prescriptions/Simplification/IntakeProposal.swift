// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling

/// Another time for some doses of a medicine.
package struct IntakeChange: Sendable, Hashable {
  package let medicine: PlanID
  package let name: String
  /// The minutes of the day until now, and proposed, dose by dose.
  package let from: [Int]
  package let to: [Int]
  let way: IntakeMedicine.Way
}

/// One dose of a day as it is proposed, with what decided its time.
package struct IntakeEntry: Sendable, Hashable {
  package let medicine: PlanID
  package let name: String
  /// The minute of the clock until now, and proposed.
  package let from: Int
  package let to: Int
  package let rules: [IntakeRule]

  package var isMoved: Bool { from != to }
}

/// A rule of the list that the present times do not keep.
package struct IntakeFinding: Sendable, Hashable {
  package let rule: IntakeRule
  /// How many minutes lie between now.
  package let distance: Int
  /// Whether the proposal keeps it.
  package let isMended: Bool
  /// What it clashes with where it does not.
  package let clash: IntakeRule?
}

/// The fewest times of day, with the reasons.
package struct IntakeProposal: Sendable, Hashable {
  package let before: IntakeSituation
  package let after: IntakeSituation
  /// Whether all combinations were looked at.
  package let isExhaustive: Bool

  /// The times of the clock now and as proposed, ascending.
  package var timesBefore: [Int] { Self.times(before) }
  package var timesAfter: [Int] { Self.times(after) }

  /// What would change, by the names of the medicines.
  package var changes: [IntakeChange] {
    zip(before.medicines, after.medicines).compactMap { old, new in
      guard old.minutes != new.minutes else { return nil }
      return IntakeChange(
        medicine: old.id, name: old.name, from: old.minutes, to: new.minutes, way: new.way)
    }.sorted { ($0.name, $0.medicine) < ($1.name, $1.medicine) }
  }

  /// Medicines that stay as they are, and why, by name.
  package var kept: [(medicine: IntakeMedicine, why: IntakeKept)] {
    var found: [(medicine: IntakeMedicine, why: IntakeKept)] = []
    for medicine in after.medicines {
      if let why = medicine.kept { found.append((medicine, why)) }
    }
    return found.sorted { ($0.medicine.name, $0.medicine.id) < ($1.medicine.name, $1.medicine.id) }
  }

  /// Medicines whose times might change.
  package var movable: [IntakeMedicine] {
    after.medicines.filter { $0.kept == nil && !$0.intakes.isEmpty }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  package func name(_ medicine: PlanID) -> String {
    before.medicines.first { $0.id == medicine }?.name ?? ""
  }

  /// The names of the medicines that a rule of the list is about.
  package func medicines(of finding: IntakeFinding) -> [String] {
    before.medicines.filter { finding.rule.concerns($0.id) }.map(\.name).sorted()
  }

  /// What is taken at a time of the clock now, by name.
  package func namesBefore(at minute: Int) -> [String] {
    before.medicines.filter { $0.minutes.map(IntakeClock.ofDay).contains(minute) }.map(\.name)
      .sorted()
  }

  private static func times(_ situation: IntakeSituation) -> [Int] {
    Set(situation.medicines.flatMap { $0.minutes.map(IntakeClock.ofDay) }).sorted()
  }
}

extension IntakeChange {
  /// The form of the medicine with the new times in it; nil where it is another one meanwhile.
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

  /// Each time keeps its slot, so that its doses stay the same ones.
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
