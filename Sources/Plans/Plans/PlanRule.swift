// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// A recurring rule of a plan, read from one dosage, before its times of day have slots.
package struct PlanRule: Sendable, Hashable {
  /// The position of the dosage in the request.
  package let dosage: Int
  /// The amount of each dose; nil if the dosage states none.
  package let amount: Amount?
  /// The pattern that recurs.
  package let pattern: PlanPattern
  /// The instant from which intervals are counted.
  package let anchor: Instant
  /// The date from which day patterns are counted.
  package let anchorDate: CivilDate
  /// The end; nil for none.
  package let end: ScheduleEnd?
  /// The total number of doses from the anchor; nil for no limit.
  package let count: Int?
  /// The position among dosages that follow one another, from 0.
  package var step = 0
  /// The end of the steps before it, before which the pattern gives no doses; nil for none.
  package var notBefore: Instant?
  /// True if the dosage states no times, so that the usual ones apply (timing rule 12).
  package var hasDefaultTimes = false
  /// The running number of its first dose, which continues those of the steps before it.
  package var firstNumber: Int64 = 0
  /// The rule for hours counted from the dose that was actually taken; nil if they are not.
  package var afterIntake: AfterIntake?
  /// The gap that the plan itself states, in milliseconds.
  package var statedGap: Int64?

  /// Creates a rule that is the only step.
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
  /// True if it counts hours within the person's waking hours.
  var hasWakingHours: Bool { afterIntake?.waking != nil }

  /// Returns the schedule with the slots of its times.
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

/// The pattern that recurs in a rule.
package enum PlanPattern: Sendable, Hashable {
  case calendar(DayPattern, [SlotTime])
  case elapsed(everyMilliseconds: Int64, times: Int)
  case instants([Instant])
}

/// The schedule read from a request: rules for all of it, or a reason for none.
package enum PlanReading: Sendable, Hashable {
  case rules([PlanRule])
  case unplanned(UnplannedReason)
}

/// The point from which rules without a start of their own are counted.
package struct PlanAnchor: Sendable {
  /// The instant from which intervals are counted.
  package let instant: Instant
  /// The date from which day patterns are counted.
  package let date: CivilDate
  /// The zone of the plan's first era: it turns a start given as an instant into a date, so that
  /// travel never shifts an every-other-day pattern.
  package let zone: Zone

  /// Creates an anchor.
  package init(instant: Instant, date: CivilDate, zone: Zone) {
    self.instant = instant
    self.date = date
    self.zone = zone
  }
}

/// The way in which a plan's doses are identified.
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

  /// Returns the parts of the rules that must stay the same within an era.
  ///
  /// Running numbers count intervals from the anchor, so another interval or anchor would give used numbers
  /// another meaning.
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
