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
    guard authorization.resource == search.type else { throw .notAuthorized }
    if case .only(let patients) = authorization.patients, patients.isEmpty {
      return RecordPage(records: [], total: 0, next: nil)
    }
    let conditions = RecordConditions(search, authorization.patients)
    var records: [StoredRecord] = []
    var next: RecordCursor?
    if search.count > 0 {
      // One extra row shows if there is a next page.
      let (limit, overflow) = search.count.addingReportingOverflow(1)
      let query = conditions.page(after: search.after, limit: overflow ? .max : limit)
      let rows = try storing { () throws(StorageError) in
        try reader.query(dynamic: query.sql, query.arguments)
      }
      records = try storing { () throws(StorageError) in
        try Array(rows.prefix(search.count)).decode()
      }
      if rows.count > search.count, let last = records.last {
        next = RecordCursor(patient: last.patient, id: last.id)
      }
      if search.after == nil, next == nil {
        return RecordPage(records: records, total: records.count, next: nil)
      }
    }
    let query = conditions.total
    let total = try storing { () throws(StorageError) in
      try reader.first(dynamic: query.sql, query.arguments)?.value(as: Int.self)
    }
    return RecordPage(records: records, total: total ?? 0, next: next)
  }
}

/// The SQL conditions of a search.
private struct RecordConditions {
  private var sql: SQLText = " FROM resources WHERE type = $1"
  private var arguments: [SQLValue]
  private let isOnePatient: Bool

  init(_ search: RecordSearch, _ patients: SearchAuthorization.Patients) {
    arguments = [.text(search.type)]
    switch patients {
    case .all:
      isOnePatient = false
      if let ids = search.ids {
        // Finds the rows through the key of ids instead of through all patients.
        append(
          " AND patient IN (SELECT patient FROM resource_keys WHERE type = $1 AND id IN (", ids)
        sql.append(")")
      }
    case .only(let patients):
      isOnePatient = patients.count == 1
      append(" AND patient IN (", patients.map(\.text))
    }
    if let ids = search.ids { append(" AND id IN (", ids) }
    if let statuses = search.statuses { append(" AND status IN (", statuses) }
    for date in search.lastUpdated { append(date) }
  }

  var total: (sql: SQLText, arguments: [SQLValue]) {
    var text: SQLText = "SELECT count(*)"
    text.append(contentsOf: sql)
    return (text, arguments)
  }

  func page(after: RecordCursor?, limit: Int) -> (sql: SQLText, arguments: [SQLValue]) {
    var page = self
    if let after {
      if isOnePatient {
        page.append(" AND id > ", .text(after.id))
      } else {
        page.append(" AND (patient, id) > (", .text(after.patient))
        page.append(", ", .text(after.id))
        page.sql.append(")")
      }
    }
    page.append(" ORDER BY patient, id LIMIT ", SQLValue(limit))
    var text: SQLText = "SELECT \(StoredRecord.columns)"
    text.append(contentsOf: page.sql)
    return (text, page.arguments)
  }

  private mutating func append(_ piece: StaticString, _ values: [String]) {
    sql.append(piece)
    sql.appendPlaceholders(values.count, startingAt: arguments.count + 1)
    sql.append(")")
    arguments += values.map { .text($0) }
  }

  private mutating func append(_ piece: StaticString, _ value: SQLValue) {
    sql.append(piece)
    arguments.append(value)
    sql.appendPlaceholder(arguments.count)
  }

  private mutating func append(_ date: DateSearchValue) {
    let bounds = date.instantBounds
    if bounds.isExcluded {
      append(" AND (last_updated < ", .integer(bounds.atLeast ?? .min))
      append(" OR last_updated >= ", .integer(bounds.before ?? .max))
      sql.append(")")
      return
    }
    if let first = bounds.atLeast { append(" AND last_updated >= ", .integer(first)) }
    if let end = bounds.before { append(" AND last_updated < ", .integer(end)) }
  }
}
