// SPDX-License-Identifier: Apache-2.0

/// The writing connection of an engine, with transactions drawn by hand.
protocol SQLConnection: SQLReader {
  @discardableResult
  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int
  @discardableResult
  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int
  /// Runs the statements of a migration file.
  func executeScript(_ sql: String) throws(StorageError)
  /// Whether a transaction is open; an engine may drop one by itself after a severe error.
  var isInTransaction: Bool { get }
}

extension SQLConnection {
  func execute(_ sql: StaticString) throws(StorageError) {
    try execute(sql, [])
  }
}

/// What differs between the databases that can hold the data.
protocol DatabaseEngine: Sendable {
  /// Name and version.
  var description: String { get }
  /// Runs a block on a reading connection within one snapshot.
  func read(_ body: @escaping @Sendable (Result<any SQLReader, StorageError>) -> Void)
  /// Runs a block on the one writing connection, outside of a transaction, after earlier ones.
  func write(_ body: @escaping @Sendable (any SQLConnection) -> Void)
  /// Runs a block on the writing connection at once, before any other use of the engine.
  func prepare<Value: Sendable>(
    _ body: (any SQLConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value
  /// Waits for running blocks, then closes every connection and says whether that worked.
  func close(_ completion: @escaping @Sendable (StorageError?) -> Void)
}
