// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `vital_observations`: Observations as they were sent.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum ObservationStore {
  static func insert(_ row: NewObservationRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO vital_observations (\(NewObservationRow.columns))
    VALUES (\(NewObservationRow.placeholders))
    """)

  /// Replaces the current version of an Observation and its measurement.
  static func replace(
    _ id: String, with version: Int64, body: String, _ sample: VitalSample, patient: PatientID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE vital_observations SET metric = $1, day = $2, source = $3, at = $4, body = $5,
        created = $6, version = $7, zone_offset = $8, stamp = $9, thousandths = $10
      WHERE patient = $11 AND observation = $12
      """,
      [
        .text(sample.metric.rawValue), .text(sample.day), .text(sample.source),
        .integer(sample.at), .text(body), SQLValue(now), .integer(version),
        SQLValue(sample.zoneOffset), .integer(sample.stamp), SQLValue(sample.thousandths),
        .text(patient), .text(id),
      ])
  }

  static func delete(
    _ id: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM vital_observations WHERE patient = $1 AND observation = $2",
      [.text(patient), .text(id)])
  }
}

/// A new row of `vital_observations`.
struct NewObservationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, observation, metric, day, source, at, body, created, version, zoneOffset
    case stamp, thousandths
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let sent: SentObservation
  let sample: VitalSample

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .observation: .text(sent.id)
    case .metric: .text(sample.metric.rawValue)
    case .day: .text(sample.day)
    case .source: .text(sample.source)
    case .at: .integer(sample.at)
    case .body: .text(sent.body)
    case .created: SQLValue(sent.created)
    case .version: .integer(sent.version)
    case .zoneOffset: SQLValue(sample.zoneOffset)
    case .stamp: .integer(sample.stamp)
    case .thousandths: SQLValue(sample.thousandths)
    }
  }
}

/// The measurement in a row of `vital_observations`.
enum ObservationSampleRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case metric, day, source, at, zoneOffset, stamp, thousandths, body
  }

  static let columns = SQLColumns<Column>()
}

/// The current version of an Observation, with its time.
enum ObservationStateRow: SQLRowType {
  enum Column: Int, SQLColumn { case version, created }

  static let columns = SQLColumns<Column>()
}
