// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Synchronization

/// The number of statements that reads and writes have run; each is a round trip to a database server.
final class StatementCount: Sendable {
  private let count = Atomic<Int>(0)

  var total: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

/// A reader whose statements are counted.
struct CountedReader: SQLReader {
  let reader: any SQLReader
  let count: StatementCount

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    count.add()
    return try reader.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    count.add()
    return try reader.query(dynamic: sql, arguments)
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    count.add()
    return try reader.query(statement, arguments)
  }
}

/// A writer whose statements are counted, and whose audit entries name the app that caused them.
struct CountedWriter: SQLWriter {
  let writer: any SQLWriter
  let count: StatementCount
  /// The app in whose request the write was asked for; nil for none.
  var app: AppID?

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    count.add()
    return try writer.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    count.add()
    return try writer.query(dynamic: sql, arguments)
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    count.add()
    return try writer.query(statement, arguments)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    count.add()
    return try writer.execute(sql, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    count.add()
    return try writer.execute(dynamic: sql, arguments)
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    count.add()
    return try writer.execute(statement, arguments)
  }

  func audit(_ entry: AuditEntry) {
    var entry = entry
    if entry.app == nil { entry.app = app }
    writer.audit(entry)
  }
  func announce(_ patients: Set<PatientID>) { writer.announce(patients) }
}
