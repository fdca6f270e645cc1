// SPDX-License-Identifier: Apache-2.0

/// Migrates a database to the schema of this program, forward only.
struct Migrator {
  let migrations: [Migration]

  /// Applies the missing migrations with their records, each in its own transaction, or all together in one.
  ///
  /// Rejects a database with a migration that is unknown (from a newer program), changed, or missing below
  /// applied ones, and one created by a development build before the first release. A failing migration is
  /// rolled back. Returns the names of the applied migrations.
  @discardableResult
  func migrate(
    _ connection: some SQLConnection, together: Bool = false
  ) throws(StorageError) -> [String] {
    try connection.executeScript(
      """
      CREATE TABLE IF NOT EXISTS schema_migrations (
        name TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (name)
      )
      """)
    let missing = try missing(in: connection)
    if together {
      try apply(missing, on: connection)
    } else {
      for migration in missing { try apply([migration], on: connection) }
    }
    return missing.map(\.name)
  }

  /// Returns true if any migration was applied before.
  func hasBegun(_ connection: some SQLConnection) throws(StorageError) -> Bool {
    do throws(StorageError) {
      return try !connection.query("SELECT name FROM schema_migrations LIMIT 1").isEmpty
    } catch {
      // The table does not exist yet.
      if case .statement = error { return false }
      throw error
    }
  }

  /// Returns true if nodes that serve the database now can go on while the missing migrations are applied.
  func leavesOthersRunning(_ connection: some SQLConnection) throws(StorageError) -> Bool {
    guard try hasBegun(connection) else { return true }
    return try missing(in: connection).allSatisfy(\.isAdditive)
  }

  /// Returns the migrations that are not applied yet; throws for a database that ``migrate(_:together:)``
  /// rejects.
  func missing(in connection: some SQLConnection) throws(StorageError) -> [Migration] {
    let applied: [AppliedStep] = try connection.query(AppliedStep.all, []).decode()
    var rest = migrations[...]
    for step in applied {
      if Migration.isUnreleased(checksum: step.checksum) { throw .schemaUnreleased }
      let name = step.name
      guard let next = rest.first, migrations.contains(where: { $0.name == name }) else {
        throw .migrationNewer(name: name)
      }
      guard next.name == name else { throw .migrationOutOfOrder(name: next.name) }
      guard next.checksum == step.checksum else { throw .migrationChanged(name: name) }
      rest = rest.dropFirst()
    }
    return Array(rest)
  }

  private func apply(
    _ migrations: [Migration], on connection: some SQLConnection
  ) throws(StorageError) {
    guard var current = migrations.first else { return }
    // A migration may rebuild a table: dropping the old one must not delete the rows that reference it.
    try connection.enforce(foreignKeys: false, checks: true)
    defer { try? connection.enforce(foreignKeys: true, checks: true) }
    try connection.beginStep()
    do throws(StorageError) {
      for migration in migrations {
        current = migration
        let broken = try brokenKeys(in: connection)
        try connection.executeScript(migration.sql)
        guard try brokenKeys(in: connection) <= broken else {
          throw StorageError.constraint(.foreignKey, "after the step")
        }
        let step = AppliedStep(name: migration.name, checksum: migration.checksum)
        try connection.execute(Self.insert, step.values)
      }
      try connection.commit()
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      if case .diskFull = error { throw error }
      throw .migrationFailed(name: current.name, reason: error.description)
    }
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO schema_migrations (\(AppliedStep.columns)) VALUES (\(AppliedStep.placeholders))
    """)

  /// Returns the number of rows that reference a missing row, on an engine that does not check that itself.
  private func brokenKeys(in connection: some SQLConnection) throws(StorageError) -> Int64 {
    guard !connection.isShared else { return 0 }
    let row = try connection.first("SELECT count(*) FROM pragma_foreign_key_check")
    return try row?.value() ?? 0
  }
}

/// A row of `schema_migrations`: an applied migration.
struct AppliedStep: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn { case name, checksum }

  static let columns = SQLColumns<Column>()

  let name: String
  let checksum: String

  init(name: String, checksum: String) {
    self.name = name
    self.checksum = checksum
  }

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    name = try columns.text(.name)
    checksum = try columns.text(.checksum)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .name: .text(name)
    case .checksum: .text(checksum)
    }
  }

  static let all = SQLStatement(
    "SELECT \(AppliedStep.columns) FROM schema_migrations ORDER BY name")
}
