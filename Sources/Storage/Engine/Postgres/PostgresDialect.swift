// SPDX-License-Identifier: Apache-2.0

/// The differences of PostgreSQL from SQLite; all other SQL is written so that both understand it.
enum PostgresDialect {
  private static let markStart = "/*postgresql "
  private static let markEnd = "*/"

  /// Returns a statement with its PostgreSQL comments activated: `/*postgresql FOR UPDATE */` is a comment
  /// for SQLite, whose single writer needs no row locks.
  static func statement(_ sql: String) -> String {
    guard sql.contains(markStart) else { return sql }
    var rest = sql[...]
    var result = ""
    while let start = rest.firstRange(of: markStart) {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: markEnd) else { break }
      result += rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Returns a migration file with PostgreSQL's type names and without STRICT, which PostgreSQL always is.
  ///
  /// Texts are compared by their bytes, as in SQLite, whatever the collation of the database.
  static func script(_ sql: String) -> String {
    statement(sql)
      .replacing(/\bBLOB\b/, with: "BYTEA")
      .replacing(/\bINTEGER\b/, with: "BIGINT")
      .replacing(/\)\s*STRICT\s*;/, with: ");")
      .replacing(/\bREAL\b/, with: "DOUBLE PRECISION")
      .replacing(/\bTEXT\b/, with: "TEXT COLLATE \"C\"")
  }
}
