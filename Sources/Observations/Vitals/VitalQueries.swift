// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Scheduling
import Storage

/// A day's value as it is shown and exported.
package struct VitalDayValue: Sendable, Hashable {
  /// The kind of measurement.
  package let metric: VitalMetric
  /// The date at the place of measurement, `yyyy-MM-dd`.
  package let day: String
  /// The name of the device or app.
  package let source: String
  /// The value in thousandths of the unit: the mean of heart rates, the sum of steps, otherwise the daily
  /// value.
  package let thousandths: Int64
  /// The lowest measurement in thousandths of the unit; nil if there is only a total.
  package let minimum: Int64?
  /// The number of measurements.
  package let count: Int
  /// The time of the latest measurement, in seconds since 1970.
  package let at: Int64
  /// The seconds by which the clock at that measurement was ahead of UTC.
  package let zoneOffset: Int
  /// The time at which the value last changed here.
  package let changed: Timestamp
  /// The id of its Observation.
  package let observation: String
}

/// A device or app that measured something.
package struct VitalSource: Sendable, Hashable {
  /// The kind of measurement.
  package let metric: VitalMetric
  /// The name of the device or app.
  package let source: String
  /// The time of its latest measurement, in seconds since 1970.
  package let last: Int64
  /// The number of days with a value.
  package let days: Int
  /// True if its values are the ones that count.
  package let isPreferred: Bool
  /// True if a person chose it.
  package let isChosen: Bool
}

/// Queries for measurements; the caller has decided access.
package enum VitalQueries {
  /// The number of days before a kind's latest value that are considered when choosing its source.
  static let lately = 14

  /// Returns the sources of each kind, the one that counts first.
  ///
  /// Unless a person chose one, it is the source with values on most of the last 14 days, so that a
  /// single manual entry does not replace a watch; among equals the one with the latest value, then
  /// the first by name.
  ///
  /// - Parameter part: the Observations that may be seen; a day with a value of the diary is not a measurement's.
  package static func sources(
    _ patient: PatientID, part: ObservationPart = .either, in reader: any SQLReader
  ) throws(StorageError) -> [VitalSource] {
    guard part != .diary else { return [] }
    var chosen: [String: String] = [:]
    for row in try reader.query(preferencesStatement, [.text(patient)]) {
      let row = row.read(VitalPreferenceRow.self)
      chosen[try row.text(.metric)] = try row.text(.source)
    }
    var found: [VitalMetric: [Candidate]] = [:]
    for row in try reader.query(sourcesStatement, [.text(patient), part.hiddenBodies]) {
      let row = row.read(VitalSourceRow.self)
      guard let metric = VitalMetric(rawValue: try row.text(.metric)) else { continue }
      found[metric, default: []].append(
        Candidate(
          source: try row.text(.source), last: try row.integer(.last),
          days: Int(try row.integer(.days)), lastDay: try row.text(.lastDay)))
    }
    var sources: [VitalSource] = []
    for metric in VitalMetric.allCases {
      guard var all = found[metric] else { continue }
      if all.count > 1 { try countLately(metric, of: patient, part, in: &all, reader) }
      all.sort(by: Candidate.counts)
      let choice = chosen[metric.rawValue].flatMap { name in all.first { $0.source == name } }
      let preferred = choice ?? all.first
      sources += all.map { entry in
        VitalSource(
          metric: metric, source: entry.source, last: entry.last, days: entry.days,
          isPreferred: entry.source == preferred?.source,
          isChosen: entry.source == choice?.source)
      }.sorted { $0.isPreferred && !$1.isPreferred }
    }
    return sources
  }

  private static let preferencesStatement = SQLStatement(
    "SELECT \(VitalPreferenceRow.columns) FROM vital_preferences WHERE patient = $1")

  private static let sourcesStatement = SQLStatement(
    """
    SELECT \(VitalSourceRow.columns) FROM vital_days d
    WHERE patient = $1 AND value IS NOT NULL
      AND ($2 = '' OR NOT EXISTS (
        SELECT 1 FROM vital_observations o WHERE o.patient = d.patient AND o.metric = d.metric
          AND o.day = d.day AND o.source = d.source
          AND (o.body LIKE $2 OR o.body LIKE '%"survey"%')))
    GROUP BY metric, source ORDER BY 1, 2
    """)

  /// A source of one kind, before the counting one is chosen.
  struct Candidate: Sendable, Hashable {
    var source: String
    var last: Int64
    var days: Int
    var lastDay: String
    /// The number of recent days with a value.
    var recentDays = 0

    /// Returns true if the first source takes precedence over the second.
    static func counts(_ left: Candidate, before right: Candidate) -> Bool {
      if left.recentDays != right.recentDays { return left.recentDays > right.recentDays }
      return left.last != right.last ? left.last > right.last : left.source < right.source
    }
  }

  private static func countLately(
    _ metric: VitalMetric, of patient: PatientID, _ part: ObservationPart,
    in all: inout [Candidate], _ reader: any SQLReader
  ) throws(StorageError) {
    guard let last = all.map(\.lastDay).max().flatMap({ CivilDate(text: $0) }) else { return }
    let rows = try reader.query(
      latelyStatement,
      [
        .text(patient), .text(metric.rawValue), .text(last.adding(days: -lately).text),
        part.hiddenBodies,
      ])
    for row in rows {
      let row = row.read(RecentSourceRow.self)
      let source = try row.text(.source)
      guard let place = all.firstIndex(where: { $0.source == source }) else { continue }
      all[place].recentDays = Int(try row.integer(.days))
    }
  }

  private static let latelyStatement = SQLStatement(
    """
    SELECT \(RecentSourceRow.columns) FROM vital_days d
    WHERE patient = $1 AND metric = $2 AND day > $3 AND value IS NOT NULL
      AND ($4 = '' OR NOT EXISTS (
        SELECT 1 FROM vital_observations o WHERE o.patient = d.patient AND o.metric = d.metric
          AND o.day = d.day AND o.source = d.source
          AND (o.body LIKE $4 OR o.body LIKE '%"survey"%')))
    GROUP BY source
    """)

  /// Returns the values of a kind from the source that counts, by day.
  ///
  /// - Parameters:
  ///   - from: the first day as `yyyy-MM-dd`.
  ///   - to: the last day.
  ///   - part: the Observations that may be seen.
  package static func days(
    _ metric: VitalMetric, of patient: PatientID, from: String, to: String,
    part: ObservationPart = .either, in reader: any SQLReader
  ) throws(StorageError) -> [VitalDayValue] {
    guard
      let source = try sources(patient, part: part, in: reader).first(where: {
        $0.metric == metric && $0.isPreferred
      })
    else { return [] }
    return try days(
      of: source, patient: patient, from: from, to: to, part: part, in: reader)
  }

  /// Returns the values of a source, by day.
  ///
  /// - Parameters:
  ///   - from: the first day as `yyyy-MM-dd`.
  ///   - to: the last day.
  ///   - part: the Observations that may be seen.
  package static func days(
    of source: VitalSource, patient: PatientID, from: String, to: String,
    part: ObservationPart = .either, in reader: any SQLReader
  ) throws(StorageError) -> [VitalDayValue] {
    guard part != .diary else { return [] }
    return try values(
      try reader.query(
        daysStatement,
        [
          .text(patient), .text(source.metric.rawValue), .text(source.source), .text(from),
          .text(to), part.hiddenBodies,
        ]))
  }

  private static let daysStatement = SQLStatement(
    """
    SELECT \(VitalValueRow.columns) FROM vital_days d
    WHERE patient = $1 AND metric = $2 AND source = $3 AND day >= $4 AND day <= $5
      AND value IS NOT NULL
      AND ($6 = '' OR NOT EXISTS (
        SELECT 1 FROM vital_observations o WHERE o.patient = d.patient AND o.metric = d.metric
          AND o.day = d.day AND o.source = d.source
          AND (o.body LIKE $6 OR o.body LIKE '%"survey"%')))
    ORDER BY day
    """)

  /// Returns the values of rows with the columns of ``VitalValueRow``.
  static func values(_ rows: [SQLRow]) throws(StorageError) -> [VitalDayValue] {
    try rows.decode(as: VitalValueRow.self).compactMap(\.value)
  }
}

