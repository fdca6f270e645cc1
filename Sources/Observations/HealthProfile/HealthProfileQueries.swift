// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Storage

/// Queries for weights and allergies.
package enum HealthProfileQueries {
  /// The maximum number of allergies of a person, and of weights that are shown.
  package static let maximum = 500

  /// Returns the weights from all sources, the newest first; of one day, the last measurement
  /// first.
  package static func weights(
    _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [BodyWeight] {
    try VitalQueries.values(
      try reader.query(weightsStatement, [.text(patient), .integer(Int64(maximum))])
    ).compactMap(BodyWeight.init)
  }

  private static let weightsStatement = SQLStatement(
    """
    SELECT \(VitalValueRow.columns) FROM vital_days
    WHERE patient = $1 AND metric = 'weight' AND value IS NOT NULL
    ORDER BY day DESC, at DESC, source LIMIT $2
    """)

  /// Returns the allergies, by name.
  package static func allergies(
    _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> [Allergy] {
    try records(authorization, in: reader).compactMap { record, json in
      Allergy(json, id: record.id)
    }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  private static func records(
    _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> [(StoredRecord, JSONValue)] {
    try RecordStore().search(
      RecordSearch(type: authorization.resource, count: maximum), authorization: authorization,
      in: reader
    ).records.map { ($0, try $0.json()) }
  }
}
