// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// One recurring rule of a plan, read from one dosage, before its times of day have slots.
package struct PlanRule: Sendable, Hashable {
  /// The position of the dosage in the request.
  package let dosage: Int
  package let amount: Amount?
  package let pattern: PlanPattern
  package let anchor: Instant
  package let anchorDate: CivilDate
  package let end: ScheduleEnd?
  /// How many doses there are in all, counted from the anchor; nil for any number.
  package let count: Int?
  /// The place among dosages that follow one another, from 0.
  package var step = 0
  /// When the steps before it have ended; earlier doses of the pattern are dropped.
  package var notBefore: Instant?
  /// Whether no times were written, so that its times are the usual ones (timing rule 12).
  package var hasDefaultTimes = false
  /// What the running number of its first dose is, after those of the steps before it.
  package var firstNumber: Int64 = 0
  /// Whether its hours are counted from the dose that was really taken.
  package var afterIntake: AfterIntake?
  /// The gap that the plan itself states, in milliseconds.
  package var statedGap: Int64?

  package init(
    dosage: Int, amount: Amount?, pattern: PlanPattern, anchor: Instant, anchorDate: CivilDate,
    end: ScheduleEnd?, count: Int? = nil
  ) {
    self.dosage = dosage
    self.amount = amount
    self.pattern = pattern
    self.anchor = anchor
    self.anchorDate = anchorDate
    self.end = end
    self.count = count
  }
}

extension PlanRule {
  /// Whether it counts hours and keeps to those in which the person is awake.
  var hasWakingHours: Bool { afterIntake?.waking != nil }

  /// The schedule with the slots that its times have.
  func schedule(slots: [PlanSlot]) -> Schedule {
    let scheduleRule: ScheduleRule =
      switch pattern {
      case .calendar(let days, _):
        .calendar(days: days, slots: slots.map { Slot(id: $0.id, time: $0.time) })
      case .elapsed(let every, let times): .elapsed(everyMilliseconds: every, times: times)
      case .instants(let instants): .instants(instants)
      }
    return Schedule(
      rule: scheduleRule, anchor: anchor, anchorDate: anchorDate, end: end, count: count)
  }
}

/// What recurs in a rule.
package enum PlanPattern: Sendable, Hashable {
  case calendar(DayPattern, [SlotTime])
  case elapsed(everyMilliseconds: Int64, times: Int)
  case instants([Instant])
}

/// What a request says about when to take the medicine: rules for all of it, or none.
package enum PlanReading: Sendable, Hashable {
  case rules([PlanRule])
  case unplanned(UnplannedReason)
}

/// What a plan's rules are counted from where the request names no start.
package struct PlanAnchor: Sendable {
  package let instant: Instant
  package let date: CivilDate
  /// The zone of the plan's first era: it turns a start given as an instant into a date, so that
  /// travel never shifts an every-other-day pattern.
  package let zone: Zone

  package init(instant: Instant, date: CivilDate, zone: Zone) {
    self.instant = instant
    self.date = date
    self.zone = zone
  }
}

/// How a plan's doses are identified.
package enum PlanKind: String, Sendable, Hashable, CaseIterable {
  case calendar, elapsed, instants, none

  init(_ rules: [PlanRule]) {
    var kind = PlanKind.none
    for rule in rules {
      switch rule.pattern {
      case .calendar: kind = .calendar
      case .elapsed: if kind != .calendar { kind = .elapsed }
      case .instants: if kind == .none { kind = .instants }
      }
    }
    self = kind
  }

  /// What must stay the same within an era.
  ///
  /// Running numbers count intervals from the anchor, so another interval or anchor would give a
  /// number that was already used another meaning.
  static func signature(_ rules: [PlanRule]) -> String {
    var text = PlanKind(rules).rawValue
    for rule in rules {
      guard case .elapsed(let every, let times) = rule.pattern else { continue }
      text += ":\(every)/\(times)@\(rule.anchor.milliseconds)"
      if rule.firstNumber > 0 { text += "+\(rule.firstNumber)" }
      if rule.afterIntake != nil { text += "~" }
    }
    return text
  }
}