extension ObservationPart {
  /// The pattern of sent Observations whose days may not be seen; empty if all may be.
  ///
  /// A weight or pulse of the diary also counts for its day, and the number would tell what the diary says. The queries
  /// leave out Observations of the category `survey` as well, so that they agree with ``ObservationPart``.
  var hiddenBodies: SQLValue {
    self == .either ? .text("") : .text("%\"\(ObservationPart.diarySystem)\"%")
  }
}

/// A row of `vital_days` as its value is shown.
struct VitalValueRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case metric, day, source, value, minimum, count, at, zoneOffset, changed, observation
  }

  static let columns = SQLColumns<Column>()

  /// The value; nil for an unknown kind.
  let value: VitalDayValue?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    guard let metric = VitalMetric(rawValue: try row.text(.metric)) else {
      value = nil
      return
    }
    let thousandths = try row.integer(.value)
    let count = Int(try row.integer(.count))
    value = VitalDayValue(
      metric: metric, day: try row.text(.day), source: try row.text(.source),
      thousandths: metric == .heartRate ? thousandths / Int64(max(1, count)) : thousandths,
      minimum: try row.optionalInteger(.minimum), count: count, at: try row.integer(.at),
      zoneOffset: Int(try row.integer(.zoneOffset)), changed: try row.timestamp(.changed),
      observation: try row.text(.observation))
  }
}

/// The source that a person chose for a metric.
enum VitalPreferenceRow: SQLRowType {
  enum Column: Int, SQLColumn { case metric, source }

  static let columns = SQLColumns<Column>()
}

/// A source of a metric with its latest value and its number of days.
enum VitalSourceRow: SQLRowType {
  enum Column: Int, SQLColumn { case metric, source, last, days, lastDay }

  static let columns = SQLColumns<Column>(
    [.last: "MAX(at)", .days: "COUNT(*)", .lastDay: "MAX(day)"])
}

/// A source of a metric with its number of recent days.
enum RecentSourceRow: SQLRowType {
  enum Column: Int, SQLColumn { case source, days }

  static let columns = SQLColumns<Column>([.days: "COUNT(*)"])
}
