// SPDX-License-Identifier: Apache-2.0

/// What PostgreSQL must be told otherwise than SQLite; everything else is written so that both
/// understand it.
enum PostgresDialect {
  private static let markStart = "/*postgresql "
  private static let markEnd = "*/"

  /// A statement with its remarks for PostgreSQL made part of it: `/*postgresql FOR UPDATE */` is a
  /// comment for SQLite, whose one writer needs no locks on rows.
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

  /// A migration file with the types that carry another name here, and without STRICT, which is
  /// always the case here.
  ///
  /// Texts are compared by their bytes, as SQLite does, whatever the database was made with.
  static func script(_ sql: String) -> String {
    statement(sql)
      .replacing(/\bBLOB\b/, with: "BYTEA")
      .replacing(/\bINTEGER\b/, with: "BIGINT")
      .replacing(/\)\s*STRICT\s*;/, with: ");")
      .replacing(/\bREAL\b/, with: "DOUBLE PRECISION")
      .replacing(/\bTEXT\b/, with: "TEXT COLLATE \"C\"")
  }
}
