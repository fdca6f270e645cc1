// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// The versions of all records of one patient, for a copy of everything; the caller has decided
/// that access is allowed.
package enum PatientHistory {
  /// The number of versions read at once: few, because one may be large.
  private static let size = 100

  /// The position after a page.
  package struct Place: Sendable, Hashable {
    let id: String
    let version: Int64

    /// Creates the position of the last record of a page.
    package init(_ record: StoredRecord) {
      id = record.id
      version = record.version
    }
  }

  /// Returns the next 100 versions of one type by id, the newest of each record first; empty after
  /// the last page.
  package static func page(
    _ type: ResourceType, of patient: PatientID, after place: Place?, in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    try storing { () throws(StorageError) in
      try reader.query(
        pageStatement,
        [
          .text(type.rawValue), .text(patient), .text(place?.id ?? ""),
          .integer(place?.version ?? .max), SQLValue(size),
        ]
      ).decode()
    }
  }

  private static let pageStatement = SQLStatement(
    """
    SELECT \(StoredRecord.columns) FROM resources
    WHERE type = $1 AND patient = $2 AND (id > $3 OR (id = $3 AND version < $4))
    UNION ALL
    SELECT \(StoredRecord.columns) FROM resource_versions
    WHERE type = $1 AND patient = $2 AND (id > $3 OR (id = $3 AND version < $4))
    ORDER BY id, version DESC LIMIT $5
    """)

  /// The tables that store the records and their versions, and the search index that follows from them.
  package static let tables: Set<String> = [
    "resources", "resource_versions", "resource_keys", "record_index",
  ]
}
