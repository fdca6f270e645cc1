// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage

/// The doses of a range of days, one by one, with the days without doses.
package struct DayStatistics: Sendable, Hashable {
  /// The kind of a day, independent of the outcome of its doses.
  package enum Kind: Sendable, Hashable {
    /// Before the very first dose.
    case before
    /// After today.
    case ahead
    /// A medicine was on hold, and no other had a dose.
    case paused
    /// Nothing was planned.
    case free
    /// At least one dose is shown.
    case planned
  }

  /// The first day of the range.
  package let first: CivilDate
  /// The last day of the range, which is included.
  package let last: CivilDate
  /// The date today in the zone of the statistics.
  package let today: CivilDate
  /// The day of the very first dose; nil if there is none yet.
  package let firstDue: CivilDate?
  /// The days of the range on which a medicine was on hold, as separate ranges in ascending order.
  package let paused: [ClosedRange<CivilDate>]
  /// The doses of each day in the order in which they were due.
  package let doses: [CivilDate: [StatisticsDose]]
  /// The statistics of all doses of the range, as the report counts them.
  package let total: PlanStatistics

  /// Creates the statistics of the days from `first` to `last`, both included.
  ///
  /// - Parameters:
  ///   - doses: doses in any order; those of other days are left out.
  ///   - paused: ranges of days on hold, in any order; they may overlap.
  package init(
    from first: CivilDate, to last: CivilDate, today: CivilDate, firstDue: CivilDate?,
    doses: [StatisticsDose], paused: [ClosedRange<CivilDate>] = []
  ) {
    self.first = first
    self.last = max(first, last)
    self.today = today
    self.firstDue = firstDue
    let days = self.first...self.last
    self.paused = Self.joined(
      paused.filter { $0.overlaps(days) }.map { $0.clamped(to: days) })
    let counted = doses.filter { days.contains($0.date) }
    total = StatisticsRows.total(counted.sorted { ($0.plan, $0.due) < ($1.plan, $1.due) })
    self.doses = Dictionary(
      grouping: counted.sorted { ($0.due, $0.plan) < ($1.due, $1.plan) }, by: \.date)
  }

  /// Merges ranges that overlap or follow each other.
  private static func joined(_ stretches: [ClosedRange<CivilDate>]) -> [ClosedRange<CivilDate>] {
    var joined: [ClosedRange<CivilDate>] = []
    for days in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let before = joined.last, days.lowerBound <= before.upperBound.adding(days: 1) else {
        joined.append(days)
        continue
      }
      joined[joined.count - 1] =
        before.lowerBound...max(before.upperBound, days.upperBound)
    }
    return joined
  }

  /// True if a medicine was on hold on a day.
  package func isPaused(_ day: CivilDate) -> Bool { paused.contains { $0.contains(day) } }

  /// Returns the doses that a day shows: for days after today only those answered early.
  package func marks(on day: CivilDate) -> [StatisticsDose] {
    let all = doses[day] ?? []
    return day > today ? all.filter { $0.outcome != nil } : all
  }

  /// Returns the kind of a day.
  package func kind(of day: CivilDate) -> Kind {
    if !marks(on: day).isEmpty { return .planned }
    if day > today { return .ahead }
    if isPaused(day) { return .paused }
    guard let firstDue, day >= firstDue else { return .before }
    return .free
  }

  /// Returns the days of one kind, each as a range of one day.
  package func days(of kind: Kind) -> [ClosedRange<CivilDate>] {
    (first.daysSinceEpoch...last.daysSinceEpoch).map(CivilDate.init(daysSinceEpoch:))
      .filter { self.kind(of: $0) == kind }.map { $0...$0 }
  }

  /// Returns the counts of the settled doses of a day.
  package func counts(on day: CivilDate) -> DoseCounts {
    var counts = DoseCounts()
    for dose in doses[day] ?? [] {
      if let outcome = dose.outcome { counts[outcome] += 1 }
    }
    return counts
  }

  /// True if every dose of a day was taken, on time or late, and none is open or withheld.
  package func isCovered(_ day: CivilDate) -> Bool {
    let all = doses[day] ?? []
    let counts = counts(on: day)
    return counts.planned > 0 && counts.notTaken == 0
      && all.allSatisfy { $0.outcome != nil && $0.outcome != .withheld }
  }

  /// Returns the days between two dates, both included, that have a dose with an outcome, in
  /// ascending order.
  package func days(
    with outcome: DoseOutcome, from first: CivilDate, to last: CivilDate
  ) -> [CivilDate] {
    doses.filter { day, doses in
      first <= day && day <= last && doses.contains { $0.outcome == outcome }
    }.keys.sorted()
  }

  /// Returns the counts day by day for a part of the range, both ends included.
  package func statistics(from first: CivilDate, to last: CivilDate) -> AdherenceStatistics {
    let window = StatisticsWindow(days: first, through: last)
    return AdherenceStatistics(
      window: window,
      columns: window.starts.map { AdherenceStatistics.Column(start: $0, counts: counts(on: $0)) },
      firstDue: firstDue, paused: paused)
  }
}

extension StatisticsQueries {
  /// Returns the doses of some days, of all plans of a patient or of one.
  ///
  /// Only the doses of these days are read, however long the history is.
  ///
  /// - Parameter plan: The plan to read; nil for all of them.
  package static func days(
    from first: CivilDate, to last: CivilDate, plan: PlanID? = nil, patient: PatientID, zone: Zone,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DayStatistics {
    var doses: [StatisticsDose] = []
    try StatisticsDose.each(
      patient: patient, plan: plan, from: Timestamp(zone.startOfDay(first)),
      until: Timestamp(zone.startOfDay(last.adding(days: 1))), zone: zone, now: now, in: reader
    ) { doses.append($0) }
    return DayStatistics(
      from: first, to: last, today: zone.date(at: Instant(now)),
      firstDue: try firstDue(plan: plan, patient: patient, zone: zone, in: reader), doses: doses,
      paused: try PausedDays.all(plan: plan, patient: patient, zone: zone, now: now, in: reader)
        .flatMap(\.value))
  }

  /// Returns the day of the first dose, of all plans of a patient or of one; nil if there is none yet.
  ///
  /// - Parameter plan: The plan to read; nil for all of them.
  package static func firstDue(
    plan: PlanID?, patient: PatientID, zone: Zone, in reader: any SQLReader
  ) throws(StorageError) -> CivilDate? {
    let row: SQLRow? =
      if let plan {
        try reader.first(
          "SELECT due FROM doses WHERE patient = $1 AND plan = $2 ORDER BY due LIMIT 1",
          [.text(patient), .text(plan)])
      } else {
        try reader.first(
          "SELECT due FROM doses WHERE patient = $1 ORDER BY due LIMIT 1", [.text(patient)])
      }
    let due = try row?.value(as: Timestamp.self)
    return due.map { zone.date(at: Instant($0)) }
  }
}
