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
  ///
  /// - Parameter part: The Observations that may be seen; without the diary, days with a weight of the diary are left
  ///   out.
  package static func weights(
    _ patient: PatientID, part: ObservationPart = .either, in reader: any SQLReader
  ) throws(StorageError) -> [BodyWeight] {
    guard part != .diary else { return [] }
    return try VitalQueries.values(
      try reader.query(
        weightsStatement, [.text(patient), part.hiddenBodies, .integer(Int64(maximum))])
    ).compactMap(BodyWeight.init)
  }

  private static let weightsStatement = SQLStatement(
    """
    SELECT \(VitalValueRow.columns) FROM vital_days d
    WHERE patient = $1 AND metric = 'weight' AND value IS NOT NULL
      AND ($2 = '' OR NOT EXISTS (
        SELECT 1 FROM vital_observations o WHERE o.patient = d.patient AND o.metric = d.metric
          AND o.day = d.day AND o.source = d.source
          AND (o.body LIKE $2 OR o.body LIKE '%"survey"%')))
    ORDER BY day DESC, at DESC, source LIMIT $3
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
