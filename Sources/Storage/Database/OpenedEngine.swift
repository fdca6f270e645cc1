// SPDX-License-Identifier: Apache-2.0
import Logging

/// The engine of a location, just opened, before its schema is known.
struct OpenedEngine {
  let engine: any DatabaseEngine
  private(set) var catalogue: any EngineCatalogue = SQLiteCatalogue()
  /// The data folder that belongs to the location; nil if there is none.
  private(set) var folder: DataFolder?

  init(
    _ location: Database.Location, damage: DamageMonitor?, logger: Logger
  ) throws(StorageError) {
    switch location {
    case .memory:
      engine = try SQLiteEngine.inMemory(damage: damage, logger: logger)
    case .template(let template):
      engine = try SQLiteEngine.inMemory(
        copying: template.engine, damage: damage, logger: logger)
    case .folder(let given):
      engine = try SQLiteEngine.open(file: given.databasePath, damage: damage, logger: logger)
      folder = given
    case .postgres(let address, let given, let uptime):
      engine = try PostgresEngine.open(address, uptime: uptime, damage: damage, logger: logger)
      catalogue = PostgresCatalogue()
      folder = given
    }
  }
}
