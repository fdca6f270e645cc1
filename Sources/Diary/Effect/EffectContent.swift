// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Observations
import Plans
import Scheduling
import Statistics
import Storage

/// The doses of a medicine, the values of up to two measures and the changes of the plan on one time axis.
///
/// It never states that the medicine is the cause of a difference.
package struct EffectContent: Sendable {
  /// A comparison of a measure before and after a change.
  package struct Comparison: Sendable, Hashable {
    /// The change.
    package let change: EffectChange
    /// The measure.
    package let measure: NamedMeasure
    /// The unit of its values.
    package let unit: String
    /// The compared days.
    package let windows: EffectWindows
    /// The result.
    package let outcome: EffectOutcome
    /// The doses of the days before the change.
    package let dosesBefore: DoseCounts
    /// The doses of the days after it.
    package let dosesAfter: DoseCounts
  }

  /// The greatest number of measures on one axis.
  package static let mostMeasures = 2
  /// The greatest number of changes that are compared, the newest first.
  package static let mostCompared = 6

  /// The length of time.
  package let range: EffectRange
  /// The date today.
  package let today: CivilDate
  /// The doses of each period.
  package let doses: AdherenceStatistics
  /// The changes in that time, oldest first.
  package let changes: [EffectChange]
  /// The measures that the person has.
  package let measures: [NamedMeasure]
  /// The daily values of the chosen ones.
  package let series: [EffectSeries]
  /// The comparisons of each measure for each change, the newest change first.
  package let comparisons: [Comparison]

  /// Returns the mean of a measure's days in each period; nil for a period without a value.
  package func means(of series: EffectSeries) -> [Double?] {
    var sums: [CivilDate: (sum: Double, count: Double)] = [:]
    for day in series.days {
      let start = range.period.start(of: day.day)
      let known = sums[start] ?? (sum: 0, count: 0)
      sums[start] = (sum: known.sum + day.value, count: known.count + 1)
    }
    return doses.columns.map { column in sums[column.start].map { $0.sum / $0.count } }
  }

  /// Reads the content; the caller has decided access to the doses, the medicine and, if there are measures, to them.
  ///
  /// - Parameters:
  ///   - keys: the keys of the chosen measures; those that the person has not are ignored, and without any the first
  ///     measure is taken.
  ///   - part: the Observations that may be seen; nil for none.
  package static func load(
    _ plan: PlanID, of patient: PatientID, range: EffectRange, keys: [String],
    part: ObservationPart?, zone: Zone, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> EffectContent {
    let today = zone.date(at: Instant(milliseconds: now.milliseconds))
    let window = range.window(today: today)
    let doses: AdherenceStatistics
    if window.period == .month {
      doses = try StatisticsQueries.months(
        plan: plan, patient: patient, window: window, zone: zone, now: now, in: reader)
    } else {
      doses = try StatisticsQueries.statistics(
        plan: plan, patient: patient, window: window, zone: zone, now: now, in: reader)
    }
    let all = EffectChange.all(
      try versions(of: plan, patient: patient, zone: zone, in: reader), firstDue: doses.firstDue)
    let changes = all.filter { window.first <= $0.day && $0.day <= today }
    var sources: [VitalSource] = []
    if let part { sources = try VitalQueries.sources(patient, part: part, in: reader) }
    var measures: [NamedMeasure] = []
    if let part {
      measures = try NamedMeasure.all(of: patient, sources: sources, part: part, in: reader)
    }
    // The days before the first change in the range may lie before it.
    let first = window.first.adding(days: -EffectWindows.length)
    var series: [EffectSeries] = []
    for measure in chosen(keys, of: measures) {
      series.append(
        try EffectSeries.load(
          measure, of: patient, from: first, to: today, zone: zone, sources: sources,
          part: part ?? .either, in: reader))
    }
    let days = Set(changes.map(\.day)).sorted(by: >).prefix(mostCompared)
    var comparisons: [Comparison] = []
    for day in days where !series.isEmpty {
      guard let change = changes.first(where: { $0.day == day }) else { continue }
      let windows = EffectWindows(around: day, among: all.map(\.day), today: today)
      let before = try count(
        windows.before, plan: plan, patient: patient, zone: zone, now: now, in: reader)
      let after = try count(
        windows.after, plan: plan, patient: patient, zone: zone, now: now, in: reader)
      for one in series {
        comparisons.append(
          Comparison(
            change: change, measure: one.measure, unit: one.unit, windows: windows,
            outcome: windows.outcome(one.days), dosesBefore: before, dosesAfter: after))
      }
    }
    return EffectContent(
      range: range, today: today, doses: doses, changes: changes, measures: measures,
      series: series, comparisons: comparisons)
  }

  /// Returns the chosen measures that there are, in the chosen order and each once; without any, the first one.
  static func chosen(_ keys: [String], of measures: [NamedMeasure]) -> [NamedMeasure] {
    var chosen: [NamedMeasure] = []
    for key in keys where chosen.count < mostMeasures {
      guard let measure = measures.first(where: { $0.measure.key == key }),
        !chosen.contains(measure)
      else { continue }
      chosen.append(measure)
    }
    return chosen.isEmpty ? Array(measures.prefix(1)) : chosen
  }

  private static func count(
    _ days: ClosedRange<CivilDate>?, plan: PlanID, patient: PatientID, zone: Zone,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DoseCounts {
    guard let days else { return DoseCounts() }
    return try StatisticsQueries.counts(
      plan: plan, patient: patient,
      from: Timestamp(milliseconds: zone.startOfDay(days.lowerBound).milliseconds),
      until: Timestamp(
        milliseconds: zone.startOfDay(days.upperBound.adding(days: 1)).milliseconds),
      now: now, in: reader)
  }

  private static func versions(
    of plan: PlanID, patient: PatientID, zone: Zone, in reader: any SQLReader
  ) throws(StorageError) -> [EffectChange.Version] {
    let rows: [PlanVersionRow] = try reader.query(
      versionsStatement, [.text(patient), .text(plan)]
    ).decode()
    return rows.map { row in
      EffectChange.Version(
        day: zone.date(at: Instant(milliseconds: row.lastUpdated.milliseconds)),
        request: row.body.flatMap { try? JSONValue(parsing: Array($0.utf8)) })
    }
  }

  private static let versionsStatement = SQLStatement(
    """
    SELECT \(PlanVersionRow.columns)
    FROM resources WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
    UNION ALL
    SELECT \(PlanVersionRow.columns)
    FROM resource_versions WHERE type = 'MedicationRequest' AND patient = $1 AND id = $2
    ORDER BY version
    """)
}

/// A version of a plan's request.
struct PlanVersionRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case version, lastUpdated, body }

  static let columns = SQLColumns<Column>()

  let lastUpdated: Timestamp
  let body: String?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    lastUpdated = try row.timestamp(.lastUpdated)
    body = try row.optionalText(.body)
  }
}
