// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// A page of one patient's records in the order of a date, read from the entries of the index in their own order.
///
/// It reads no more entries than the page needs, whereas the general statement finds and sorts all matches. Records
/// with the date and those without it are read separately, in the order in which they follow each other.
struct RecordDateWalk {
  let isDescending: Bool
  private let search: RecordSearch
  private let scope: RecordScope
  private let patient: PatientID
  private let parameter: String
  /// True if a condition leaves no record without the date.
  private let isDateRequired: Bool

  /// A part of the results.
  private enum Part { case dated, undated }

  /// Returns nil unless the results belong to one patient and are sorted by one date, of which a resource has at most
  /// one value.
  init?(_ search: RecordSearch, _ scope: RecordScope) {
    guard let patient = scope.onlyPatient, search.sort.count == 1, let sort = search.sort.first,
      SearchParameterTables.isSingleDate(sort.parameter, of: search.type)
    else { return nil }
    self.search = search
    self.scope = scope
    self.patient = patient
    parameter = sort.parameter
    isDescending = sort.isDescending
    isDateRequired = search.criteria.contains { criterion in
      guard criterion.parameter == sort.parameter else { return false }
      switch criterion.test {
      case .date, .missing(false): return true
      default: return false
      }
    }
  }

  /// The key of the results, which ``RecordSortKey/key(of:)`` reads from their rows.
  var key: RecordSortKey {
    RecordSortKey(isDescending: isDescending, kind: .time, expression: "s1.lower")
  }

  /// Returns the rows of the page, each with the columns of ``FoundRecordRow`` and the date.
  func rows(limit: Int, in reader: any SQLReader) throws(RecordsError) -> [SQLRow] {
    var parts: [Part] = isDescending ? [.dated, .undated] : [.undated, .dated]
    if isDateRequired { parts.removeAll { $0 == .undated } }
    var after: RecordCursor?
    if let cursor = search.after {
      guard cursor.keys.count == 1, let value = cursor.keys.first.flatMap(key.value) else {
        throw RecordQuery.foreignCursor
      }
      let place: Part = value == .null ? .undated : .dated
      guard let first = parts.firstIndex(of: place) else { return [] }
      parts.removeFirst(first)
      after = cursor
    }
    var rows: [SQLRow] = []
    for part in parts where rows.count < limit {
      rows += try self.rows(part, after: after, limit: limit - rows.count, in: reader)
      after = nil
    }
    return rows
  }

  private func rows(
    _ part: Part, after cursor: RecordCursor?, limit: Int, in reader: any SQLReader
  ) throws(RecordsError) -> [SQLRow] {
    var query = RecordQuery(chainAuthorizations: search.chainAuthorizations)
    query.define(search.criteria, scope)
    query.append("SELECT ")
    query.append(contentsOf: FoundRecordRow.columns.text)
    var criteria = search.criteria
    switch part {
    case .dated:
      // The cross join makes SQLite read the entries first, in the order of their key.
      query.append(", s1.lower FROM record_index s1 CROSS JOIN resources r WHERE s1.patient = ")
      query.append("", .text(patient.text))
      query.append(" AND s1.type = ", .text(search.type.rawValue))
      query.append(" AND s1.parameter = ", .text(parameter))
      query.append(" AND s1.value = '' AND s1.detail = ''")
      query.append(" AND r.type = ", .text(search.type.rawValue))
      query.append(" AND r.patient = ", .text(patient.text))
      query.append(" AND r.id = s1.id")
      criteria.removeAll { criterion in
        guard criterion.parameter == parameter, case .date(let dates) = criterion.test else {
          return false
        }
        query.append(" AND ")
        query.appendTimes(dates)
        return true
      }
    case .undated:
      query.append(", NULL FROM resources r WHERE r.type = ", .text(search.type.rawValue))
      query.restrict(to: scope, " AND r.patient IN (")
      criteria.append(SearchCriterion(parameter: parameter, test: .missing(true)))
    }
    try query.appendConditions(criteria, statuses: search.statuses, scope)
    if let cursor { append(after: cursor, to: &query) }
    if part == .dated {
      query.append(isDescending ? " ORDER BY s1.lower DESC, s1.id" : " ORDER BY s1.lower, s1.id")
    } else {
      query.append(" ORDER BY r.id")
    }
    query.append(" LIMIT ", SQLValue(limit))
    try query.check()
    let (statement, arguments) = (query.sql, query.arguments)
    return try storing { () throws(StorageError) in
      try reader.query(dynamic: statement, arguments)
    }
  }

  private func append(after cursor: RecordCursor, to query: inout RecordQuery) {
    guard let time = cursor.keys.first.flatMap(key.value), time != .null else {
      return query.append(" AND r.id > ", .text(cursor.id))
    }
    // The first condition lets the engine begin in the middle of the entries.
    query.append(isDescending ? " AND s1.lower <= " : " AND s1.lower >= ", time)
    query.append(isDescending ? " AND (s1.lower < " : " AND (s1.lower > ", time)
    query.append(" OR s1.id > ", .text(cursor.id))
    query.append(")")
  }
}
