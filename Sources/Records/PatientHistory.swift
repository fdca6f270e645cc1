// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// Every version of every record of one patient, for a copy of everything; the caller
/// has decided that it may be done.
package enum PatientHistory {
  /// Few, since one may be large.
  private static let size = 100

  /// Where a page ended.
  package struct Place: Sendable, Hashable {
    let id: String
    let version: Int64

    package init(_ record: StoredRecord) {
      id = record.id
      version = record.version
    }
  }

  /// The next versions of one type by id, the newest of each record first; empty behind the last.
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

  /// The tables that hold them.
  package static let tables: Set<String> = ["resources", "resource_versions", "resource_keys"]
}
