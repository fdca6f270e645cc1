// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

/// The position of a version in the history of several records.
package struct RecordHistoryPlace: Sendable, Hashable {
  /// The time of the version.
  package let lastUpdated: Timestamp
  /// The FHIR type of the record.
  package let type: String
  /// The logical id of the record.
  package let id: String
  /// The number of the version.
  package let version: Int64

  /// Creates a position.
  package init(lastUpdated: Timestamp, type: String, id: String, version: Int64) {
    self.lastUpdated = lastUpdated
    self.type = type
    self.id = id
    self.version = version
  }

  /// Creates the position of a version.
  package init(_ record: StoredRecord) {
    self.init(
      lastUpdated: record.lastUpdated, type: record.type, id: record.id, version: record.version)
  }
}

/// Some types and the patients whose records of these may be shown.
package struct RecordHistoryPart: Sendable, Hashable {
  /// The types; shared ones are shown whatever the patients.
  package let types: [ResourceType]
  /// The patients of the other types.
  package let patients: SearchAuthorization.Patients

  /// Creates a part.
  package init(types: [ResourceType], patients: SearchAuthorization.Patients) {
    self.types = types
    self.patients = patients
  }
}

extension RecordStore {
  /// Returns the versions of all records of some types and patients, newest first, including deletions.
  ///
  /// The caller has decided that each of the patients' records of each type may be read.
  ///
  /// - Parameters:
  ///   - since: The earliest time of a version; nil for all.
  ///   - before: The last version of the previous page; nil for the first page.
  package func history(
    types: [ResourceType], patients: SearchAuthorization.Patients, since: Timestamp?,
    before: RecordHistoryPlace?, count: Int, in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    try history(
      [RecordHistoryPart(types: types, patients: patients)], since: since, before: before,
      count: count, in: reader)
  }

  /// Returns the same for parts that differ in their patients.
  package func history(
    _ parts: [RecordHistoryPart], since: Timestamp?, before: RecordHistoryPlace?, count: Int,
    in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    var query = RecordQuery(chainAuthorizations: [:])
    var isFirst = true
    for part in parts {
      for isShared in [false, true] {
        let types = part.types.filter { RecordSubject.isShared($0) == isShared }
        guard let first = types.first else { continue }
        let scope = RecordScope(type: first, patients: part.patients)
        guard !scope.isEmpty else { continue }
        for isCurrent in [true, false] {
          if !isFirst { query.append(" UNION ALL ") }
          isFirst = false
          query.appendHistory(types, scope, isCurrent: isCurrent, since: since, before: before)
        }
      }
    }
    guard !isFirst, count > 0 else { return [] }
    query.append(
      " ORDER BY last_updated DESC, type DESC, id DESC, version DESC LIMIT ", SQLValue(count))
    try query.check()
    let (sql, arguments) = (query.sql, query.arguments)
    return try storing { () throws(StorageError) in
      try reader.query(dynamic: sql, arguments).decode()
    }
  }
}

extension RecordQuery {
  /// Appends the versions of some types, which are all shared or all of patients.
  fileprivate mutating func appendHistory(
    _ types: [ResourceType], _ scope: RecordScope, isCurrent: Bool, since: Timestamp?,
    before: RecordHistoryPlace?
  ) {
    append("SELECT ")
    if scope.isShared {
      append(contentsOf: SharedRecordRow.columns.text)
      append(isCurrent ? " FROM shared_resources r" : " FROM shared_resource_versions r")
    } else {
      append(contentsOf: FoundRecordRow.columns.text)
      append(isCurrent ? " FROM resources r" : " FROM resource_versions r")
    }
    append(" WHERE r.type IN (", list: types.map { .text($0.rawValue) })
    restrict(to: scope, " AND r.patient IN (")
    if let since { append(" AND r.last_updated >= ", SQLValue(since)) }
    if let before {
      append(" AND (r.last_updated, r.type, r.id, r.version) < (", SQLValue(before.lastUpdated))
      append(", ", .text(before.type))
      append(", ", .text(before.id))
      append(", ", .integer(before.version))
      append(")")
    }
  }
}
