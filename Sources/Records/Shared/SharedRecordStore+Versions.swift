// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

extension SharedRecordStore {
  /// Returns the versions of a resource, newest first, including deletions; `before` continues a page.
  package func history(
    _ type: ResourceType, _ id: String, count: Int, before: Int64? = nil,
    authorization: Authorization, in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    try check(authorization, .read, type)
    let found: [StoredRecord] = try storing { () throws(StorageError) in
      try reader.query(
        Self.historyStatement,
        [
          .text(type.rawValue), .text(id), .integer(before ?? .max), SQLValue(max(0, count)),
        ]
      ).decode()
    }
    if found.isEmpty, before == nil, count > 0 { throw .notFound }
    return found
  }

  private static let historyStatement = SQLStatement(
    """
    SELECT \(SharedRecordRow.columns) FROM shared_resources r
    WHERE r.type = $1 AND r.id = $2 AND r.version < $3
    UNION ALL
    SELECT \(SharedRecordRow.columns) FROM shared_resource_versions r
    WHERE r.type = $1 AND r.id = $2 AND r.version < $3
    ORDER BY version DESC LIMIT $4
    """)

  /// Returns one version, even of a resource that was changed or deleted since.
  ///
  /// Throws ``RecordsError/gone`` for a deletion.
  package func read(
    _ type: ResourceType, _ id: String, version: Int64, authorization: Authorization,
    in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord {
    try check(authorization, .read, type)
    let found: StoredRecord? = try storing { () throws(StorageError) in
      try reader.first(
        Self.versionStatement, [.text(type.rawValue), .text(id), .integer(version)])?.decode()
    }
    guard let found else { throw .notFound }
    if found.isDeleted { throw .gone }
    return found
  }

  private static let versionStatement = SQLStatement(
    """
    SELECT \(SharedRecordRow.columns) FROM shared_resources r
    WHERE r.type = $1 AND r.id = $2 AND r.version = $3
    UNION ALL
    SELECT \(SharedRecordRow.columns) FROM shared_resource_versions r
    WHERE r.type = $1 AND r.id = $2 AND r.version = $3
    """)

  func currentRecord(
    _ type: ResourceType, _ id: String, in reader: any SQLReader
  ) throws(RecordsError) -> StoredRecord? {
    try storing { () throws(StorageError) -> StoredRecord? in
      try reader.first(Self.inForceStatement, [.text(type.rawValue), .text(id)])?.decode()
    }
  }

  private static let inForceStatement = SQLStatement(
    """
    SELECT \(SharedRecordRow.columns) FROM shared_resources r WHERE r.type = $1 AND r.id = $2
    """)

  /// Returns the version in which a resource that is not current was deleted.
  func lastDeletion(
    _ type: ResourceType, _ id: String, in reader: any SQLReader
  ) throws(RecordsError) -> Int64? {
    try storing { () throws(StorageError) in
      try reader.first(
        """
        SELECT version FROM shared_resource_versions WHERE type = $1 AND id = $2
        ORDER BY version DESC LIMIT 1
        """,
        [.text(type.rawValue), .text(id)])?.value()
    }
  }
}
