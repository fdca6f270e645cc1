// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Foundation
import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// SQLite through GRDB: one writing connection, which does all checkpoints, and for a file a pool of reading
/// connections.
final class SQLiteEngine: DatabaseEngine {
  /// The first version without a bug that may damage a file when two connections reset the log at once.
  ///
  /// With one process and one writer that cannot happen here.
  private static let firstSoundVersion: Int32 = 3_051_003
  private let database: any DatabaseWriter
  private let connections: SQLiteConnections

  /// Opens or creates a database file in which every acknowledged commit survives a power loss.
  static func open(
    file path: String, damage: DamageMonitor? = nil, logger: Logger
  ) throws(StorageError) -> SQLiteEngine {
    warnIfUnsound(logger)
    // Created here with mode 0600; SQLite gives its log files the same mode.
    try PrivateFile.create(path)
    do {
      let pool = try DatabasePool(path: path, configuration: configuration())
      let engine = SQLiteEngine(database: pool, damage: damage)
      try pool.writeWithoutTransaction { try engine.requireDurability($0) }
      return engine
    } catch {
      throw StorageError(error)
    }
  }

  /// Creates a database that lives as long as the engine, on one connection: empty, or with the content of
  /// another.
  static func inMemory(
    copying original: SQLiteEngine? = nil, damage: DamageMonitor? = nil, logger: Logger
  ) throws(StorageError) -> SQLiteEngine {
    warnIfUnsound(logger)
    do {
      let queue = try DatabaseQueue(configuration: configuration())
      try original?.database.backup(to: queue)
      return SQLiteEngine(database: queue, damage: damage)
    } catch {
      throw StorageError(error)
    }
  }

