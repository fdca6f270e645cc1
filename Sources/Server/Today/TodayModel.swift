// SPDX-License-Identifier: Apache-2.0

import Adherence
import Scheduling
import Storage

/// What Today shows, in its order: pure, from rows alone.
struct TodayModel: Sendable, Hashable {
  /// A dose with the intakes that it is asked about.
  struct Row: Sendable, Hashable {
    let dose: Dose
    /// Intakes of the same medicine less than its minimum gap ago.
    var question: [Intake] = []
    /// Due on the day before.
    var isYesterday = false
    /// Whether its prescription changed and nobody has looked at that yet.
    var mustLook = false
    /// What the plan's own rule says, where it was forgotten.
    var advice: MissAdvice?
    /// What may be done with it, rule by rule.
    var replanning: Replanning?
  }

  /// Doses due at the same instant.
  struct Cluster: Sendable, Hashable {
    let due: Timestamp
    var rows: [Row]

    /// The doses that one press may take: none that raises a question or waits for a decision.
    var takeable: [Row] {
      let rows = rows.filter {
        $0.dose.state == .due && $0.question.isEmpty && !$0.mustLook
      }
      return rows.count > 1 ? rows : []
    }
  }

  let unplanned: [UnplannedPlan]
  /// Prescriptions from elsewhere that wait for a decision.
  let proposals: ProposalReading
  private(set) var now: [Cluster] = []
  private(set) var later: [Row] = []
  private(set) var done: [Row] = []
  /// Intakes of today that answered no dose.
  private(set) var extras: [Intake] = []
  private(set) var missed: [Row] = []
  private(set) var tomorrow: [Row] = []

  /// How far back and ahead doses are read, in milliseconds: the longest local day is 25 hours, and
  /// the longest late window of yesterday's doses ends before that.
  static let reach: Int64 = 26 * 3_600_000
  private static let day: Int64 = 24 * 3_600_000

  /// Sorts the doses of the day by what is to be done.
  ///
  /// Of yesterday's doses those stay whose late window reaches into today and that were not
  /// answered yesterday; of tomorrow's those of the next 24 hours.
  init(
    doses: [Dose], unplanned: [UnplannedPlan], intakes: [Intake],
    withinGap: [String: [Intake]] = [:], proposals: ProposalReading = ProposalReading(),
    rules: [String: AfterMiss] = [:], replannings: [DoseID: Replanning] = [:], zone: Zone,
    now instant: Timestamp
  ) {
    self.unplanned = unplanned
    self.proposals = proposals
    let date = zone.date(at: Instant(milliseconds: instant.milliseconds))
    let start = Timestamp(milliseconds: zone.startOfDay(date).milliseconds)
    let end = Timestamp(milliseconds: zone.startOfDay(date.adding(days: 1)).milliseconds)
    let horizon = instant.adding(milliseconds: Self.day)
    for dose in doses where dose.state != .cancelled {
      if dose.due >= end {
        if dose.due < horizon { tomorrow.append(Row(dose: dose)) }
        continue
      }
      var row = Row(dose: dose)
      row.mustLook = !dose.state.isAnswered && proposals.plansToLookAt.contains(dose.plan)
      if dose.due < start {
        guard dose.lateUntil > start else { continue }
        if dose.state.isAnswered, let answer = dose.answer, answer.recorded < start { continue }
        row.isYesterday = true
      }
      // A dose to come is asked about when its time is there, or on its own page.
      if dose.due <= instant {
        row.question = (withinGap[dose.plan] ?? []).filter { $0.dose != dose.id }
      }
      if dose.state == .missed || (dose.state == .due && dose.isLate), let rule = rules[dose.plan] {
        row.replanning = replannings[dose.id]
        row.advice = row.replanning?.advice ?? MissAdvice(rule, for: dose, now: instant)
      }
      place(row, at: instant)
    }
    later.sort { Self.moment($0.dose) < Self.moment($1.dose) }
    extras = intakes.filter { $0.dose == nil && $0.taken >= start }
  }

  /// Whether there is nothing at all to show.
  var isEmpty: Bool {
    unplanned.isEmpty && proposals.isEmpty && now.isEmpty && later.isEmpty && done.isEmpty
      && extras.isEmpty
      && missed.isEmpty && tomorrow.isEmpty
  }

  /// The doses that come next when none is to be taken now.
  var next: (due: Timestamp, doses: [Dose], isTomorrow: Bool)? {
    guard now.isEmpty else { return nil }
    if let first = later.first {
      let moment = Self.moment(first.dose)
      return (moment, later.filter { Self.moment($0.dose) == moment }.map(\.dose), false)
    }
    let open = tomorrow.filter { !$0.dose.state.isAnswered }
    guard let first = open.first else { return nil }
    return (
      first.dose.due, open.filter { $0.dose.due == first.dose.due }.map(\.dose), true
    )
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
