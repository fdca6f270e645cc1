// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Storage

/// A key by which a search sorts, with its place in the SQL.
struct RecordSortKey: Sendable {
  /// The kind of a key's values.
  enum Kind: Sendable {
    case integer, real, text
    /// Whole milliseconds, which the index stores as a real number.
    case time
  }

  let isDescending: Bool
  let kind: Kind
  /// The value of the row, NULL for none.
  let expression: SQLText

  /// Returns the value in SQL; nil if it has another kind.
  func value(of key: SearchSortKey) -> SQLValue? {
    switch (key, kind) {
    case (.none, _): .null
    case (.integer(let value), .integer): .integer(value)
    case (.integer(let value), .time): .real(RecordIndexNumber.time(value))
    case (.real(let value), .real): .real(value)
    case (.text(let value), .text): .text(value)
    default: nil
    }
  }

  /// Returns the key from the value of a row.
  func key(of value: SQLValue) -> SearchSortKey {
    switch value {
    case .integer(let value): .integer(value)
    case .real(let value): kind == .time ? .integer(Int64(value)) : .real(value)
    case .text(let value): .text(value)
    case .null, .blob: .none
    }
  }
}

/// The order of the results, and the place in it at which a page begins.
///
/// A resource without a value comes first in an ascending order and last in a descending one, as in
/// ``SearchSortKey``. Resources with equal values follow by patient and id.
extension RecordQuery {
  /// Appends the joins that find the values, and returns the keys.
  mutating func appendSort(_ sort: [SearchSort], _ scope: RecordScope) -> [RecordSortKey] {
    let names: [StaticString] = ["s1", "s2", "s3", "s4"]
    return zip(sort, names).map { key, name in appendSort(key, name, scope) }
  }

  private mutating func appendSort(
    _ sort: SearchSort, _ name: StaticString, _ scope: RecordScope
  ) -> RecordSortKey {
    let parameter = sort.parameter
    let (kind, column) = storedColumn(parameter, scope)
    if let column {
      return RecordSortKey(isDescending: sort.isDescending, kind: kind, expression: column)
    }
    let isByID = scope.isShared || scope.onlyPatient != nil
    append(isByID ? " LEFT JOIN (SELECT id, " : " LEFT JOIN (SELECT patient, id, ")
    append(sort.isDescending ? "max(" : "min(")
    switch RecordIndexKind(of: parameter, in: scope.type) {
    case .tokens, .strings: append("value")
    case .dates: append("lower")
    case .quantities: append("(lower + upper) / 2")
    case .references: append("CASE WHEN detail = '' THEN value ELSE detail || '/' || value END")
    }
    append(") AS sort_key FROM ")
    appendIndex(scope)
    append(" WHERE type = ", .text(scope.type.rawValue))
    appendParameter(parameter)
    restrict(to: scope)
    append(isByID ? " GROUP BY id) " : " GROUP BY patient, id) ")
    append(name)
    append(" ON ")
    append(name)
    append(".id = r.id")
    if !isByID {
      append(" AND ")
      append(name)
      append(".patient = r.patient")
    }
    var expression = SQLText(name)
    expression.append(".sort_key")
    return RecordSortKey(isDescending: sort.isDescending, kind: kind, expression: expression)
  }

  /// Returns the kind of a parameter's values, and the column that has them, if there is one.
  private func storedColumn(
    _ parameter: String, _ scope: RecordScope
  ) -> (kind: RecordSortKey.Kind, column: SQLText?) {
    if parameter == "_id" { return (.text, "r.id") }
    if parameter == "_lastUpdated" { return (.integer, "r.last_updated") }
    if parameter == "status", SearchParameterTables.hasStatusColumn(scope.type) {
      return (.text, "r.status")
    }
    if !scope.isShared,
      SearchParameterTables.ownerParameters(of: scope.type).contains(parameter)
    {
      return (.text, "'Patient/' || r.patient")
    }
    switch RecordIndexKind(of: parameter, in: scope.type) {
    case .dates: return (.time, nil)
    case .quantities: return (.real, nil)
    case .tokens, .strings, .references: return (.text, nil)
    }
  }

  /// Appends the condition that a row follows the end of the previous page; throws for a cursor of another search.
  mutating func append(
    after cursor: RecordCursor, _ keys: [RecordSortKey], _ scope: RecordScope
  ) throws(RecordsError) {
    guard cursor.keys.count == keys.count else { throw Self.foreignCursor }
    append(" AND (")
    for (key, place) in zip(keys, cursor.keys) {
      guard let value = key.value(of: place) else { throw Self.foreignCursor }
      append("(")
      append(key, beyond: value)
      append(") OR (")
      append(contentsOf: key.expression)
      if value == .null {
        append(" IS NULL AND (")
      } else {
        append(" = ", value)
        append(" AND (")
      }
    }
    if scope.isShared {
      append("r.id > ", .text(cursor.id))
    } else if scope.onlyPatient != nil {
      append("r.id > ", .text(cursor.id))
    } else {
      append("(r.patient, r.id) > (", .text(cursor.patient))
      append(", ", .text(cursor.id))
      append(")")
    }
    for _ in keys { append("))") }
    append(")")
  }

  /// The error for the page link of another search.
  static let foreignCursor = RecordsError.invalid([
    FHIRIssue(
      code: .value, expression: "_cursor",
      diagnostics: "This page link belongs to another search. Search again.")
  ])

  private mutating func append(_ key: RecordSortKey, beyond value: SQLValue) {
    if value == .null {
      guard !key.isDescending else { return appendNever() }
      append(contentsOf: key.expression)
      return append(" IS NOT NULL")
    }
    append(contentsOf: key.expression)
    append(key.isDescending ? " < " : " > ", value)
    guard key.isDescending else { return }
    append(" OR ")
    append(contentsOf: key.expression)
    append(" IS NULL")
  }

  /// Appends the order and the largest number of rows.
  mutating func append(orderBy keys: [RecordSortKey], limit: Int, _ scope: RecordScope) {
    append(" ORDER BY ")
    for key in keys {
      append(contentsOf: key.expression)
      append(key.isDescending ? " DESC NULLS LAST, " : " ASC NULLS FIRST, ")
    }
    append(scope.isShared ? "r.id LIMIT " : "r.patient, r.id LIMIT ", SQLValue(limit))
  }
}
