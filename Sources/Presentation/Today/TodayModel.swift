// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Scheduling
import Storage

/// What Today shows, in its order: pure, from rows alone.
package struct TodayModel: Sendable, Hashable {
  /// A dose with the intakes that it is asked about.
  package struct Row: Sendable, Hashable {
    package let dose: Dose
    /// Intakes of the same medicine less than its minimum gap ago.
    package var question: [Intake] = []
    /// Due on the day before.
    package var isYesterday = false
    /// Whether its prescription changed and nobody has looked at that yet.
    package var needsReview = false
  }

  /// Doses due at the same instant.
  package struct Cluster: Sendable, Hashable {
    package let due: Timestamp
    package var rows: [Row]

    /// The doses that one press may take: none that raises a question or waits for a decision.
    package var takeable: [Row] {
      let rows = rows.filter {
        $0.dose.state == .due && $0.question.isEmpty && !$0.needsReview
      }
      return rows.count > 1 ? rows : []
    }
  }

  /// The doses that come next.
  package struct Next: Sendable, Hashable {
    package let due: Timestamp
    package let doses: [Dose]
    package let isTomorrow: Bool
  }

  package let unplanned: [UnplannedPlan]
  package private(set) var now: [Cluster] = []
  package private(set) var later: [Row] = []
  package private(set) var done: [Row] = []
  /// Intakes of today that answered no dose.
  package private(set) var extras: [Intake] = []
  /// The reasons given for intakes that answered no dose, by administration.
  package let reasons: [AdministrationID: String]
  package private(set) var missed: [Row] = []
  package private(set) var tomorrow: [Row] = []
  /// The next doses, if none is due now.
  package private(set) var next: Next?
  /// The total number of doses in each part that lists fewer.
  package private(set) var totals: [TodayPart: Int] = [:]

  /// How far back and ahead doses are read, in milliseconds: the longest local day is 25 hours, and
  /// the longest late window of yesterday's doses ends before that.
  package static let reach = SnapshotReach.doses

  /// Sorts the doses of the day by what is to be done.
  ///
  /// Of yesterday's doses those stay whose late window reaches into today and that were not
  /// answered yesterday; of tomorrow's those of the next 24 hours.
  ///
  /// - Parameter unread: the number of doses and intakes of each part that are not among those given.
  package init(
    doses: [Dose], unplanned: [UnplannedPlan], intakes: [Intake],
    reasons: [AdministrationID: String] = [:], withinGap: [PlanID: [Intake]] = [:],
    limits: TodayLimits = .none,
    unread: [TodayPart: Int] = [:], zone: Zone, now instant: Timestamp
  ) {
    self.unplanned = unplanned
    self.reasons = reasons
    let date = zone.date(at: Instant(milliseconds: instant.milliseconds))
    let start = Timestamp(milliseconds: zone.startOfDay(date).milliseconds)
    let end = Timestamp(milliseconds: zone.startOfDay(date.adding(days: 1)).milliseconds)
    let horizon = instant.adding(milliseconds: TodayDoses.ahead)
    for dose in doses where dose.state != .cancelled {
      if dose.due >= end {
        if dose.due < horizon { tomorrow.append(Row(dose: dose)) }
        continue
      }
      var row = Row(dose: dose)
      if dose.due < start {
        guard dose.lateUntil > start else { continue }
        if dose.state.isAnswered, let answer = dose.answer, answer.recorded < start { continue }
        row.isYesterday = true
      }
      // A dose to come is asked about when its time is there, or on its own page.
      if dose.due <= instant {
        row.question = (withinGap[dose.plan] ?? []).filter { $0.dose != dose.id }
      }
      place(row, at: instant)
    }
    later.sort { Self.moment($0.dose) < Self.moment($1.dose) }
    extras = intakes.filter { $0.dose == nil && $0.taken >= start }
    next = nextDoses
    apply(limits, unread: unread)
  }

  /// Limits each part: keeps the next doses to come, and the latest of those that have passed.
  private mutating func apply(_ limits: TodayLimits, unread: [TodayPart: Int]) {
    var totals: [TodayPart: Int] = [:]
    func note(_ part: TodayPart, listed: Int, of count: Int) {
      let total = count + (unread[part] ?? 0)
      if listed < total { totals[part] = total }
    }
    func limited(_ rows: [Row], _ part: TodayPart, latest: Bool) -> [Row] {
      let limit = limits.limit(part)
      let listed = Array(latest ? rows.suffix(limit) : rows.prefix(limit))
      note(part, listed: listed.count, of: rows.count)
      return listed
    }
    let due = now.reduce(0) { $0 + $1.rows.count }
    var room = limits.limit(.due)
    note(.due, listed: min(due, room), of: due)
    now = now.compactMap { cluster in
      let rows = Array(cluster.rows.prefix(room))
      room -= rows.count
      return rows.isEmpty ? nil : Cluster(due: cluster.due, rows: rows)
    }
    later = limited(later, .later, latest: false)
    tomorrow = limited(tomorrow, .tomorrow, latest: false)
    missed = limited(missed, .missed, latest: true)
    let answered = done.count + extras.count
    done = Array(done.suffix(limits.limit(.done)))
    extras = Array(extras.suffix(limits.limit(.done)))
    note(.done, listed: done.count + extras.count, of: answered)
    self.totals = totals
  }

  // MARK: Features

  /// The listed doses that are late or were missed.
  var forgotten: [Dose] {
    (now.flatMap(\.rows) + later + missed).map(\.dose).filter(\.isForgotten)
  }

  /// The listed doses that are due.
  var due: [Dose] { now.flatMap(\.rows).map(\.dose).filter { $0.state == .due } }

  /// Marks the open doses of plans that somebody must look at before anything is taken.
  package mutating func reviewFirst(at plans: Set<PlanID>) {
    if plans.isEmpty { return }
    func marked(_ row: Row) -> Row {
      var row = row
      row.needsReview = !row.dose.state.isAnswered && plans.contains(row.dose.plan)
      return row
    }
    for index in now.indices { now[index].rows = now[index].rows.map(marked) }
    later = later.map(marked)
    missed = missed.map(marked)
  }

  /// Whether there is nothing at all to show.
  package var isEmpty: Bool {
    unplanned.isEmpty && now.isEmpty && later.isEmpty && done.isEmpty && extras.isEmpty
      && missed.isEmpty && tomorrow.isEmpty
  }

  private var nextDoses: Next? {
    guard now.isEmpty else { return nil }
    if let first = later.first {
      let moment = Self.moment(first.dose)
      return Next(
        due: moment, doses: later.map(\.dose).filter { Self.moment($0) == moment },
        isTomorrow: false)
    }
    let open = tomorrow.map(\.dose).filter { !$0.state.isAnswered }
    guard let first = open.first else { return nil }
    return Next(
      due: first.due, doses: open.filter { $0.due == first.due }, isTomorrow: true)
  }

  private mutating func place(_ row: Row, at instant: Timestamp) {
    switch row.dose.state {
    case .taken, .skipped, .refused: done.append(row)
    case .due: take(row)
    case .later, .scheduled: later.append(row)
    case .missed: missed.append(row)
    case .withheld:
      if row.dose.due > instant {
        later.append(row)
      } else if instant < row.dose.lateUntil {
        take(row)
      } else {
        missed.append(row)
      }
    case .cancelled: break
    }
  }

  /// Doses come ordered by due time, so equal ones follow each other.
  private mutating func take(_ row: Row) {
    if now.last?.due == row.dose.due {
      now[now.count - 1].rows.append(row)
    } else {
      now.append(Cluster(due: row.dose.due, rows: [row]))
    }
  }

  private static func moment(_ dose: Dose) -> Timestamp {
    dose.state == .later ? dose.laterUntil ?? dose.due : dose.due
  }
}

extension Dose {
  /// True if its time has passed without an answer: it is late, or was missed.
  var isForgotten: Bool { state == .missed || (state == .due && isLate) }
}
