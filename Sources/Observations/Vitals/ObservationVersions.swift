// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A version of an Observation that was sent.
package struct ObservationVersion: Sendable, Hashable {
  /// The number of the version, counted from 1.
  package let version: Int64
  /// The resource as JSON text; nil for the deletion.
  package let body: String?
  /// The time at which the version was stored.
  package let changed: Timestamp
}

/// The history of Observations that were sent.
package enum ObservationVersions {
  /// Returns all versions, the latest first; empty for an Observation that was never sent.
  package static func all(_ id: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [ObservationVersion]
  {
    try reader.query(allStatement, [.text(patient), .text(id)])
      .decode(as: ObservationVersionRow.self).map(\.version)
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(ObservationVersionRow.columns) FROM vital_observation_versions
    WHERE patient = $1 AND observation = $2
    UNION ALL SELECT \(SentVersionRow.columns) FROM vital_observations
    WHERE patient = $1 AND observation = $2
    ORDER BY 1 DESC
    """)

  /// Returns the earlier versions and deletions of a patient's Observations with their ids, in any order.
  ///
  /// - Parameter since: The earliest time of a version, in milliseconds since 1970.
  package static func former(
    of patient: PatientID, since: Int64, in reader: any SQLReader
  ) throws(StorageError) -> [(id: String, version: ObservationVersion)] {
    var found: [(id: String, version: ObservationVersion)] = []
    for row in try reader.query(formerStatement, [.text(patient), .integer(since)]) {
      let version = try ObservationVersionRow(row.read(ObservationVersionRow.self)).version
      let id = row.read(FormerObservationRow.self, after: ObservationVersionRow.self)
      found.append((try id.text(.observation), version))
    }
    return found
  }

  private static let formerStatement = SQLStatement(
    """
    SELECT \(ObservationVersionRow.columns), \(FormerObservationRow.columns)
    FROM vital_observation_versions WHERE patient = $1 AND changed >= $2
    """)

  /// Returns the patient of a deleted or changed Observation; nil if there is no earlier version of
  /// that id.
  package static func patient(ofDeleted id: String, in reader: any SQLReader)
    throws(StorageError) -> PatientID?
  {
    try reader.first(
      "SELECT patient FROM vital_observation_versions WHERE observation = $1", [.text(id)])?
      .value()
  }

  static func add(
    _ version: ObservationVersion, of id: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      addStatement,
      NewObservationVersionRow(patient: patient, observation: id, version: version).values)
  }

  private static let addStatement = SQLStatement(
    """
    INSERT INTO vital_observation_versions (\(NewObservationVersionRow.columns))
    VALUES (\(NewObservationVersionRow.placeholders))
    """)
}

/// A row of `vital_observation_versions` as it is read.
struct ObservationVersionRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case version, body, changed }

  static let columns = SQLColumns<Column>()

  let version: ObservationVersion

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    version = ObservationVersion(
      version: try row.integer(.version), body: try row.optionalText(.body),
      changed: try row.timestamp(.changed))
  }
}

/// The id in a row of `vital_observation_versions`.
enum FormerObservationRow: SQLRowType {
  enum Column: Int, SQLColumn { case observation }

  static let columns = SQLColumns<Column>()
}

/// The current version in a row of `vital_observations`, with the columns of an ``ObservationVersionRow``.
enum SentVersionRow: SQLRowType {
  typealias Column = ObservationVersionRow.Column

  static let columns = SQLColumns<Column>([.changed: "created"])
}

/// A row of `vital_observation_versions` as it is written.
struct NewObservationVersionRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, observation, version, body, changed }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let observation: String
  let version: ObservationVersion

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .observation: .text(observation)
    case .version: .integer(version.version)
    case .body: SQLValue(version.body)
    case .changed: SQLValue(version.changed)
    }
  }
}
