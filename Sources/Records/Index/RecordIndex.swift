// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// The search index of the resources in force: rows for their values, kept in step with each change.
///
/// There are no rows for the columns of the resource tables (the id, the status, the patient, the time of the last
/// change), nor for parameters without a value.
enum RecordIndex {
  /// The number of the rules by which rows are made: a change of ``SearchIndex`` or of the table must raise it, so
  /// that the next start builds the index again.
  static let version: Int64 = 2

  /// Adds the rows of a new resource, in one statement unless there are very many.
  static func write(
    _ rows: RecordIndexRows, for resource: IndexedResource, in writer: any SQLWriter
  ) throws(StorageError) {
    let head: SQLText =
      resource.patient == nil
      ? """
      INSERT INTO shared_index (type, id, parameter, value, detail, lower, upper) VALUES (
      """
      : """
      INSERT INTO record_index (patient, type, id, parameter, value, detail, lower, upper) VALUES (
      """
    let own = resource.values
    for rows in portions(of: rows) {
      var sql = head
      for index in rows.indices {
        if index > 0 { sql.append("), (") }
        sql.appendPlaceholders(own.count, startingAt: 1)
        sql.append(", ")
        sql.appendPlaceholders(
          RecordIndexRow.width, startingAt: own.count + index * RecordIndexRow.width + 1)
      }
      sql.append(") ON CONFLICT DO NOTHING")
      try writer.execute(dynamic: sql, own + rows.flatMap(\.values))
    }
  }

  /// Removes rows of a resource, in one statement unless there are very many.
  static func remove(
    _ rows: RecordIndexRows, of resource: IndexedResource, in writer: any SQLWriter
  ) throws(StorageError) {
    // SQLite looks up the rows through the key only if they come from a subquery with named columns.
    let head: SQLText =
      resource.patient == nil
      ? """
      DELETE FROM shared_index WHERE type = $1 AND id = $2
        AND (parameter, value, detail, lower, upper) IN
          (SELECT column1, column2, column3, column4, column5 FROM (VALUES (
      """
      : """
      DELETE FROM record_index WHERE patient = $1 AND type = $2 AND id = $3
        AND (parameter, value, detail, lower, upper) IN
          (SELECT column1, column2, column3, column4, column5 FROM (VALUES (
      """
    let own = resource.values
    for rows in portions(of: rows) {
      var sql = head
      for index in rows.indices {
        if index > 0 { sql.append("), (") }
        let first = own.count + index * RecordIndexRow.width + 1
        sql.appendPlaceholders(RecordIndexRow.width - 2, startingAt: first)
        // PostgreSQL takes an argument in a list of rows for a text.
        for end in first + RecordIndexRow.width - 2..<first + RecordIndexRow.width {
          sql.append(", CAST(")
          sql.appendPlaceholder(end)
          sql.append(" AS DOUBLE PRECISION)")
        }
      }
      sql.append(")) AS gone)")
      try writer.execute(dynamic: sql, own + rows.flatMap(\.values))
    }
  }

  /// Changes the rows of a resource to those of its new content, and touches only what differs.
  static func change(
    _ old: RecordIndexRows, to new: RecordIndexRows, for resource: IndexedResource,
    in writer: any SQLWriter
  ) throws(StorageError) {
    guard old != new else { return }
    try remove(old.subtracting(new), of: resource, in: writer)
    try write(new.subtracting(old), for: resource, in: writer)
  }

  /// Removes all rows, before they are built again.
  static func clear(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM record_index", [])
    try writer.execute("DELETE FROM shared_index", [])
  }

  // MARK: Portions

  /// The numbers of rows of one statement: few, so that few are prepared, and none with more than 650 arguments.
  private static let sizes = Array(1...16) + [20, 24, 32, 48, 64, 96, 128]

  /// Returns the rows for one statement each; its last row is repeated up to the next size, which changes nothing.
  private static func portions(of rows: RecordIndexRows) -> [[RecordIndexRow]] {
    var portions: [[RecordIndexRow]] = []
    var rest = rows.sorted[...]
    while let last = rest.last {
      let size = sizes.first { $0 >= rest.count } ?? 128
      let portion = Array(rest.prefix(size))
      portions.append(portion + [RecordIndexRow](repeating: last, count: size - portion.count))
      rest = rest.dropFirst(size)
    }
    return portions
  }
}
