// SPDX-License-Identifier: Apache-2.0

/// The writing connection of an engine, with explicit transactions.
protocol SQLConnection: SQLReader {
  @discardableResult
  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int
  @discardableResult
  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int
  @discardableResult
  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int
  /// Runs a changing statement whose count is not needed, at the latest with the commit, which then throws
  /// its error.
  func executeLater(
    _ statement: SQLStatement, _ arguments: [SQLValue]
  ) throws(StorageError)
  /// Runs the statements of a migration file.
  func executeScript(_ sql: String) throws(StorageError)
  /// True if a transaction is open; an engine may drop one after a severe error.
  var isInTransaction: Bool { get }
  /// True if other processes write to the same database.
  var isShared: Bool { get }
  /// Opens a serializable transaction.
  ///
  /// - Parameter exclusively: true to wait until no other transaction is writing.
  func begin(exclusively: Bool) throws(StorageError)
  /// Opens a transaction for a migration, whose tables may not exist yet.
  func beginStep() throws(StorageError)
  func commit() throws(StorageError)
  /// True if the latest transaction had a conflict with another process: run it again.
  var hasConflict: Bool { get }
  /// True if the connection was lost in the latest transaction.
  var isBroken: Bool { get }
  /// Turns the enforcement of foreign keys and CHECKs on or off, outside a transaction.
  ///
  /// An engine that always enforces them ignores this.
  func enforce(foreignKeys: Bool, checks: Bool) throws(StorageError)
  /// Sends messages to other processes with the commit.
  func announce(_ messages: [String]) throws(StorageError)
  /// Connects again after the connection was lost.
  func reopen() throws(StorageError)
}

extension SQLConnection {
  func execute(_ sql: StaticString) throws(StorageError) {
    try execute(sql, [])
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try execute(dynamic: statement.sql, arguments)
  }

  func executeLater(
    _ statement: SQLStatement, _ arguments: [SQLValue]
  ) throws(StorageError) {
    try execute(statement, arguments)
  }
}

/// Defaults for one process that has the database to itself and cannot lose its connection.
extension SQLConnection {
  var isShared: Bool { false }
  func begin(exclusively: Bool) throws(StorageError) { try execute("BEGIN IMMEDIATE") }
  func beginStep() throws(StorageError) { try execute("BEGIN IMMEDIATE") }
  func commit() throws(StorageError) { try execute("COMMIT") }
  func enforce(foreignKeys: Bool, checks: Bool) throws(StorageError) {}
  var hasConflict: Bool { false }
  var isBroken: Bool { false }
  func announce(_ messages: [String]) throws(StorageError) {}
  func reopen() throws(StorageError) {}
}

/// The operations that differ between the supported databases.
protocol DatabaseEngine: Sendable {
  /// The name and version.
  var description: String { get }
  /// Runs a block on a reading connection within one snapshot.
  func read(_ body: @escaping @Sendable (Result<any SQLReader, StorageError>) -> Void)
  /// Runs a block on a reading connection within one snapshot, on the caller's thread.
  ///
  /// Returns false, and does nothing, if the engine would wait for a connection or for another computer.
  func readAtOnce(_ body: (Result<any SQLReader, StorageError>) -> Void) -> Bool
  /// Runs a block on the one writing connection, outside of a transaction, after earlier ones.
  func write(_ body: @escaping @Sendable (any SQLConnection) -> Void)
  /// Runs a block on the writing connection at once, before any other use of the engine.
  func prepare<Value: Sendable>(
    _ body: (any SQLConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value
  /// Removes deleted data from the engine's own files once running reads have ended; false if the engine does
  /// that on its own schedule.
  func scrub(_ completion: @escaping @Sendable (Result<Bool, StorageError>) -> Void)
  /// Waits for writing blocks, ends reading ones that take long, then closes every connection and reports an error
  /// if that failed.
  func close(_ completion: @escaping @Sendable (StorageError?) -> Void)
  /// The most connections for an operation that the engine opens, and those that it has opened or may use at once.
  func connections(for operation: DatabaseOperation) -> (limit: Int, opened: Int)
  /// True if other processes may use the same database.
  var isShared: Bool { get }
  /// The clock that all processes with this database follow; nil if there is only one.
  var clock: Timestamp? { get }
  /// Returns the number of other processes that serve the same database now.
  func otherNodes(in reader: any SQLReader) throws(StorageError) -> Int
  /// Calls an observer with what other processes have changed, on a thread that must not wait.
  func observeOthers(_ observer: @escaping @Sendable (SharedChange) -> Void)
}

extension DatabaseEngine {
  func connections(for operation: DatabaseOperation) -> (limit: Int, opened: Int) {
    let limit = operation == .read ? Database.mostReaders : 1
    return (limit, limit)
  }
  func readAtOnce(_ body: (Result<any SQLReader, StorageError>) -> Void) -> Bool { false }
  var isShared: Bool { false }
  var clock: Timestamp? { nil }
  func scrub(_ completion: @escaping @Sendable (Result<Bool, StorageError>) -> Void) {
    completion(.success(false))
  }
  func otherNodes(in reader: any SQLReader) throws(StorageError) -> Int { 0 }
  func observeOthers(_ observer: @escaping @Sendable (SharedChange) -> Void) {}
}
