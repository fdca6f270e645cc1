// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// A future dose of a medicine.
struct ComingDose: Sendable, Hashable {
  let due: Timestamp
  /// The planned amount; nil if unknown.
  let amount: Amount?
}

/// The recurrence of a schedule, as far as a list of medicines needs it.
enum DailyRecurrence {
  private static let dayMilliseconds: Int64 = 24 * 3_600_000

  /// Returns true if a plan has doses on every day, or on most days of a cycle.
  ///
  /// - Parameter zone: The person's zone; only the pattern matters, not the dates.
  static func isDaily(_ plan: Plan, zone: Zone) -> Bool {
    let created = Instant(milliseconds: plan.created.milliseconds)
    let anchor = PlanAnchor(instant: created, date: zone.date(at: created), zone: zone)
    guard case .rules(let rules) = TimingReader.read(plan.request, anchor: anchor, zone: zone)
    else { return false }
    return isDaily(rules.map(\.pattern))
  }

  /// Returns true if patterns that apply together give doses on every day.
  static func isDaily(_ patterns: [PlanPattern]) -> Bool {
    var weekdays: Set<Weekday> = []
    for pattern in patterns {
      switch pattern {
      case .instants: continue
      case .elapsed(let every, let times):
        if every / Int64(max(times, 1)) <= dayMilliseconds { return true }
      case .calendar(let days, _):
        switch days {
        case .every(let count): if count == 1 { return true }
        case .spread(let times, let count): if times >= count { return true }
        case .runs(let on, let off): if on > off { return true }
        case .daysOfCycle(let days, let length): if 2 * days.count > length { return true }
        case .everyDaysOn(let count, let named): if count == 1 { weekdays.formUnion(named) }
        case .weekdays(let named, let weeks): if weeks == 1 { weekdays.formUnion(named) }
        case .spreadOn, .months: continue
        }
      }
    }
    return weekdays.count == Weekday.allCases.count
  }
}
