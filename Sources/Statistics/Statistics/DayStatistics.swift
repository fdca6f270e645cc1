// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage

/// The doses of some days, one by one, with the days on which none was to be taken.
package struct DayStatistics: Sendable, Hashable {
  /// What a day is, whatever became of its doses.
  package enum Kind: Sendable, Hashable {
    /// Before the first dose of all.
    case before
    /// After today.
    case ahead
    /// A medicine was on hold, and no other had a dose.
    case paused
    /// Nothing was planned.
    case free
    case planned
  }

  package let first: CivilDate
  package let last: CivilDate
  package let today: CivilDate
  /// The day of the very first dose; nil where there was none yet.
  package let firstDue: CivilDate?
  /// The days of these on which a medicine was on hold, in ascending order and apart.
  package let paused: [ClosedRange<CivilDate>]
  /// The doses of each day in the order in which they were due.
  package let doses: [CivilDate: [StatisticsDose]]
  /// All of them as the report counts them.
  package let total: PlanStatistics

  /// - Parameters:
  ///   - doses: those of other days are left out.
  ///   - paused: in any order; they may overlap.
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

  /// Stretches that overlap or follow each other as one.
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

  package func isPaused(_ day: CivilDate) -> Bool { paused.contains { $0.contains(day) } }

  /// The doses that a day shows: of days to come those that were answered early.
  package func marks(on day: CivilDate) -> [StatisticsDose] {
    let all = doses[day] ?? []
    return day > today ? all.filter { $0.outcome != nil } : all
  }

  package func kind(of day: CivilDate) -> Kind {
    if !marks(on: day).isEmpty { return .planned }
    if day > today { return .ahead }
    if isPaused(day) { return .paused }
    guard let firstDue, day >= firstDue else { return .before }
    return .free
  }

  /// The days of one kind, each as a stretch of its own.
  package func days(of kind: Kind) -> [ClosedRange<CivilDate>] {
    (first.daysSinceEpoch...last.daysSinceEpoch).map(CivilDate.init(daysSinceEpoch:))
      .filter { self.kind(of: $0) == kind }.map { $0...$0 }
  }

  package func counts(on day: CivilDate) -> DoseCounts {
    var counts = DoseCounts()
    for dose in doses[day] ?? [] {
      if let outcome = dose.outcome { counts[outcome] += 1 }
    }
    return counts
  }

  /// Whether every dose of a day was taken, on time or late, and none is open or was held back.
  package func isCovered(_ day: CivilDate) -> Bool {
    let all = doses[day] ?? []
    let counts = counts(on: day)
    return counts.planned > 0 && counts.notTaken == 0
      && all.allSatisfy { $0.outcome != nil && $0.outcome != .withheld }
  }

  /// The days of a stretch on which a dose ended in one way.
  package func days(
    with outcome: DoseOutcome, from first: CivilDate, to last: CivilDate
  ) -> [CivilDate] {
    doses.filter { day, doses in
      first <= day && day <= last && doses.contains { $0.outcome == outcome }
    }.keys.sorted()
  }

  /// The same day by day, for some of these days.
  package func statistics(from first: CivilDate, to last: CivilDate) -> AdherenceStatistics {
    let window = StatisticsWindow(days: first, through: last)
    return AdherenceStatistics(
      window: window,
      columns: window.starts.map { AdherenceStatistics.Column(start: $0, counts: counts(on: $0)) },
      firstDue: firstDue, paused: paused)
  }
}

extension StatisticsQueries {
  /// The doses of some days, of all plans of a patient or of one.
  ///
  /// As many rows as there are doses in these days are read, however long the story is.
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

  /// The day of the first dose, of all plans of a patient or of one; nil where there was none yet.
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
