// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `vital_days`: each measured day by kind and source.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum VitalDayStore {
  static func load(_ key: VitalDayKey, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> VitalDay?
  {
    try reader.first(
      loadStatement,
      [.text(patient), .text(key.metric.rawValue), .text(key.day), .text(key.source)])?
      .decode(as: VitalDayRow.self).day
  }

  private static let loadStatement = SQLStatement(
    """
    SELECT \(VitalDayRow.columns) FROM vital_days
    WHERE patient = $1 AND metric = $2 AND day = $3 AND source = $4 /*postgresql FOR UPDATE */
    """)

  static func store(
    _ day: VitalDay, _ key: VitalDayKey, patient: PatientID, observation: () -> String, isNew: Bool,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    if isNew {
      let row = NewVitalDayRow(
        patient: patient, key: key, day: day, changed: now, observation: observation())
      try writer.execute(insertStatement, row.values)
    } else {
      try writer.execute(
        """
        UPDATE vital_days SET value = $1, minimum = $2, count = $3, stamp = $4, at = $5,
          zone_offset = $6, changed = $7, samples = $8, revisions = $9, withdrawn = $10
        WHERE patient = $11 AND metric = $12 AND day = $13 AND source = $14
        """,
        [
          SQLValue(day.value), SQLValue(day.minimum), SQLValue(day.count), .integer(day.stamp),
          .integer(day.at), SQLValue(day.zoneOffset), SQLValue(now),
          SQLValue(day.samples?.packed), SQLValue(day.packedRevisions),
          SQLValue(day.packedWithdrawn), .text(patient), .text(key.metric.rawValue),
          .text(key.day), .text(key.source),
        ])
    }
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO vital_days (\(NewVitalDayRow.columns)) VALUES (\(NewVitalDayRow.placeholders))
    """)

  /// Deletes all days of a source and returns their number.
  static func delete(
    source: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      "DELETE FROM vital_days WHERE patient = $1 AND source = $2",
      [.text(patient), .text(source)])
  }
}

/// A row of `vital_days` while a day is updated.
struct VitalDayRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case value, minimum, count, stamp, at, zoneOffset, samples, revisions, withdrawn
  }

  static let columns = SQLColumns<Column>()

  let day: VitalDay

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    day = VitalDay(
      value: try row.optionalInteger(.value), minimum: try row.optionalInteger(.minimum),
      count: Int(try row.integer(.count)), stamp: try row.integer(.stamp),
      at: try row.integer(.at), zoneOffset: Int(try row.integer(.zoneOffset)),
      samples: try row.optionalBlob(.samples).map { DaySamples(packed: $0) ?? DaySamples() },
      revisions: try row.optionalBlob(.revisions).flatMap { [VitalRevision](packed: $0) },
      withdrawn: try row.optionalBlob(.withdrawn).flatMap { WithdrawnSamples(packed: $0) }
        ?? WithdrawnSamples())
  }
}

/// A new row of `vital_days`.
struct NewVitalDayRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, metric, day, source, value, minimum, count, stamp, at, zoneOffset, changed
    case samples, revisions, withdrawn, observation
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let key: VitalDayKey
  let day: VitalDay
  let changed: Timestamp
  let observation: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .metric: .text(key.metric.rawValue)
    case .day: .text(key.day)
    case .source: .text(key.source)
    case .value: SQLValue(day.value)
    case .minimum: SQLValue(day.minimum)
    case .count: SQLValue(day.count)
    case .stamp: .integer(day.stamp)
    case .at: .integer(day.at)
    case .zoneOffset: SQLValue(day.zoneOffset)
    case .changed: SQLValue(changed)
    case .samples: SQLValue(day.samples?.packed)
    case .revisions: SQLValue(day.packedRevisions)
    case .withdrawn: SQLValue(day.packedWithdrawn)
    case .observation: .text(observation)
    }
  }
}

extension VitalDay {
  /// The stored form of the revisions; nil for a single value, which the row itself contains.
  fileprivate var packedRevisions: [UInt8]? {
    samples == nil && revisions.count != 1 ? revisions.packed : nil
  }

  fileprivate var packedWithdrawn: [UInt8]? { withdrawn.isEmpty ? nil : withdrawn.packed }
}
