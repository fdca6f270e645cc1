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

/// A time in which versions were current.
package struct RecordHistoryPeriod: Sendable, Hashable {
  /// The start.
  package let from: Timestamp
  /// The first time after the end.
  package let to: Timestamp

  /// Creates a period.
  package init(from: Timestamp, to: Timestamp) {
    self.from = from
    self.to = to
  }

  /// Returns true if a version was current at any time in the period.
  ///
  /// A deletion ends the last version; it belongs to the period in which it took place.
  ///
  /// - Parameters:
  ///   - start: The time of the version.
  ///   - end: The time of the next version; nil if there is none.
  package func contains(from start: Timestamp, until end: Timestamp?, isDeletion: Bool) -> Bool {
    guard start < to else { return false }
    if isDeletion { return start >= from }
    return end.map { $0 > from } ?? true
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
  ///
  /// - Parameter period: A time in which the versions were current; nil for any.
  package func history(
    _ parts: [RecordHistoryPart], since: Timestamp?, during period: RecordHistoryPeriod? = nil,
    before: RecordHistoryPlace?, count: Int, in reader: any SQLReader
  ) throws(RecordsError) -> [StoredRecord] {
    let page = HistoryPage(since: since, period: period, before: before, count: count)
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

  /// Returns the number of the versions of all records of some types and patients, including deletions.
  package func historyCount(
    _ parts: [RecordHistoryPart], since: Timestamp?, during period: RecordHistoryPeriod? = nil,
    in reader: any SQLReader
  ) throws(RecordsError) -> Int {
    let page = HistoryPage(since: since, period: period, before: nil, count: 0)
    var total = 0
    for tail in HistoryTail.whole(of: parts) {
      var query = RecordQuery(chainAuthorizations: [:])
      query.append("SELECT count(*)")
      query.append(from: tail, page)
      try query.check()
      let (sql, arguments) = (query.sql, query.arguments)
      total +=
        try storing { () throws(StorageError) in
          try reader.first(dynamic: sql, arguments)?.value(as: Int.self)
        } ?? 0
    }
    return total
  }
}

/// The limits of one page of a history.
private struct HistoryPage {
  let since: Timestamp?
  let period: RecordHistoryPeriod?
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
    return apart.count * 2 <= most ? tails(of: apart) : whole(of: parts)
  }

  /// Returns the tails of some parts, with all patients of each together.
  static func whole(of parts: [RecordHistoryPart]) -> [HistoryTail] {
    tails(of: scopes(of: parts, isEachPatient: false))
  }

  private static func tails(of scopes: [RecordScope]) -> [HistoryTail] {
    scopes.flatMap { scope in
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
    append("SELECT ")
    append("* FROM (SELECT ")
    if tail.scope.isShared {
      append(contentsOf: SharedRecordRow.columns.text)
    } else {
      append(contentsOf: FoundRecordRow.columns.text)
    }
    append(from: tail, page)
    append(
      " ORDER BY r.last_updated DESC, r.id DESC, r.version DESC LIMIT ", SQLValue(page.count))
    append(") AS tail")
  }

  /// Appends the table of a tail, with the conditions on its versions.
  fileprivate mutating func append(from tail: HistoryTail, _ page: HistoryPage) {
    let (scope, type) = (tail.scope, tail.scope.type.rawValue)
    if scope.isShared {
      append(tail.isCurrent ? " FROM shared_resources r" : " FROM shared_resource_versions r")
    } else {
      append(tail.isCurrent ? " FROM resources r" : " FROM resource_versions r")
    }
    // The index of everyone's versions has an expression, so that no other search takes it.
    let hasColumn = scope.isShared || tail.isOfOne
    append(hasColumn ? " WHERE r.type = " : " WHERE (r.type || '') = ", .text(type))
    restrict(to: scope, " AND r.patient IN (")
    if let since = page.since { append(" AND r.last_updated >= ", SQLValue(since)) }
    if let period = page.period { append(period, tail) }
    if let before = page.before { append(before, of: type) }
  }

  /// Appends the condition that a version was current in a period, as ``RecordHistoryPeriod`` decides it.
  private mutating func append(_ period: RecordHistoryPeriod, _ tail: HistoryTail) {
    append(" AND r.last_updated < ", SQLValue(period.to))
    // Nothing follows the version that is current now.
    guard !tail.isCurrent else { return }
    append(" AND CASE WHEN r.operation = 'delete' THEN r.last_updated >= ", SQLValue(period.from))
    append(" ELSE NOT EXISTS (SELECT 1 FROM ")
    append(tail.scope.isShared ? "shared_resources n" : "resources n")
    appendFollowing(period, tail)
    append(") AND NOT EXISTS (SELECT 1 FROM ")
    append(tail.scope.isShared ? "shared_resource_versions n" : "resource_versions n")
    appendFollowing(period, tail)
    append(") END")
  }

  /// Appends the condition that `n` follows `r` and was there when the period began.
  private mutating func appendFollowing(_ period: RecordHistoryPeriod, _ tail: HistoryTail) {
    append(" WHERE n.type = r.type AND n.id = r.id AND n.version > r.version")
    if !tail.scope.isShared { append(" AND n.patient = r.patient") }
    append(" AND n.last_updated <= ", SQLValue(period.from))
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
