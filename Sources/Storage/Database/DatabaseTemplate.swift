// SPDX-License-Identifier: Apache-2.0
import Logging

/// An empty database in memory with the whole schema.
///
/// A copy of it opens faster than all migrations run, which matters when thousands of databases are opened,
/// as in tests.
package struct DatabaseTemplate: Sendable {
  let engine: SQLiteEngine

  /// Creates an empty database in memory and applies all migrations.
  package init(logger: Logger) throws(StorageError) {
    engine = try SQLiteEngine.inMemory(logger: logger)
    try engine.prepare { connection throws(StorageError) in
      _ = try Migrator(migrations: Migration.embedded).migrate(connection)
    }
  }
}
