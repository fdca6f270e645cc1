// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// A dose that a clock change moves, with the reasons.
package struct ClockMove: Sendable, Hashable {
  /// The plan of the dose.
  package let plan: PlanID
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The time of the dose after the change.
  package let due: Timestamp
  /// The time that the person's clock would show without the change; nil if the reasons state it.
  package var usual: ClockTime?
  /// The reasons for the new time; may be empty if `usual` explains it.
  package let reasons: [DoseReason]
}

extension DoseQueries {
  /// Returns the doses that clock changes between two instants move, by time.
  ///
  /// A dose moves if the person's clock shows another time for it: a plan that follows another place moves
  /// when the clocks change there, and a plan that follows no place moves when the person's clock changes.
  package static func movedByClock(
    patient: PatientID, from: Timestamp, until: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> [ClockMove] {
    try movedByClock(
      of: PatientSnapshot(of: patient, now: from, zones: zones, in: reader), from: from,
      until: until)
  }

  /// Returns the doses that clock changes between two instants move, by time, from a snapshot that
  /// other queries share.
  package static func movedByClock(
    of patient: PatientSnapshot, from: Timestamp, until: Timestamp
  ) throws(PlanError) -> [ClockMove] {
    try planning {
      guard let person = try patient.person() else { return [] }
      let zones = patient.zones
      let own = try zones.zone(person.zone)
      var moves: [ClockMove] = []
      for row in try patient.plans() where row.isRinging {
        let clocks = PairOfClocks(own: own, plan: try zones.zone(ofEra: row.zone))
        // Most of the year no plan needs to be read for this.
        let turns = clocks.turns(from: Instant(from), until: Instant(until))
        if turns.isEmpty { continue }
        guard let timeline = try patient.timeline(of: row) else { continue }
        let begin = Instant(max(from, row.activeFrom))
        for found in turns.flatMap({ timeline.moved(by: $0, clocks, from: begin) }) {
          moves.append(
            ClockMove(
              plan: row.plan, medicineName: row.shownName, due: Timestamp(found.due),
              usual: found.usual, reasons: found.reasons))
        }
      }
      return moves.sorted { ($0.due, $0.plan) < ($1.due, $1.plan) }
    }
  }
}

extension DoseQueries {
  /// Returns true if the patient's clock, or one that a plan of theirs follows, changes between two instants.
  package static func isClockSet(
    of patient: PatientSnapshot, from: Timestamp, until: Timestamp
  ) throws(PlanError) -> Bool {
    func isSet(_ zone: Zone) -> Bool {
      !zone.changes(after: Instant(from), until: Instant(until)).isEmpty
    }
    if isSet(try patient.zone()) { return true }
    return try planning {
      Set(try patient.plans().filter(\.isRinging).map(\.zone)).contains { name in
        (try? patient.zones.zone(ofEra: name)).map(isSet) ?? false
      }
    }
  }
}

/// Clock changes less than a day apart.
private struct ClockTurn {
  let first: Instant
  var last: Instant
}

/// The clock of a person, and the one that a plan follows.
private struct PairOfClocks {
  static let day: Int64 = 24 * 3_600_000

  let own: Zone
  let plan: Zone

  func turns(from: Instant, until: Instant) -> [ClockTurn] {
    var instants = own.changes(after: from, until: until).map(\.instant)
    if plan.identifier != own.identifier {
      instants += plan.changes(after: from, until: until).map(\.instant)
    }
    var turns: [ClockTurn] = []
    for instant in instants.sorted() {
      if let turn = turns.last, instant.milliseconds(since: turn.last) < Self.day {
        turns[turns.count - 1].last = instant
      } else {
        turns.append(ClockTurn(first: instant, last: instant))
      }
    }
    return turns
  }

  /// Returns the seconds by which the person's clock is ahead of the plan's.
  private func lead(at instant: Instant) -> Int {
    own.offsetSeconds(at: instant) - plan.offsetSeconds(at: instant)
  }

