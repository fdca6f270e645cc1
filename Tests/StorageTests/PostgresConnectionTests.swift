// SPDX-License-Identifier: Apache-2.0
import Testing
import TestSupport

@testable import Storage

/// Statements that a connection to PostgreSQL sends together, and the handling of their errors.
@Suite(.enabled(if: TestDatabase.engine == .postgres))
struct PostgresConnectionTests {
  private static let insert = SQLStatement("INSERT INTO notes (patient, id) VALUES ('p', $1)")
  private static let ids = SQLStatement("SELECT id FROM notes ORDER BY id")
  /// A note with this id breaks a CHECK.
  private static let broken: Int64 = 13

  /// The database of a test, with its tables.
  private struct Place: Sendable {
    let address: PostgresAddress
    let gate = PostgresGate(uptime: { 0 })

    init() async throws {
      guard case .postgres(let address, _, _) = try await TestDatabase.location(.postgres) else {
        throw StorageError.closed
      }
      self.address = address
      let engine = try PostgresEngine.open(address, uptime: { 0 }, logger: .quiet)
      try engine.prepare { connection throws(StorageError) in
        _ = try Migrator(migrations: Migration.withTestTable).migrate(connection)
      }
      engine.close { _ in }
    }

    /// Returns an open connection that has prepared the statements of the tests.
    func connect() throws -> PostgresConnection {
      let connection = PostgresConnection(address: address, gate: gate)
      try connection.open(insists: true)
      try connection.begin(exclusively: false)
      _ = try connection.query(PostgresConnectionTests.ids, [])
      _ = try connection.execute(PostgresConnectionTests.insert, [0])
      try connection.execute("ROLLBACK")
      return connection
    }
  }

  private func connections() async throws -> (PostgresConnection, PostgresConnection) {
    let place = try await Place()
    return (try place.connect(), try place.connect())
  }

  private func expectCheck(
    _ error: StorageError?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    if case .constraint(.check, _)? = error { return }
    Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
  }

  private func kept(in connection: PostgresConnection) throws -> [Int64] {
    try connection.beginReading()
    defer { connection.endReading() }
    return try connection.query(Self.ids, []).values()
  }

  /// Ends the connection from the server's side.
  private func cut(_ connection: PostgresConnection, by other: PostgresConnection) throws {
    let process = connection.processID
    _ = try other.query("SELECT pg_terminate_backend($1::int, 10000)", [SQLValue(Int(process))])
  }

  // MARK: Waits

  @Test func `a single-statement read waits once, not for its end`() async throws {
    let (connection, other) = try await connections()
    for _ in 0..<3 {
      let before = connection.waits
      try connection.beginReading()
      #expect(try connection.query(Self.ids, []).isEmpty)
      connection.endReading()
      #expect(connection.waits == before + 1)
    }
    #expect(try kept(in: connection) == [])
    try other.begin(exclusively: false)
    try other.executeLater(Self.insert, [1])
    try other.commit()
    #expect(try kept(in: connection) == [1])
  }

  @Test func `a read without statements doesn't wait`() async throws {
    let (connection, _) = try await connections()
    let before = connection.waits
    try connection.beginReading()
    connection.endReading()
    #expect(connection.waits == before)
    #expect(try kept(in: connection) == [])
  }

  @Test func `a write waits for each statement and once for the commit`() async throws {
    let (connection, other) = try await connections()
    let before = connection.waits
    try connection.begin(exclusively: false)
    #expect(connection.isInTransaction)
    #expect(try connection.execute(Self.insert, [1]) == 1)
    for id in 2...4 { try connection.executeLater(Self.insert, [SQLValue(id)]) }
    #expect(try kept(in: other) == [])
    try connection.commit()
    #expect(connection.waits == before + 2)
    #expect(!connection.isInTransaction)
    #expect(try kept(in: other) == [1, 2, 3, 4])
  }

  @Test func `savepoints need no round trip`() async throws {
    let (connection, _) = try await connections()
    let before = connection.waits
    try connection.begin(exclusively: false)
    for id in 1...3 as ClosedRange<Int64> {
      try connection.execute("SAVEPOINT job")
      _ = try connection.execute(Self.insert, [.integer(id)])
      if id == 2 { try connection.execute("ROLLBACK TO job") }
      try connection.execute("RELEASE job")
    }
    try connection.commit()
    #expect(connection.waits == before + 4)
    #expect(try kept(in: connection) == [1, 3])
  }

