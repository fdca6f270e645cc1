// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Records
import Storage

/// A found Observation: one that was sent, or a day's value from which to generate one.
package enum FoundObservation: Sendable, Hashable {
  case sent(SentObservation)
  case day(VitalDayValue)
}

/// An Observation as it was sent, with its id on this server.
package struct SentObservation: Sendable, Hashable {
  /// The id on this server.
  package let id: String
  /// The resource as JSON text.
  package let body: String
  /// The time at which this version was stored.
  package let created: Timestamp
  /// The version, counted from 1.
  package let version: Int64
  /// The time of measurement in seconds since 1970; nil for an Observation that was not read from its row.
  package let at: Int64?

  /// Creates an Observation.
  package init(
    id: String, body: String, created: Timestamp, version: Int64 = 1, at: Int64? = nil
  ) {
    self.version = version
    self.at = at
    self.id = id
    self.body = body
    self.created = created
  }
}

/// A search for Observations.
package struct ObservationQuery: Sendable {
  /// The person whose Observations are searched.
  package let patient: PatientID
  /// The kinds to search; all those with a LOINC code unless set.
  package var metrics = VitalMetric.allCases.filter { $0.code != nil }
  /// The times of measurement in milliseconds since 1970, from `atLeast` and before `before`, nil for no
  /// bound.
  ///
  /// An excluded interval matches every time outside it. A measurement must match all intervals.
  package var stretches: [(atLeast: Int64?, before: Int64?, isExcluded: Bool)] = []
  /// The id to search for; nil for any.
  package var id: String?
  /// The maximum number of results.
  package var limit = 50
  /// The number of results to skip.
  package var offset = 0

  /// Creates a search for all Observations of a patient.
  package init(patient: PatientID) { self.patient = patient }
}

/// The Observations of a patient: those that were sent, and one for each other day's value.
package enum ObservationRows {
  /// Stores an Observation as it was sent, with its measurement.
  package static func keep(
    _ sent: SentObservation, _ sample: VitalSample, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.create, patient: patient, context)
    try ObservationStore.insert(
      NewObservationRow(patient: patient, sent: sent, sample: sample), in: writer)
  }

  /// Deletes a sent Observation and records that in its history.
  static func end(
    _ id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let row = try writer.first(presentStatement, [.text(patient), .text(id)]) else {
      return
    }
    let version = try ObservationVersionRow(row.read(SentVersionRow.self)).version
    try ObservationVersions.add(version, of: id, patient: patient, in: writer)
    try ObservationVersions.add(
      ObservationVersion(version: version.version + 1, body: nil, changed: now), of: id,
      patient: patient, in: writer)
    try ObservationStore.delete(id, patient: patient, in: writer)
  }

  private static let presentStatement = SQLStatement(
    """
    SELECT \(SentVersionRow.columns) FROM vital_observations
    WHERE patient = $1 AND observation = $2
    """)

  /// Returns an Observation's measurement as it was stored, because the person's zone may have changed since.
  ///
  /// - Parameters:
  ///   - row: a row of `vital_observations`.
  ///   - reading: returns the measurement in a body, for rows stored before measurements were.
  static func sample(
    _ row: ColumnReader<ObservationSampleRow.Column>, reading: (String) -> VitalSample?
  ) throws(StorageError) -> VitalSample? {
    guard let metric = VitalMetric(rawValue: try row.text(.metric)) else { return nil }
    guard let offset = try row.optionalInteger(.zoneOffset),
      let stamp = try row.optionalInteger(.stamp),
      let thousandths = try row.optionalInteger(.thousandths)
    else { return reading(try row.text(.body)) }
    let at = try row.integer(.at)
    let second = (at + offset) % 86_400
    return VitalSample(
      metric: metric, day: try row.text(.day),
      second: Int(second < 0 ? second + 86_400 : second), at: at, zoneOffset: Int(offset),
      stamp: stamp, thousandths: thousandths, source: try row.text(.source))
  }

  /// Returns the patient of an Observation; nil if there is none of that id.
  package static func patient(of id: String, in reader: any SQLReader) throws(StorageError)
    -> PatientID?
  {
    try reader.first(
      """
      SELECT patient FROM vital_observations WHERE observation = $1
      UNION ALL SELECT patient FROM vital_days WHERE observation = $1 AND value IS NOT NULL
      """, [.text(id)])?.value()
  }

  /// Returns the Observations that match, the latest first.
  package static func search(_ query: ObservationQuery, in reader: any SQLReader)
    throws(StorageError) -> [FoundObservation]
  {
    var values: [SQLValue] = [.text(query.patient)]
    let sql = select(query, &values)
    var found: [FoundObservation] = []
    for row in try reader.query(dynamic: sql, values) {
      let value = row.read(VitalValueRow.self)
      let sent = row.read(SentBodyRow.self, after: VitalValueRow.self)
      if let body = try sent.optionalText(.body) {
        found.append(
          .sent(
            SentObservation(
              id: try value.text(.observation), body: body,
              created: try value.timestamp(.changed), version: try sent.integer(.version),
              at: try value.integer(.at))))
      } else if let day = try VitalValueRow(value).value {
        found.append(.day(day))
      }
    }
    return found
  }

  /// Returns the number of Observations that match, regardless of limit and offset.
  package static func count(_ query: ObservationQuery, in reader: any SQLReader)
    throws(StorageError) -> Int
  {
    var all = query
    all.limit = Int(Int32.max)
    all.offset = 0
    var values: [SQLValue] = [.text(query.patient)]
    var sql: SQLText = "SELECT COUNT(*) FROM ("
    sql.append(contentsOf: select(all, &values))
    sql.append(") AS found")
    let count: Int? = try reader.first(dynamic: sql, values)?.value()
    return count ?? 0
  }

  private static func select(_ query: ObservationQuery, _ values: inout [SQLValue]) -> SQLText {
    var sql: SQLText =
      """
      SELECT \(VitalValueRow.columns), \(SentBodyRow.columns) FROM (
        SELECT \(VitalValueRow.columns), NULL AS body, 1 AS version FROM vital_days d
        WHERE patient = $1 AND value IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM vital_observations o WHERE o.patient = d.patient
            AND o.metric = d.metric AND o.day = d.day AND o.source = d.source)
        UNION ALL
        SELECT metric, day, source, NULL, NULL, 0, at, 0, created, observation, body,
          version
        FROM vital_observations WHERE patient = $1
      ) AS entries WHERE metric IN (
      """
    sql.appendPlaceholders(query.metrics.count, startingAt: 2)
    sql.append(")")
    values += query.metrics.map { .text($0.rawValue) }
    func append(_ piece: StaticString, _ value: SQLValue) {
      sql.append(piece)
      values.append(value)
      sql.appendPlaceholder(values.count)
    }
    for stretch in query.stretches {
      // Without bounds, everything matches, or nothing.
      sql.append(stretch.isExcluded ? " AND NOT (1 = 1" : " AND (1 = 1")
      if let atLeast = stretch.atLeast { append(" AND at * 1000 >= ", .integer(atLeast)) }
      if let before = stretch.before { append(" AND at * 1000 < ", .integer(before)) }
      sql.append(")")
    }
    if let id = query.id { append(" AND observation = ", .text(id)) }
    append(" ORDER BY at DESC, observation LIMIT ", SQLValue(query.limit))
    append(" OFFSET ", SQLValue(query.offset))
    return sql
  }
}

/// The body and version of a sent Observation; the body is null for a day's value.
enum SentBodyRow: SQLRowType {
  enum Column: Int, SQLColumn { case body, version }

  static let columns = SQLColumns<Column>()
}