  private init(database: any DatabaseWriter, damage: DamageMonitor?) {
    self.database = database
    connections = SQLiteConnections(damage: damage)
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.maximumReaderCount = Database.mostReaders
    configuration.label = "regimen"
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { connection in
      let code = csqlite_enable_stable_plans(connection.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
      try connection.execute(sql: "PRAGMA mmap_size = 0")
      try connection.execute(sql: "PRAGMA trusted_schema = OFF")
      // Detects more kinds of damaged pages when they are read than by default.
      try connection.execute(sql: "PRAGMA cell_size_check = ON")
      // Deleted data is overwritten with zeros.
      try connection.execute(sql: "PRAGMA secure_delete = ON")
      if connection.configuration.readonly {
        try connection.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        // The integrity check is about damage; rows that break a CHECK are found separately.
        try connection.execute(sql: "PRAGMA ignore_check_constraints = ON")
      }
    }
    return configuration
  }

  /// Sets `synchronous = FULL` and reads it back.
  ///
  /// GRDB sets `NORMAL` on each opening, after connections are prepared, and a commit acknowledged under
  /// NORMAL may be lost with the power.
  private func requireDurability(_ connection: GRDB.Database) throws {
    try connection.execute(sql: "PRAGMA synchronous = FULL")
    try require("synchronous", "2", on: connection)
    try require("journal_mode", "wal", on: connection)
    try require("foreign_keys", "1", on: connection)
    try require("mmap_size", "0", on: connection)
  }

  private func require(
    _ name: String, _ expected: String, on connection: GRDB.Database
  ) throws {
    let value: DatabaseValue? = try DatabaseValue.fetchOne(connection, sql: "PRAGMA \(name)")
    // A setting that the engine was built without, such as memory mapping, returns nothing.
    guard let value else { return }
    let found = value.storage.value.map { "\($0)" } ?? ""
    guard found == expected else {
      throw StorageError.setting(name: name, expected: expected, found: found)
    }
  }

  private static func warnIfUnsound(_ logger: Logger) {
    guard sqlite3_libversion_number() < firstSoundVersion else { return }
    logger.warning(
      """
      SQLite \(version) is older than 3.51.3, which fixes damage by two programs writing at once. \
      Do not open the database file with any other program.
      """)
  }

  private static var version: String {
    String(cString: sqlite3_libversion())
  }

  var description: String { "SQLite \(Self.version)" }

  func read(_ body: @escaping @Sendable (Result<any SQLReader, StorageError>) -> Void) {
    database.asyncRead { [connections] result in
      switch result {
      case .success(let connection):
        let reader = SnapshotReader(connections.connection(connection))
        body(.success(reader))
        reader.end()
      case .failure(let error):
        let failure = StorageError(error)
        connections.damage?.look(at: failure)
        body(.failure(failure))
      }
    }
  }

  func readAtOnce(_ body: (Result<any SQLReader, StorageError>) -> Void) -> Bool {
    // The one connection of a database in memory may be writing.
    guard let pool = database as? DatabasePool else { return false }
    var isDone = false
    do {
      // The transaction is begun and ended by prepared statements: GRDB would compile both for each read.
      try pool.unsafeRead { [connections] connection in
        let connection = connections.connection(connection)
        // GRDB stops the program if a transaction is left open.
        defer { if connection.isInTransaction { _ = try? connection.execute("ROLLBACK", []) } }
        _ = try connection.execute("BEGIN", [])
        let reader = SnapshotReader(connection)
        isDone = true
        body(.success(reader))
        reader.end()
        _ = try connection.execute("COMMIT", [])
      }
    } catch {
      // Nothing can be said of an end of the snapshot that fails after the body was called.
      guard !isDone else { return true }
      let failure = StorageError(error)
      connections.damage?.look(at: failure)
      body(.failure(failure))
    }
    return true
  }

  func write(_ body: @escaping @Sendable (any SQLConnection) -> Void) {
    database.asyncWriteWithoutTransaction { [connections] connection in
      body(connections.connection(connection))
    }
  }

  func prepare<Value: Sendable>(
    _ body: (any SQLConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    do {
      return try database.writeWithoutTransaction { try body(connections.connection($0)) }
    } catch {
      throw StorageError(error)
    }
  }

  /// The largest file that is rewritten, in bytes: it passes through memory, because a temporary file would
  /// be another trace.
  private static let largestRewrite: Int64 = 256 << 20

  /// Rewrites the file, checkpoints the log and truncates it.
  ///
  /// Deleted rows are overwritten with zeros, but a page may still have a copy of a row that was moved, and
  /// the log contains earlier versions of pages.
  func scrub(_ completion: @escaping @Sendable (Result<Bool, StorageError>) -> Void) {
    database.asyncBarrierWriteWithoutTransaction { [self] result in
      do {
        let connection = try result.get()
        let isRewritten = try rewrite(connection)
        guard database is DatabasePool else {
          completion(.success(isRewritten))
          return
        }
        let row = try Row.fetchOne(connection, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        let busy = row.flatMap { $0[0] as Int? }
        completion(.success(isRewritten && busy == 0))
      } catch {
        completion(.failure(StorageError(error)))
      }
    }
  }

  /// Rewrites the file; returns false if it is too large.
  private func rewrite(_ connection: GRDB.Database) throws -> Bool {
    let pages: Int64? = try Int64.fetchOne(connection, sql: "PRAGMA page_count")
    let size: Int64? = try Int64.fetchOne(connection, sql: "PRAGMA page_size")
    guard let pages, let size, pages * size <= Self.largestRewrite else { return false }
    try connection.execute(sql: "PRAGMA temp_store = MEMORY")
    defer { try? connection.execute(sql: "PRAGMA temp_store = DEFAULT") }
    try connection.execute(sql: "VACUUM")
    return true
  }

  func close(_ completion: @escaping @Sendable (StorageError?) -> Void) {
    DispatchQueue.global().async { [self] in
      do {
        if database is DatabasePool {
          // After the last write, only reads are left: a check of a large file would take minutes.
          try database.writeWithoutTransaction { _ in }
          database.interrupt()
        }
        try database.barrierWriteWithoutTransaction { connection in
          // Prepared statements would keep their connections open.
          connections.removeAll()
          if database is DatabasePool {
            try connection.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
          }
        }
        try database.close()
        completion(nil)
      } catch {
        completion(StorageError(error))
      }
    }
  }
}

/// The prepared state of every open connection.
private final class SQLiteConnections: Sendable {
  private let known = Mutex<[ObjectIdentifier: SQLiteConnection]>([:])
  let damage: DamageMonitor?

  init(damage: DamageMonitor?) {
    self.damage = damage
  }

  func connection(_ connection: GRDB.Database) -> SQLiteConnection {
    known.withLock { known in
      if let prepared = known[ObjectIdentifier(connection)] { return prepared }
      let new = SQLiteConnection(connection, damage: damage)
      known[ObjectIdentifier(connection)] = new
      return new
    }
  }

  func removeAll() {
    known.withLock { $0.removeAll() }
  }
}
