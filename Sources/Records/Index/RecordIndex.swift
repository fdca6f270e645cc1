// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// The search index of the resources in force: rows for their values, kept in step with each change.
///
/// What the tables of the resources themselves have as columns (the id, the status, the patient, the time of the last
/// change) has no rows, nor has a parameter without a value.
enum RecordIndex {
  /// The number of the rules by which rows are made: a change of ``SearchIndex`` or of the tables must raise it, so
  /// that the next start builds the index again.
  static let version: Int64 = 1

  /// Adds the rows of a new resource.
  static func write(
    _ rows: RecordIndexRows, for resource: IndexedResource, in writer: any SQLWriter
  ) throws(StorageError) {
    for table in RecordIndexTable.allCases {
      guard let rows = rows.byTable[table], !rows.isEmpty else { continue }
      try insert(Array(rows), into: table, for: resource, in: writer)
    }
  }

  /// Removes rows of a resource.
  static func remove(
    _ rows: RecordIndexRows, of resource: IndexedResource, in writer: any SQLWriter
  ) throws(StorageError) {
    for (table, rows) in rows.byTable {
      for row in rows { try delete(row, from: table, of: resource, in: writer) }
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

  // MARK: Insertion

  /// The numbers of rows of one statement: few, so that few are prepared.
  private static let sizes = [32, 16, 8, 4, 3, 2, 1]

  private static func insert(
    _ rows: [[SQLValue]], into table: RecordIndexTable, for resource: IndexedResource,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let own = resource.values
    let head = head(of: table, isShared: resource.patient == nil)
    var rest = rows[...]
    while !rest.isEmpty {
      let size = sizes.first { $0 <= rest.count } ?? 1
      var sql = head
      var arguments: [SQLValue] = []
      for row in rest.prefix(size) {
        let values = own + row
        sql.append(arguments.isEmpty ? " VALUES (" : ", (")
        sql.appendPlaceholders(values.count, startingAt: arguments.count + 1)
        sql.append(")")
        arguments += values
      }
      sql.append(" ON CONFLICT DO NOTHING")
      try writer.execute(dynamic: sql, arguments)
      rest = rest.dropFirst(size)
    }
  }

  private static func head(of table: RecordIndexTable, isShared: Bool) -> SQLText {
    switch (table, isShared) {
    case (.tokens, false):
      "INSERT INTO record_tokens (patient, type, id, parameter, code, system)"
    case (.strings, false):
      "INSERT INTO record_strings (patient, type, id, parameter, folded, exact, place)"
    case (.dates, false):
      "INSERT INTO record_dates (patient, type, id, parameter, lower, upper)"
    case (.quantities, false):
      """
      INSERT INTO record_quantities
        (patient, type, id, parameter, lower, upper, system, code, unit)
      """
    case (.references, false):
      """
      INSERT INTO record_references (patient, type, id, parameter, target_id, target_type)
      """
    case (.tokens, true):
      "INSERT INTO shared_tokens (type, id, parameter, code, system)"
    case (.strings, true):
      "INSERT INTO shared_strings (type, id, parameter, folded, exact, place)"
    case (.dates, true):
      "INSERT INTO shared_dates (type, id, parameter, lower, upper)"
    case (.quantities, true):
      """
      INSERT INTO shared_quantities (type, id, parameter, lower, upper, system, code, unit)
      """
    case (.references, true):
      "INSERT INTO shared_references (type, id, parameter, target_id, target_type)"
    }
  }
}
