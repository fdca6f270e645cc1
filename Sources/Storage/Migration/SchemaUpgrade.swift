// SPDX-License-Identifier: Apache-2.0
import Logging

/// The upgrade of a stored database to the schema of this program: all steps, or none.
package struct SchemaUpgrade: Sendable {
  /// The work that an upgrade of a database would do.
  package struct Plan: Sendable, Equatable {
    /// The names of the steps that are not applied yet, in order.
    package let steps: [String]
    /// The size of the stored data in bytes.
    package let bytes: Int64
    /// The number of servers that use the database now; 0 if it is a file.
    package let servers: Int
    /// True if these servers must stop first, because a step does more than to add tables.
    package let stopsServers: Bool
    let applied: Int
  }

  let location: Database.Location
  let keys: KeyRing
  let node: String
  let anchoring: AuditAnchoring
  let logger: Logger
  var migrations = Migration.embedded

  /// Creates an upgrade; the caller holds the lock of the data folder.
  ///
  /// - Parameters:
  ///   - node: The name of the audit chain that the folder's anchors belong to.
  ///   - anchoring: ``AuditAnchoring/begins`` for a folder that never served this data.
  package init(
    of location: Database.Location, keys: KeyRing, node: String, anchoring: AuditAnchoring,
    logger: Logger
  ) {
    self.location = location
    self.keys = keys
    self.node = node
    self.anchoring = anchoring
    self.logger = logger
  }

  /// Returns the steps that the upgrade would apply, and changes nothing.
  ///
  /// Throws if the database is missing, newer than this program, or belongs to other keys.
  package func plan() async throws -> Plan {
    let missing = StorageError.dataMissing(place: location.dataName)
    if location.isFileMissing { throw missing }
    let engine = try OpenedEngine(location, damage: nil, logger: logger).engine
    let result: Result<Plan, any Error> = Result {
      try engine.prepare { connection throws(StorageError) in
        let migrator = Migrator(migrations: migrations)
        guard try migrator.hasBegun(connection) else { throw missing }
        let steps = try migrator.missing(in: connection)
        try AuditStart.requireKeys(keys, of: node, in: connection)
        return Plan(
          steps: steps.map(\.name), bytes: try size(in: connection),
          servers: try engine.otherNodes(in: connection),
          stopsServers: !steps.allSatisfy(\.isAdditive), applied: migrations.count - steps.count)
      }
    }
    await withCheckedContinuation { closed in engine.close { _ in closed.resume() } }
    return try result.get()
  }

  private func size(in connection: any SQLConnection) throws(StorageError) -> Int64 {
    let row: SQLRow?
    if connection.isShared {
      row = try connection.first("SELECT pg_database_size(current_database())")
    } else {
      row = try connection.first(
        "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
    }
    return try row?.value() ?? 0
  }

  /// Opens the database as it is, for a backup before the upgrade.
  package func openBefore(_ plan: Plan) throws(StorageError) -> Database {
    try Database.open(
      location, keys: keys, node: node, logger: logger,
      migrations: Array(migrations.prefix(plan.applied)), anchoring: anchoring)
  }

  /// Applies every missing step in one transaction, and opens the database; after an error it is unchanged.
  package func perform() throws(StorageError) -> Database {
    try Database.open(
      location, keys: keys, node: node, logger: logger, migrations: migrations, together: true,
      anchoring: anchoring)
  }
}
