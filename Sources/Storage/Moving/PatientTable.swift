// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// A table whose rows belong to patients, found in the engine's catalogue, so that a copy of a person's data
/// includes new tables automatically.
///
/// Erasing does not use this list: foreign keys lead from the row in `people` to all rows of a person.
package struct PatientTable: Sendable, Hashable {
  /// The number of rows read at a time: few, because one row may be a whole FHIR resource.
  private static let page = 100
  /// The tables left out: the audit trail is not copied, and accounts are more than their own patient.
  private static let others: Set<String> = ["audit", "accounts"]
  /// The name of the table.
  package let name: String
  /// The columns in the order of the table.
  package let columns: [String]
  private let key: [String]

  /// Returns all such tables, by name.
  static func all(
    _ catalogue: any EngineCatalogue, in reader: any SQLReader
  ) throws(StorageError) -> [PatientTable] {
    try catalogue.tables(in: reader).compactMap { table in
      guard table.columns.contains("patient"), !others.contains(table.name) else { return nil }
      return PatientTable(name: table.name, columns: table.columns, key: table.key)
    }
  }

  /// Returns the next rows of a patient after a row, or the first ones for nil; at most 100, and
  /// none after the last.
  package func rows(
    of patient: PatientID, after last: SQLRow?, in reader: any SQLReader
  ) throws(StorageError) -> [SQLRow] {
    var arguments: [SQLValue] = [.text(patient)]
    var sql: SQLText = "SELECT "
    sql.appendIdentifiers(columns)
    sql.append(" FROM ")
    sql.appendIdentifiers([name])
    sql.append(" WHERE patient = $1")
    if let last {
      let place = key.compactMap { columns.firstIndex(of: $0) }.map { last[$0] }
      sql.append(" AND (")
      sql.appendIdentifiers(key)
      sql.append(") > (")
      sql.appendPlaceholders(place.count, startingAt: 2)
      sql.append(")")
      arguments += place
    }
    sql.append(" ORDER BY ")
    sql.appendIdentifiers(key)
    sql.append(" LIMIT ")
    sql.appendPlaceholder(arguments.count + 1)
    return try reader.query(dynamic: sql, arguments + [SQLValue(Self.page)])
  }

  /// Returns the number of rows of a patient.
  package func count(of patient: PatientID, in reader: any SQLReader) throws(StorageError) -> Int {
    var sql: SQLText = "SELECT count(*) FROM "
    sql.appendIdentifiers([name])
    sql.append(" WHERE patient = $1")
    return try reader.first(dynamic: sql, [.text(patient)])?.value() ?? 0
  }
}

extension Database {
  /// Returns the tables whose rows belong to patients, without the audit trail and the accounts.
  package func patientTables() async throws -> [PatientTable] {
    let catalogue = catalogue
    return try await read { try PatientTable.all(catalogue, in: $0) }
  }
}
