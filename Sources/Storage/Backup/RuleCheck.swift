// SPDX-License-Identifier: Apache-2.0

/// A statement that finds the rows of one table that break a rule of the schema.
///
/// It gives each row's place in the table, which holds no data, and the position of the rule in ``rules``.
struct RuleCheck: Sendable {
  /// The most rows that one check names.
  static let limit = 20
  let table: String
  /// The rules as they are written in the schema.
  let rules: [Int64: String]
  let statement: SQLText
  var arguments: [SQLValue] = []

  /// Returns a line for each broken row: table, row and rule.
  func brokenRows(in reader: any SQLReader) throws(StorageError) -> [String] {
    try reader.query(dynamic: statement, arguments).map { row throws(StorageError) in
      "\(table), row \(try row.text(0)): \(rules[try row.integer(1)] ?? "a rule")"
    }
  }

  /// The check of the CHECKs of a table, in one pass over it.
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
      for key in try reader.query(
        """
        SELECT id, group_concat("from", ', '), "table" FROM pragma_foreign_key_list($1)
        GROUP BY id, "table"
        """, [.text(table)])
      {
        rules[try key.integer(0)] =
          "FOREIGN KEY (\(try key.text(1))) REFERENCES \(try key.text(2))"
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
      let expressions = try SchemaText(schema?.text(0) ?? "").checks
      if let check = RuleCheck.checks(expressions, of: table, place: "CAST(rowid AS TEXT)") {
        checks.append(check)
      }
    }
    return checks
  }
}

extension PostgresCatalogue {
  /// PostgreSQL enforces its rules on every write, but a superuser may turn that off, or add a rule without
  /// looking at the rows that are there.
  func ruleChecks(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    try checkConstraints(in: reader) + foreignKeys(in: reader)
  }

  private func checkConstraints(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    let rows = try reader.query(
      """
      SELECT c.relname::text, pg_get_expr(k.conbin, k.conrelid)::text FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE k.contype = 'c' AND n.nspname = current_schema() ORDER BY c.relname, k.conname
      """)
    var expressions: [String: [String]] = [:]
    for row in rows { expressions[try row.text(0), default: []].append(try row.text(1)) }
    return expressions.sorted { $0.key < $1.key }.compactMap { table, expressions in
      RuleCheck.checks(expressions, of: table, place: "ctid::text")
    }
  }

  private func foreignKeys(in reader: any SQLReader) throws(StorageError) -> [RuleCheck] {
    let rows = try reader.query(
      """
      SELECT k.oid::bigint, c.relname::text, p.relname::text, a.attname::text, b.attname::text
      FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_class p ON p.oid = k.confrelid
      CROSS JOIN LATERAL unnest(k.conkey, k.confkey) AS u(child, parent)
      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.child
      JOIN pg_attribute b ON b.attrelid = k.confrelid AND b.attnum = u.parent
      WHERE k.contype = 'f' AND n.nspname = current_schema()
      ORDER BY c.relname, k.oid, u.child
      """)
    var checks: [RuleCheck] = []
    var start = 0
    while start < rows.count {
      let id = try rows[start].integer(0)
      var end = start
      while end < rows.count, try rows[end].integer(0) == id { end += 1 }
      checks.append(try foreignKey(Array(rows[start..<end])))
      start = end
    }
    return checks
  }

  /// The check of one foreign key, from a row for each of its columns.
  private func foreignKey(_ columns: [SQLRow]) throws(StorageError) -> RuleCheck {
    let (child, parent) = (try columns[0].text(1), try columns[0].text(2))
    var statement: SQLText = "SELECT c.ctid::text, 0::bigint FROM "
    statement.appendIdentifiers([child])
    statement.append(" c WHERE ")
    for column in columns {
      statement.append("c.")
      statement.appendIdentifiers([try column.text(3)])
      statement.append(" IS NOT NULL AND ")
    }
    statement.append("NOT EXISTS (SELECT 1 FROM ")
    statement.appendIdentifiers([parent])
    statement.append(" p WHERE ")
    var names: [String] = []
    for column in columns {
      if !names.isEmpty { statement.append(" AND ") }
      names.append(try column.text(3))
      statement.append("p.")
      statement.appendIdentifiers([try column.text(4)])
      statement.append(" = c.")
      statement.appendIdentifiers([try column.text(3)])
    }
    statement.append(") LIMIT ")
    statement.append(fromCatalogue: String(RuleCheck.limit))
    let rule = "FOREIGN KEY (\(names.joined(separator: ", "))) REFERENCES \(parent)"
    return RuleCheck(table: child, rules: [0: rule], statement: statement)
  }
}