  @Test func `a transaction without statements commits and rolls back`() async throws {
    let (connection, _) = try await connections()
    try connection.begin(exclusively: true)
    try connection.commit()
    #expect(!connection.isInTransaction)
    let before = connection.waits
    try connection.begin(exclusively: false)
    try connection.execute("SAVEPOINT job")
    try connection.execute("ROLLBACK")
    #expect(connection.waits == before)
    #expect(!connection.isInTransaction)
    #expect(try kept(in: connection) == [])
  }

  // MARK: Errors

  @Test func `an error in the first statement rolls the transaction back`() async throws {
    let (connection, _) = try await connections()
    try connection.begin(exclusively: false)
    let error = #expect(throws: StorageError.self) {
      try connection.execute(Self.insert, [.integer(Self.broken)])
    }
    expectCheck(error)
    #expect(connection.isInTransaction)
    #expect(throws: StorageError.transactionLost) { try connection.commit() }
    try connection.execute("ROLLBACK")
    #expect(!connection.isInTransaction)
    try connection.begin(exclusively: false)
    try connection.executeLater(Self.insert, [1])
    try connection.commit()
    #expect(try kept(in: connection) == [1])
  }

  @Test func `the last statement before the commit may break a rule`() async throws {
    let (connection, other) = try await connections()
    try connection.begin(exclusively: false)
    _ = try connection.execute(Self.insert, [1])
    try connection.executeLater(Self.insert, [2])
    try connection.executeLater(Self.insert, [.integer(Self.broken)])
    let error = #expect(throws: StorageError.self) { try connection.commit() }
    expectCheck(error)
    #expect(connection.isInTransaction)
    #expect(!connection.isBroken)
    try connection.execute("ROLLBACK")
    #expect(try kept(in: other) == [])
    #expect(try kept(in: connection) == [])
  }

  @Test func `after a deferred statement fails, only the rollback runs`() async throws {
    let (connection, _) = try await connections()
    try connection.begin(exclusively: false)
    _ = try connection.execute(Self.insert, [1])
    try connection.executeLater(Self.insert, [.integer(Self.broken)])
    let found = #expect(throws: StorageError.self) { try connection.query(Self.ids, []) }
    let first = try #require(found)
    expectCheck(first)
    #expect(throws: first) { try connection.query("SELECT 1", []) }
    #expect(throws: first) { try connection.execute("ROLLBACK TO job") }
    #expect(throws: first) { try connection.execute("RELEASE job") }
    #expect(throws: StorageError.transactionLost) { try connection.commit() }
    try connection.execute("ROLLBACK")
    #expect(try kept(in: connection) == [])
  }

  @Test func `a savepoint rolls back only the failed statement`() async throws {
    let (connection, _) = try await connections()
    try connection.begin(exclusively: false)
    for id in [1, Self.broken, 2] {
      try connection.execute("SAVEPOINT job")
      if (try? connection.execute(Self.insert, [.integer(id)])) == nil {
        // No other statement is possible before.
        #expect(throws: StorageError.self) { try connection.execute("RELEASE job") }
        try connection.execute("ROLLBACK TO job")
      }
      try connection.execute("RELEASE job")
    }
    try connection.commit()
    #expect(try kept(in: connection) == [1, 2])
  }

  @Test func `a lock timeout is a conflict of the first statement`() async throws {
    let (connection, other) = try await connections()
    try connection.script("SET lock_timeout = '50ms'")
    try other.begin(exclusively: true)
    _ = try other.query(Self.ids, [])
    try connection.begin(exclusively: false)
    #expect(throws: StorageError.busy) { try connection.execute(Self.insert, [1]) }
    #expect(connection.hasConflict)
    #expect(throws: StorageError.busy) { try connection.execute(Self.insert, [1]) }
    try connection.execute("ROLLBACK")
    try other.execute("ROLLBACK")
    try connection.begin(exclusively: true)
    #expect(!connection.hasConflict)
    _ = try connection.execute(Self.insert, [1])
    try connection.commit()
    #expect(try kept(in: other) == [1])
  }

  @Test func `a failed transaction left open doesn't block later ones`() async throws {
    let (connection, other) = try await connections()
    try connection.script("SET lock_timeout = '50ms'")
    try other.begin(exclusively: true)
    _ = try other.query(Self.ids, [])
    try connection.begin(exclusively: true)
    #expect(throws: StorageError.busy) { try connection.query(Self.ids, []) }
    try other.execute("ROLLBACK")
    try connection.begin(exclusively: false)
    _ = try connection.execute(Self.insert, [1])
    try connection.commit()
    #expect(try kept(in: other) == [1])
  }

  @Test func `a write takes its snapshot after its lock`() async throws {
    let place = try await Place()
    let (connection, other) = (try place.connect(), try place.connect())
    try other.begin(exclusively: true)
    _ = try other.execute(Self.insert, [1])
    async let found = TestDatabase.apart {
      let waiting = PostgresConnection(address: place.address, gate: place.gate)
      try waiting.open(insists: true)
      defer { waiting.close() }
      try waiting.begin(exclusively: false)
      return try waiting.query(Self.ids, []).values(as: Int64.self)
    }
    var isWaiting = false
    for _ in 0..<1_000 where !isWaiting {
      try await Task.sleep(for: .milliseconds(10))
      isWaiting = try connection.first("SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1") != nil
    }
    #expect(isWaiting)
    try other.commit()
    #expect(try await found == [1])
  }

  // MARK: Losses

  @Test func `an idle connection that was lost is reopened silently`() async throws {
    let (connection, other) = try await connections()
    #expect(try kept(in: connection) == [])
    try cut(connection, by: other)
    #expect(try kept(in: connection) == [])
    try cut(connection, by: other)
    try connection.begin(exclusively: false)
    try connection.execute("SAVEPOINT job")
    _ = try connection.execute(Self.insert, [1])
    try connection.execute("RELEASE job")
    try connection.commit()
    #expect(!connection.isBroken)
    try cut(connection, by: other)
    try connection.begin(exclusively: false)
    try connection.executeLater(Self.insert, [2])
    try connection.commit()
    try cut(connection, by: other)
    try connection.begin(exclusively: false)
    try connection.commit()
    #expect(try kept(in: other) == [1, 2])
  }

  @Test func `a connection lost midway saves nothing and recovers`() async throws {
    let (connection, other) = try await connections()
    try connection.begin(exclusively: false)
    _ = try connection.execute(Self.insert, [1])
    try cut(connection, by: other)
    #expect(throws: StorageError.unavailable) { try connection.execute(Self.insert, [2]) }
    #expect(connection.isBroken)
    #expect(!connection.isInTransaction)
    #expect(throws: StorageError.unavailable) { try connection.query(Self.ids, []) }
    #expect(throws: StorageError.transactionLost) { try connection.commit() }
    try connection.begin(exclusively: false)
    #expect(!connection.isBroken)
    _ = try connection.execute(Self.insert, [3])
    try connection.executeLater(Self.insert, [4])
    try cut(connection, by: other)
    #expect(throws: StorageError.unavailable) { try connection.commit() }
    #expect(connection.isBroken)
    #expect(try kept(in: other) == [])
    #expect(try kept(in: connection) == [])
  }

  @Test func `a write on a lost connection fails, and the next one succeeds`() async throws {
    try await DatabaseForm.postgres.withDatabase { database async throws in
      try await database.addNote(1)
      await #expect(throws: StorageError.unavailable) {
        try await database.write { writer in
          try writer.execute("INSERT INTO notes (patient, id) VALUES ($1, $2)", ["p", 2])
          writer.audit(.sample(1))
          _ = try writer.query("SELECT pg_terminate_backend(pg_backend_pid())")
        }
      }
      await #expect(throws: StorageError.unavailable) {
        try await database.read { try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
      }
      try await database.write { writer in
        try writer.execute("INSERT INTO notes (patient, id) VALUES ($1, $2)", ["p", 3])
        writer.audit(.sample(2))
      }
      #expect(try await database.noteIDs() == [1, 3])
      let verification = try await database.verifyAudit()
      #expect(verification.isIntact)
      #expect(verification.rows == 1)
    }
  }
}
