// SPDX-License-Identifier: Apache-2.0

/// Brings a database to the schema of this program, forward only.
struct Migrator {
  let migrations: [Migration]

  /// Applies what is missing, each step in a transaction of its own together with its record.
  ///
  /// Refuses a database with a step that is unknown (from a newer program), changed, or missing
  /// below applied ones, and one that a development build made before the first release. A failing step leaves the state before it. Returns the names of the applied steps.
  @discardableResult
  func migrate(_ connection: some SQLConnection) throws(StorageError) -> [String] {
    try connection.executeScript(
      """
      CREATE TABLE IF NOT EXISTS schema_migrations (
        name TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (name)
      )
      """)
    let missing = try missing(in: connection)
    for migration in missing {
      try apply(migration, on: connection)
    }
    return missing.map(\.name)
  }

  /// Returns true if any step was applied before.
  func hasBegun(_ connection: some SQLConnection) throws(StorageError) -> Bool {
    do throws(StorageError) {
      return try !connection.query("SELECT name FROM schema_migrations LIMIT 1").isEmpty
    } catch {
      // The table does not exist yet.
      if case .statement = error { return false }
      throw error
    }
  }

  private func missing(in connection: some SQLConnection) throws(StorageError) -> [Migration] {
    let rows = try connection.query("SELECT name, checksum FROM schema_migrations ORDER BY name")
    var rest = migrations[...]
    for row in rows {
      if Migration.isUnreleased(checksum: try row.text(1)) { throw .schemaUnreleased }
      let name = try row.text(0)
      guard let next = rest.first, migrations.contains(where: { $0.name == name }) else {
        throw .migrationNewer(name: name)
      }
      guard next.name == name else { throw .migrationOutOfOrder(name: next.name) }
      guard next.checksum == (try row.text(1)) else { throw .migrationChanged(name: name) }
      rest = rest.dropFirst()
    }
    return Array(rest)
  }

  private func apply(
    _ migration: Migration, on connection: some SQLConnection
  ) throws(StorageError) {
    // A step may rebuild a table: dropping the old one must not delete the rows that name it.
    try connection.enforce(foreignKeys: false, checks: true)
    defer { try? connection.enforce(foreignKeys: true, checks: true) }
    try connection.beginStep()
    do throws(StorageError) {
      let broken = try brokenKeys(in: connection)
      try connection.executeScript(migration.sql)
      guard try brokenKeys(in: connection) <= broken else {
        throw StorageError.constraint(.foreignKey, "after the step")
      }
      try connection.execute(
        "INSERT INTO schema_migrations (name, checksum) VALUES ($1, $2)",
        [.text(migration.name), .text(migration.checksum)])
      try connection.commit()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      if case .diskFull = error { throw error }
      throw .migrationFailed(name: migration.name, reason: error.description)
    }
  }

  /// The number of rows that name a missing row, on an engine that does not check that itself.
  private func brokenKeys(in connection: some SQLConnection) throws(StorageError) -> Int64 {
    guard !connection.isShared else { return 0 }
    let row = try connection.first("SELECT count(*) FROM pragma_foreign_key_check")
    return try row?.integer(0) ?? 0
  }
}
