// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Scheduling
import Storage

/// The content of Today in its order, computed only from rows.
package struct TodayModel: Sendable, Hashable {
  /// A dose with the intakes that raise a question about it.
  package struct Row: Sendable, Hashable {
    /// The dose itself.
    package let dose: Dose
    /// The intakes of the same medicine more recent than its minimum gap.
    package var question: [Intake] = []
    /// True if it was due on the day before.
    package var isYesterday = false
    /// True if its prescription changed and no one has reviewed the change yet.
    package var needsReview = false
  }

  /// Doses due at the same instant.
  package struct Cluster: Sendable, Hashable {
    /// The time at which they are due.
    package let due: Timestamp
    /// The doses, in the order of Today.
    package var rows: [Row]

    /// The doses that one press can take, without those that raise a question or wait for a
    /// decision; empty for a single dose.
    package var takeable: [Row] {
      let rows = rows.filter {
        $0.dose.state == .due && $0.question.isEmpty && !$0.needsReview
      }
      return rows.count > 1 ? rows : []
    }
  }

  /// The next coming doses.
  package struct Next: Sendable, Hashable {
    /// The time at which they come, after any postponement.
    package let due: Timestamp
    /// The doses that come at that time.
    package let doses: [Dose]
    /// True if they are on the next day.
    package let isTomorrow: Bool
  }

  /// The plans without doses, which Today lists separately.
  package let unplanned: [UnplannedPlan]
  /// The doses to answer now, grouped by due time.
  package private(set) var now: [Cluster] = []
  /// The doses of later today, and postponed ones.
  package private(set) var later: [Row] = []
  /// The answered doses, including yesterday's that were answered today.
  package private(set) var done: [Row] = []
  /// The intakes of today that answered no dose.
  package private(set) var extras: [Intake] = []
  /// The reasons given for intakes that answered no dose, by administration.
  package let reasons: [AdministrationID: String]
  /// The missed doses, including yesterday's whose late window reached into today.
  package private(set) var missed: [Row] = []
  /// The doses of tomorrow within the next 24 hours.
  package private(set) var tomorrow: [Row] = []
  /// The next doses; nil if any are due now, or none are known.
  package private(set) var next: Next?
  /// The total number of doses in each part that does not list all of them.
  package private(set) var totals: [TodayPart: Int] = [:]

  /// The milliseconds before and after now for which doses are read.
  ///
  /// The longest local day has 25 hours, and the longest late window of yesterday's doses ends
  /// before that.
  package static let reach = SnapshotReach.doses

  /// Sorts the doses of the day by the action that they need.
  ///
  /// Yesterday's doses are kept if their late window reaches into today and they were not answered
  /// yesterday; tomorrow's if they are within the next 24 hours.
  ///
  /// - Parameters:
  ///   - doses: The doses that were read, sorted by due time.
  ///   - withinGap: The intakes within the minimum gap, by plan.
  ///   - unread: The number of doses and intakes of each part that were not read.
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
      // A dose in the future raises its question when it is due, or on its own page.
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

  /// Limits each part: keeps the next future doses, and the latest past ones.
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

  /// Marks the open doses of plans that someone must review before any dose is taken.
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

  /// True if there is nothing to show.
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

  /// Doses are ordered by due time, so equal ones are consecutive.
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
