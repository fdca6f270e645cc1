// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import Storage

/// Counts the statements that an engine executed, by transaction.
final class StatementCount: Sendable {
  private let state = Mutex<[[String]]>([])

  /// The statements of each writing transaction since the last ``reset()``.
  var transactions: [[String]] { state.withLock { $0 } }

  func reset() { state.withLock { $0 = [] } }

  fileprivate func begin() { state.withLock { $0.append([]) } }

  fileprivate func add(_ sql: String) {
    state.withLock { transactions in
      guard !transactions.isEmpty else { return }
      transactions[transactions.count - 1].append(sql)
    }
  }
}

/// An engine that counts the statements of its writing connection.
struct CountingEngine: DatabaseEngine {
  let base: any DatabaseEngine
  let count: StatementCount

  var description: String { base.description }
  var isShared: Bool { base.isShared }
  var clock: Timestamp? { base.clock }

  func read(_ body: @escaping @Sendable (Result<any SQLReader, StorageError>) -> Void) {
    base.read(body)
  }

  func write(_ body: @escaping @Sendable (any SQLConnection) -> Void) {
    base.write { [count] connection in body(Connection(base: connection, count: count)) }
  }

  func prepare<Value: Sendable>(
    _ body: (any SQLConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try base.prepare(body)
  }

  func scrub(_ completion: @escaping @Sendable (Result<Bool, StorageError>) -> Void) {
    base.scrub(completion)
  }

  func close(_ completion: @escaping @Sendable (StorageError?) -> Void) {
    base.close(completion)
  }

  func otherNodes(in reader: any SQLReader) throws(StorageError) -> Int {
    try base.otherNodes(in: reader)
  }

  func observeOthers(_ observer: @escaping @Sendable (SharedChange) -> Void) {
    base.observeOthers(observer)
  }

  private struct Connection: SQLConnection {
    let base: any SQLConnection
    let count: StatementCount

    var isInTransaction: Bool { base.isInTransaction }
    var isShared: Bool { base.isShared }
    var hasConflict: Bool { base.hasConflict }
    var isBroken: Bool { base.isBroken }

    func begin(exclusively: Bool) throws(StorageError) {
      try base.begin(exclusively: exclusively)
      count.begin()
    }

    func beginStep() throws(StorageError) { try base.beginStep() }
    func commit() throws(StorageError) { try base.commit() }
    func reopen() throws(StorageError) { try base.reopen() }
    func executeScript(_ sql: String) throws(StorageError) { try base.executeScript(sql) }
    func announce(_ messages: [String]) throws(StorageError) { try base.announce(messages) }

    func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
      count.add(sql.description)
      return try base.query(sql, arguments)
    }

    func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
      count.add(sql.text)
      return try base.query(dynamic: sql, arguments)
    }

    func query(
      _ statement: SQLStatement, _ arguments: [SQLValue]
    ) throws(StorageError) -> [SQLRow] {
      count.add(statement.sql.text)
      return try base.query(statement, arguments)
    }

    func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
      count.add(sql.description)
      return try base.execute(sql, arguments)
    }

    func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
      count.add(sql.text)
      return try base.execute(dynamic: sql, arguments)
    }

    func execute(
      _ statement: SQLStatement, _ arguments: [SQLValue]
    ) throws(StorageError) -> Int {
      count.add(statement.sql.text)
      return try base.execute(statement, arguments)
    }
  }
}
