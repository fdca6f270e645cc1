// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// One version of an Observation that was sent.
package struct ObservationVersion: Sendable, Hashable {
  package let version: Int64
  /// Nil for its deletion.
  package let body: String?
  package let changed: Timestamp
}

/// What Observations that were sent said before.
package enum ObservationVersions {
  /// All versions, the latest first; empty for one that was never sent.
  package static func all(_ id: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [ObservationVersion]
  {
    try reader.query(
      """
      SELECT version, body, changed FROM vital_observation_versions
      WHERE patient = $1 AND observation = $2
      UNION ALL SELECT version, body, created FROM vital_observations
      WHERE patient = $1 AND observation = $2
      ORDER BY 1 DESC
      """, [.text(patient), .text(id)]
    ).map { row throws(StorageError) in
      ObservationVersion(
        version: try row.integer(0), body: try row.optionalText(1),
        changed: try row.timestamp(2))
    }
  }

  /// Whose an Observation was that is deleted; nil where none of that id was.
  package static func patient(ofDeleted id: String, in reader: any SQLReader)
    throws(StorageError) -> PatientID?
  {
    try reader.first(
      "SELECT patient FROM vital_observation_versions WHERE observation = $1", [.text(id)])?
      .id(0)
  }

  static func add(
    _ version: ObservationVersion, of id: String, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO vital_observation_versions (patient, observation, version, body, changed)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(patient), .text(id), .integer(version.version), SQLValue(version.body),
        SQLValue(version.changed),
      ])
  }
}
