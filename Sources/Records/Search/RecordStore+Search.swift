// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import Storage

extension RecordStore {
  /// Returns one page of the matching current records, of the patients that the authorization names.
  package func search(
    _ search: RecordSearch, authorization: SearchAuthorization, in reader: any SQLReader
  ) throws(RecordsError) -> RecordPage {
    guard authorization.resource == search.type.rawValue, !RecordSubject.isShared(search.type)
    else { throw .notAuthorized }
    let scope = RecordScope(type: search.type, patients: authorization.patients)
    return try RecordSearchRun(search: search, scope: scope).page(in: reader)
  }
}

/// One search of the records of patients, or of shared resources.
struct RecordSearchRun {
  let search: RecordSearch
  let scope: RecordScope

  /// Returns the page that the search asks for.
  func page(in reader: any SQLReader) throws(RecordsError) -> RecordPage {
    if scope.isEmpty { return RecordPage(records: [], total: 0, next: nil) }
    var records: [StoredRecord] = []
    var keys: [[SearchSortKey]] = []
    var next: RecordCursor?
    if search.count > 0 {
      // One extra row shows if there is a next page.
      let (limit, overflow) = search.count.addingReportingOverflow(1)
      let (rows, order) = try self.rows(limit: overflow ? .max : limit, in: reader)
      let shown = Array(rows.prefix(search.count))
      records = try storing { () throws(StorageError) in try shown.decode() }
      keys = shown.map { Self.sortKeys($0, order) }
      if rows.count > search.count, let last = records.last {
        next = RecordCursor(keys: keys.last ?? [], patient: last.patient, id: last.id)
      }
      if search.after == nil, next == nil {
        return RecordPage(records: records, keys: keys, total: records.count, next: nil)
      }
    }
    let total = try search.wantsTotal ? count(in: reader) : nil
    return RecordPage(records: records, keys: keys, total: total, next: next)
  }

  private func rows(
    limit: Int, in reader: any SQLReader
  ) throws(RecordsError) -> (rows: [SQLRow], order: [RecordSortKey]) {
    if let walk = RecordDateWalk(search, scope) {
      return (try walk.rows(limit: limit, in: reader), [walk.key])
    }
    var from = RecordQuery(chainAuthorizations: search.chainAuthorizations)
    from.define(search.criteria, scope)
    var sql: SQLText = from.take()
    from.append(scope.isShared ? "shared_resources r" : "resources r")
    let order = from.appendSort(search.sort, scope)
    try appendConditions(to: &from)
    if let after = search.after { try from.append(after: after, order, scope) }
    from.append(orderBy: order, limit: limit, scope)
    try from.check()
    sql.append("SELECT ")
    if scope.isShared {
      sql.append(contentsOf: SharedRecordRow.columns.text)
    } else {
      sql.append(contentsOf: FoundRecordRow.columns.text)
    }
    for key in order {
      sql.append(", ")
      sql.append(contentsOf: key.expression)
    }
    sql.append(" FROM ")
    sql.append(contentsOf: from.sql)
    let (statement, arguments) = (sql, from.arguments)
    let rows = try storing { () throws(StorageError) in
      try reader.query(dynamic: statement, arguments)
    }
    return (rows, order)
  }

  private func count(in reader: any SQLReader) throws(RecordsError) -> Int {
    var query = RecordQuery(chainAuthorizations: search.chainAuthorizations)
    query.define(search.criteria, scope)
    query.append("SELECT count(*) FROM ")
    query.append(scope.isShared ? "shared_resources r" : "resources r")
    try appendConditions(to: &query)
    try query.check()
    let (statement, arguments) = (query.sql, query.arguments)
    return try storing { () throws(StorageError) in
      try reader.first(dynamic: statement, arguments)?.value(as: Int.self)
    } ?? 0
  }

  private func appendConditions(to query: inout RecordQuery) throws(RecordsError) {
    query.append(" WHERE r.type = ", .text(scope.type.rawValue))
    query.restrict(to: scope, " AND r.patient IN (")
    try query.appendConditions(search.criteria, statuses: search.statuses, scope)
  }

  private static func sortKeys(_ row: SQLRow, _ order: [RecordSortKey]) -> [SearchSortKey] {
    let values = row.read(SortKeyRow.self, after: StoredRecord.self)
    return zip(order, SortKeyRow.Column.allCases).map { key, column in
      key.key(of: values[column])
    }
  }
}

/// The columns of a record `r` in `resources`.
enum FoundRecordRow: SQLRowType {
  typealias Column = StoredRecord.Column

  static let columns = SQLColumns<Column>(of: "r")
}

/// The columns of a resource `r` in `shared_resources` or their versions, which belong to no patient.
enum SharedRecordRow: SQLRowType {
  typealias Column = StoredRecord.Column

  static let columns = SQLColumns<Column>(of: "r", [.patient: "''"])
}

/// The values by which a search sorted a row, after the columns of the record.
enum SortKeyRow: SQLRowType {
  enum Column: Int, SQLColumn { case first, second, third, fourth }

  static let columns = SQLColumns<Column>()
}
