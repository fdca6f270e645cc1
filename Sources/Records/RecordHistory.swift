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
  ///
  /// The newest versions of each type, of a few patients for each of them, come from an index in their order, and
  /// only those are sorted.
  package func history(
    _ parts: [RecordHistoryPart], since: Timestamp?, before: RecordHistoryPlace?, count: Int,
    in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    let page = HistoryPage(since: since, before: before, count: count)
    let tails = HistoryTail.all(of: parts)
    guard !tails.isEmpty, count > 0 else { return [] }
    var query = RecordQuery(chainAuthorizations: [:])
    for (index, tail) in tails.enumerated() {
      if index > 0 { query.append(" UNION ALL ") }
      query.append(tail, page)
    }
    query.append(
      " ORDER BY last_updated DESC, type DESC, id DESC, version DESC LIMIT ", SQLValue(count))
    try query.check()
    let (sql, arguments) = (query.sql, query.arguments)
    return try storing { () throws(StorageError) in
      try reader.query(dynamic: sql, arguments).decode()
    }
  }
}

/// The limits of one page of a history.
private struct HistoryPage {
  let since: Timestamp?
  let before: RecordHistoryPlace?
  let count: Int
}

/// The versions in one table whose newest come from an index in their order.
private struct HistoryTail {
  /// The most searches in one statement: SQLite takes 500.
  private static let most = 120

  let scope: RecordScope
  let isCurrent: Bool

  /// True if the index begins with the patient.
  var isOfOne: Bool {
    if case .only(let patients) = scope.patients { patients.count == 1 } else { false }
  }

  /// Returns the tails of some parts: one for each table and type, and for each patient as long as there are few.
  static func all(of parts: [RecordHistoryPart]) -> [HistoryTail] {
    let apart = scopes(of: parts, isEachPatient: true)
    let kept = apart.count * 2 <= most ? apart : scopes(of: parts, isEachPatient: false)
    return kept.flatMap { scope in
      [true, false].map { HistoryTail(scope: scope, isCurrent: $0) }
    }
  }

  private static func scopes(
    of parts: [RecordHistoryPart], isEachPatient: Bool
  ) -> [RecordScope] {
    parts.flatMap { part in
      part.types.flatMap { type -> [RecordScope] in
        let scope = RecordScope(type: type, patients: part.patients)
        guard !scope.isEmpty else { return [] }
        guard isEachPatient, !scope.isShared, case .only(let patients) = part.patients else {
          return [scope]
        }
        return patients.map { RecordScope(type: type, patients: .only([$0])) }
      }
    }
  }
}

extension RecordQuery {
  /// Appends the newest versions of a tail, in their order.
  fileprivate mutating func append(_ tail: HistoryTail, _ page: HistoryPage) {
    let (scope, type) = (tail.scope, tail.scope.type.rawValue)
    append("SELECT ")
    append("* FROM (SELECT ")
    if scope.isShared {
      append(contentsOf: SharedRecordRow.columns.text)
      append(tail.isCurrent ? " FROM shared_resources r" : " FROM shared_resource_versions r")
    } else {
      append(contentsOf: FoundRecordRow.columns.text)
      append(tail.isCurrent ? " FROM resources r" : " FROM resource_versions r")
    }
    // The index of everyone's versions has an expression, so that no other search takes it.
    let hasColumn = scope.isShared || tail.isOfOne
    append(hasColumn ? " WHERE r.type = " : " WHERE (r.type || '') = ", .text(type))
    restrict(to: scope, " AND r.patient IN (")
    if let since = page.since { append(" AND r.last_updated >= ", SQLValue(since)) }
    if let before = page.before { append(before, of: type) }
    append(
      " ORDER BY r.last_updated DESC, r.id DESC, r.version DESC LIMIT ", SQLValue(page.count))
    append(") AS tail")
  }

  /// Appends the condition that a version of a type comes after a place; versions of the same time are in the
  /// order of their types.
  private mutating func append(_ before: RecordHistoryPlace, of type: String) {
    if type == before.type {
      append(" AND (r.last_updated, r.id, r.version) < (", SQLValue(before.lastUpdated))
      append(", ", .text(before.id))
      append(", ", .integer(before.version))
      append(")")
    } else if type < before.type {
      append(" AND r.last_updated <= ", SQLValue(before.lastUpdated))
    } else {
      append(" AND r.last_updated < ", SQLValue(before.lastUpdated))
    }
  }
}
