// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// A table in which rows belong to patients, as the engine's catalogue names it: a table that comes
/// later is found too, so that a copy of everything is of everything.
///
/// Erasing does not go by this list: foreign keys lead from the row in `people` to all rows of a person.
package struct PatientTable: Sendable, Hashable {
  /// Few, since one row may be a whole FHIR resource.
  private static let page = 100
  /// The audit trail keeps its ids; accounts are more than their own patient.
  private static let others: Set<String> = ["audit", "accounts"]
  package let name: String
  package let columns: [String]
  private let key: [String]

  /// All of them, in the order of their names.
  static func all(
    _ catalogue: any EngineCatalogue, in reader: any SQLReader
  ) throws(StorageError) -> [PatientTable] {
    try catalogue.tables(in: reader).compactMap { table in
      guard table.columns.contains("patient"), !others.contains(table.name) else { return nil }
      return PatientTable(name: table.name, columns: table.columns, key: table.key)
    }
  }

  /// The next rows of a patient after a row, or the first ones; none behind the last.
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

  /// The number of rows of a patient.
  package func count(of patient: PatientID, in reader: any SQLReader) throws(StorageError) -> Int {
    var sql: SQLText = "SELECT count(*) FROM "
    sql.appendIdentifiers([name])
    sql.append(" WHERE patient = $1")
    return try reader.first(dynamic: sql, [.text(patient)])?.value() ?? 0
  }
}

extension Database {
  /// The tables in which rows belong to patients.
  package func patientTables() async throws -> [PatientTable] {
    let catalogue = catalogue
    return try await read { try PatientTable.all(catalogue, in: $0) }
  }
}