  /// Returns the seconds by which a change moves, on the person's clock, a dose after it that follows the
  /// plan's clock.
  func shift(at instant: Instant, by turn: ClockTurn) -> Int {
    if instant < turn.first { return 0 }
    return lead(at: instant) - lead(at: turn.first.adding(milliseconds: -1_000))
  }

  /// Returns true if both change together, so that only a missing or repeated hour moves a dose.
  func areSetTogether(in turn: ClockTurn) -> Bool {
    let (before, after) = (
      turn.first.adding(milliseconds: -1_000), turn.last.adding(milliseconds: 1_000)
    )
    let instants =
      own.changes(after: before, until: after) + plan.changes(after: before, until: after)
    return instants.allSatisfy { shift(at: $0.instant, by: turn) == 0 }
  }

  /// Returns the time that the person's clock would show without the change.
  func usual(at instant: Instant, shift: Int) -> ClockTime? {
    let seconds = (own.local(at: instant).time.secondsOfDay - shift) % 86_400
    return ClockTime(secondsOfDay: seconds < 0 ? seconds + 86_400 : seconds)
  }
}

extension PlanTimeline {
  fileprivate typealias Moved = (due: Instant, usual: ClockTime?, reasons: [DoseReason])

  /// Returns the doses that a clock change moves: single ones, and for permanent moves the first at each time
  /// in the following week.
  fileprivate func moved(
    by turn: ClockTurn, _ clocks: PairOfClocks, from begin: Instant
  ) -> [Moved] {
    let week = turn.last.adding(milliseconds: 7 * PairOfClocks.day)
    var moved: [Moved] = []
    for part in parts where part.chain == nil {
      switch part.rule.pattern {
      case .calendar where clocks.areSetTogether(in: turn):
        let found = part.occurrences(
          from: max(begin, turn.first.adding(milliseconds: -PairOfClocks.day)),
          until: turn.last.adding(milliseconds: PairOfClocks.day), limit: 500)
        for dose in found where dose.shift != .none {
          let reasons = clockReasons(of: dose)
          if !reasons.isEmpty { moved.append((dose.instant, nil, reasons)) }
        }
      case .calendar:
        var named: Set<Int> = []
        for dose in part.occurrences(from: max(begin, turn.first), until: week, limit: 500) {
          let shift = clocks.shift(at: dose.instant, by: turn)
          guard shift != 0, case .slot(_, let slot) = dose.id, named.insert(slot).inserted else {
            continue
          }
          moved.append(elsewhere(dose, turn, clocks, shift: shift))
        }
      case .elapsed(let every, let times):
        let distance = every / Int64(max(times, 1))
        for dose in part.occurrences(from: max(begin, turn.first), until: week, limit: 500) {
          guard dose.id != .running(part.rule.firstNumber) else { continue }
          let before = dose.instant.adding(milliseconds: -distance)
          let change =
            clocks.own.offsetSeconds(at: dose.instant) - clocks.own.offsetSeconds(at: before)
          if change != 0 {
            moved.append((dose.instant, nil, [.clockWasSet(bySeconds: change)]))
          }
        }
      case .instants: break
      }
    }
    return moved
  }

  /// Returns a dose that follows another clock than the person's.
  private func elsewhere(
    _ dose: Occurrence, _ turn: ClockTurn, _ clocks: PairOfClocks, shift: Int
  ) -> Moved {
    // An hour that is missing there moves it again.
    if dose.shift == .gap { return (dose.instant, nil, clockReasons(of: dose)) }
    let before = turn.first.adding(milliseconds: -1_000)
    let goesOn =
      clocks.plan.offsetSeconds(at: before) == clocks.plan.offsetSeconds(at: dose.instant)
    return (
      dose.instant, clocks.usual(at: dose.instant, shift: shift),
      goesOn ? [.clockWasSet(bySeconds: shift)] : []
    )
  }

  private func clockReasons(of dose: Occurrence) -> [DoseReason] {
    reasons(for: dose.id)?.reasons.filter(\.isOfClockChange) ?? []
  }
}
