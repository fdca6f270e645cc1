// SPDX-License-Identifier: Apache-2.0

/// A statement that finds the rows of one table that break a rule of the schema.
///
/// It returns each row's position in the table, which contains no data, and the number of the rule in
/// ``rules``.
struct RuleCheck: Sendable {
  /// The maximum number of rows that one check returns.
  static let limit = 20
  let table: String
  /// The rules as written in the schema.
  let rules: [Int64: String]
  let statement: SQLText
  var arguments: [SQLValue] = []

  /// Returns a line for each broken row: table, row and rule.
  func brokenRows(in reader: any SQLReader) throws(StorageError) -> [String] {
    try reader.query(dynamic: statement, arguments).map { row throws(StorageError) in
      "\(table), row \(try row.text(0)): \(rules[try row.integer(1)] ?? "a rule")"
    }
  }

  /// Returns the check of all CHECKs of a table, in one pass.
  static func checks(
    _ expressions: [String], of table: String, place: StaticString
  ) -> RuleCheck? {
    guard !expressions.isEmpty else { return nil }
    var statement: SQLText = "SELECT "
    statement.append(place)
    statement.append(", CASE")
    for (index, expression) in expressions.enumerated() {
      statement.append(" WHEN NOT (")
      statement.append(fromCatalogue: expression)
      statement.append(") THEN ")
      statement.append(fromCatalogue: String(index))
    }
    statement.append(" END FROM ")
    statement.appendIdentifiers([table])
    statement.append(" WHERE NOT (")
    statement.append(fromCatalogue: expressions.joined(separator: ") OR NOT ("))
    statement.append(") LIMIT ")
    statement.append(fromCatalogue: String(limit))
    var rules: [Int64: String] = [:]
    for (index, expression) in expressions.enumerated() {
      rules[Int64(index)] = "CHECK (\(expression))"
    }
    return RuleCheck(table: table, rules: rules, statement: statement)
  }
}

extension SQLiteCatalogue {
  func ruleChecks(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    var checks: [RuleCheck] = []
    for table in try tables(in: reader).map(\.name) {
      var rules: [Int64: String] = [:]
      let keys: [SQLiteKeyRow] = try reader.query(Self.keys, [.text(table)]).decode()
      for key in keys {
        rules[key.id] = "FOREIGN KEY (\(key.children)) REFERENCES \(key.parent)"
      }
      if !rules.isEmpty {
        checks.append(
          RuleCheck(
            table: table, rules: rules,
            statement: """
              SELECT CAST(rowid AS TEXT), fkid FROM pragma_foreign_key_check($1) LIMIT $2
              """, arguments: [.text(table), SQLValue(RuleCheck.limit)]))
      }
      let schema = try reader.first(
        "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = $1", [.text(table)])
      let expressions = try SchemaText(schema?.value() ?? "").checks
      if let check = RuleCheck.checks(expressions, of: table, place: "CAST(rowid AS TEXT)") {
        checks.append(check)
      }
    }
    return checks
  }

  private static let keys = SQLStatement(
    """
    SELECT \(SQLiteKeyRow.columns) FROM pragma_foreign_key_list($1)
    GROUP BY id, "table"
    """)
}

extension PostgresCatalogue {
  /// Returns the checks.
  ///
  /// PostgreSQL enforces its rules on every write, but a superuser may turn that off or add a rule without
  /// validating existing rows.
  func ruleChecks(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    try checkConstraints(in: reader) + foreignKeys(in: reader)
  }

  private func checkConstraints(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    let rows: [PostgresCheckRow] = try reader.query(Self.constraints, []).decode()
    var expressions: [String: [String]] = [:]
    for row in rows { expressions[row.table, default: []].append(row.expression) }
    return expressions.sorted { $0.key < $1.key }.compactMap { table, expressions in
      RuleCheck.checks(expressions, of: table, place: "ctid::text")
    }
  }

  private func foreignKeys(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    let rows: [PostgresKeyRow] = try reader.query(Self.keys, []).decode()
    var checks: [RuleCheck] = []
    var start = 0
    while start < rows.count {
      let id = rows[start].id
      var end = start
      while end < rows.count, rows[end].id == id { end += 1 }
      checks.append(foreignKey(rows[start], columns: rows[start..<end]))
      start = end
    }
    return checks
  }

  private static let constraints = SQLStatement(
    """
    SELECT \(PostgresCheckRow.columns) FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE k.contype = 'c' AND n.nspname = current_schema() ORDER BY c.relname, k.conname
    """)

  private static let keys = SQLStatement(
    """
    SELECT \(PostgresKeyRow.columns)
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class p ON p.oid = k.confrelid
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS u(child, parent)
    JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.child
    JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.parent
    WHERE k.contype = 'f' AND n.nspname = current_schema()
    ORDER BY c.relname, k.oid, u.child
    """)

  /// Returns the check of one foreign key, from a row for each of its columns.
  private func foreignKey(
    _ key: PostgresKeyRow, columns: ArraySlice<PostgresKeyRow>
  ) -> RuleCheck {
    let (child, parent) = (key.childTable, key.parentTable)
    var statement: SQLText = "SELECT c.ctid::text, 0::bigint FROM "
    statement.appendIdentifiers([child])
    statement.append(" c WHERE ")
    for column in columns {
      statement.append("c.")
      statement.appendIdentifiers([column.child])
      statement.append(" IS NOT NULL AND ")
    }
    statement.append("NOT EXISTS (SELECT 1 FROM ")
    statement.appendIdentifiers([parent])
    statement.append(" p WHERE ")
    var names: [String] = []
    for column in columns {
      if !names.isEmpty { statement.append(" AND ") }
      names.append(column.child)
      statement.append("p.")
      statement.appendIdentifiers([column.parent])
      statement.append(" = c.")
      statement.appendIdentifiers([column.child])
    }
    statement.append(") LIMIT ")
    statement.append(fromCatalogue: String(RuleCheck.limit))
    let rule = "FOREIGN KEY (\(names.joined(separator: ", "))) REFERENCES \(parent)"
    return RuleCheck(table: child, rules: [0: rule], statement: statement)
  }
}
