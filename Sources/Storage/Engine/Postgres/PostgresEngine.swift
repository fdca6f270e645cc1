// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization

/// PostgreSQL through libpq: one writing connection, a few reading ones and one that listens, each on its own
/// thread.
///
/// Other processes may use the same database at the same time.
final class PostgresEngine: DatabaseEngine {
  private static let readers = 6
  /// The time for which closing waits for reads: those of a large table may take minutes, and lose nothing
  /// when the process ends.
  private static let millisecondsForReads: Int32 = 3_000
  /// The lock that keeps two nodes from migrating the schema at the same time; the number is arbitrary.
  private static let schemaLock: Int64 = 7_305_281_946
  /// The lock that every running node holds as shared.
  static let nodeLock: Int64 = 7_305_281_947
  let description: String
  let isShared = true
  private let writer: PostgresWorkers
  private let reader: PostgresWorkers
  private let listener: PostgresListener
  private let connect: @Sendable () -> PostgresConnection

  /// Opens the engine and connects once, to test the address.
  static func open(
    _ address: PostgresAddress, uptime: @escaping @Sendable () -> UInt64,
    damage: DamageMonitor? = nil, logger: Logger
  ) throws(StorageError) -> PostgresEngine {
    let gate = PostgresGate(uptime: uptime)
    let connect: @Sendable () -> PostgresConnection = {
      PostgresConnection(address: address, gate: gate, damage: damage)
    }
    let connection = connect()
    do {
      try connection.open(insists: true)
    } catch {
      throw .unreachable(address.description, reason: connection.refusal)
    }
    try requireDurability(of: connection, logger)
    let listener = PostgresListener(connect: connect, uptime: uptime, logger: logger)
    try listener.setClock(by: connection)
    return PostgresEngine(
      description: "PostgreSQL \(connection.serverVersion)", connect: connect, listener: listener)
  }

  private init(
    description: String, connect: @escaping @Sendable () -> PostgresConnection,
    listener: PostgresListener
  ) {
    self.description = description
    self.connect = connect
    self.listener = listener
    writer = PostgresWorkers(name: "postgres-writer", limit: 1, connect: connect)
    reader = PostgresWorkers(name: "postgres-reader", limit: Self.readers, connect: connect)
  }

  deinit {
    listener.stop()
  }

  /// Checks that an acknowledged commit survives a power loss.
  private static func requireDurability(
    of connection: PostgresConnection, _ logger: Logger
  ) throws(StorageError) {
    let row = try connection.first(DurabilityRow.statement, [])?.read(DurabilityRow.self)
    if try row?.text(.synchronousCommit) == "off" {
      throw .setting(name: "synchronous_commit", expected: "on", found: "off")
    }
    if try row?.text(.fsync) == "off" {
      logger.warning(
        "PostgreSQL runs with fsync = off: a power cut can destroy the data. Turn it on.")
    }
  }

  func read(_ body: @escaping @Sendable (Result<any SQLReader, StorageError>) -> Void) {
    reader.submit { connection in
      do throws(StorageError) {
        try connection.beginReading()
      } catch {
        body(.failure(error))
        return
      }
      let reader = SnapshotReader(connection)
      body(.success(reader))
      reader.end()
      connection.endReading()
    }
  }

  func write(_ body: @escaping @Sendable (any SQLConnection) -> Void) {
    writer.submit { [listener] connection in
      // Connect before the first statement; if that fails, the body finds out itself.
      try? connection.open()
      listener.know(connection.processID)
      body(connection)
      listener.know(connection.processID)
    }
  }

  func prepare<Value: Sendable>(
    _ body: (any SQLConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let connection = connect()
    defer { connection.close() }
    try connection.open(insists: true)
    try connection.script("SET lock_timeout = 0; SELECT pg_advisory_lock(\(Self.schemaLock))")
    return try body(connection)
  }

  func close(_ completion: @escaping @Sendable (StorageError?) -> Void) {
    listener.stop()
    let once = Once()
    let report: @Sendable () -> Void = {
      if once.isFirst() { completion(nil) }
    }
    writer.finish { [reader] in
      reader.finish(report)
      let patience = Thread {
        _ = poll(nil, 0, Self.millisecondsForReads)
        report()
      }
      patience.start()
    }
  }

  func connections(for operation: DatabaseOperation) -> (limit: Int, opened: Int) {
    let workers = operation == .read ? reader : writer
    return (workers.limit, workers.opened)
  }

  var clock: Timestamp? { listener.clock }

  /// Returns the number of other nodes, whose listeners each hold a lock on the database.
  func otherNodes(in reader: any SQLReader) throws(StorageError) -> Int {
    let row = try reader.first(
      """
      SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
        AND (classid::bigint << 32) + objid::bigint = $1 AND pid <> $2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """, [.integer(Self.nodeLock), .integer(Int64(listener.process))])
    return try row?.value() ?? 0
  }

  func observeOthers(_ observer: @escaping @Sendable (SharedChange) -> Void) {
    listener.listen(observer)
  }
}

/// Lets only the first of several callers go on.
private final class Once: Sendable {
  private let isOver = Atomic(false)

  func isFirst() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}

/// The settings that decide whether a commit survives a loss of power.
enum DurabilityRow: SQLRowType {
  enum Column: Int, SQLColumn { case synchronousCommit, fsync }

  static let columns = SQLColumns<Column>(
    [
      .synchronousCommit: "current_setting('synchronous_commit')",
      .fsync: "current_setting('fsync')",
    ])

  static let statement = SQLStatement("SELECT \(DurabilityRow.columns)")
}
