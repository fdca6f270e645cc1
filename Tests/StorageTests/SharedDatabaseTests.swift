// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Identifiers
import Synchronization
import Testing
import TestSupport

@testable import Storage

/// Two databases on one PostgreSQL database, as two processes would open them.
@Suite(.enabled(if: TestDatabase.engine == .postgres))
struct SharedDatabaseTests {
  private func pair() async throws -> (Database, Database) {
    let location = try await TestDatabase.location(.postgres)
    return try await TestDatabase.apart {
      let keys = try KeyRing.test
      let open = { () throws(StorageError) in
        try Database.open(
          location, keys: keys, node: "test", logger: .quiet, migrations: Migration.withTestTable)
      }
      return (try open(), try open())
    }
  }

  @Test func `writes of both nodes all count and form one audit chain`() async throws {
    let (one, other) = try await pair()
    try await one.addNote(1)
    try await one.write { try $0.execute("UPDATE notes SET amount = 0", []) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await (number % 2 == 0 ? one : other).write { writer in
            let amount = try writer.first("SELECT amount FROM notes WHERE id = 1")?.real(0) ?? -1
            try writer.execute("UPDATE notes SET amount = $1 WHERE id = 1", [.real(amount + 1)])
            writer.audit(.sample(number))
          }
        }
      }
      try await group.waitForAll()
    }
    let amount = try await other.read { try $0.first("SELECT amount FROM notes")?.real(0) }
    #expect(amount == 100)
    let verification = try await one.verifyAudit()
    #expect(verification.isIntact)
    #expect(verification.rows == 100)
    let chains = try await one.read { try $0.query("SELECT DISTINCT node FROM audit").count }
    #expect(chains == 1)
    await one.close()
    await other.close()
  }

  /// A change that the other node commits during each try makes the serializable transaction fail; later
  /// tries must exclude all other writers, even changes without audit rows.
  @Test func `a write that conflicts with the other node is retried alone`() async throws {
    let (one, other) = try await pair()
    try await one.addNote(1)
    try await one.write { try $0.execute("UPDATE notes SET amount = 0", []) }
    let committed = DispatchSemaphore(value: 0)
    let tries = Mutex(0)
    let amount = try await one.write { writer -> Double in
      tries.withLock { $0 += 1 }
      let amount = try writer.first("SELECT amount FROM notes WHERE id = 1")?.real(0) ?? -1
      Task {
        _ = try? await other.write { writer in
          try writer.execute("UPDATE notes SET amount = amount + 10 WHERE id = 1", [])
        }
        committed.signal()
      }
      // If the other node cannot commit now, the wait ends without it.
      _ = committed.wait(timeout: .now() + 2)
      try writer.execute("UPDATE notes SET amount = $1 WHERE id = 1", [.real(amount + 1)])
      writer.audit(.sample(1))
      return amount + 1
    }
    #expect(tries.withLock { $0 } == 2)
    #expect(amount == 11)
    committed.wait()
    let kept = try await one.read { try $0.first("SELECT amount FROM notes")?.real(0) }
    #expect(kept == 21)
    #expect(try await one.verifyAudit().isIntact)
    await one.close()
    await other.close()
  }

  @Test func `rows claimed by one node are skipped by the other`() async throws {
    let (one, other) = try await pair()
    for id in 1...4 { try await one.addNote(id) }
    let claim: @Sendable (any SQLReader) throws -> [Int64] = { reader in
      try reader.query(
        "SELECT id FROM notes ORDER BY id LIMIT 2 /*postgresql FOR UPDATE SKIP LOCKED */"
      ).map { try $0.integer(0) }
    }
    let claimed = DispatchSemaphore(value: 0)
    let looked = DispatchSemaphore(value: 0)
    // Each waits on its own writer's thread, inside its transaction.
    async let first = one.write { writer -> [Int64] in
      defer {
        claimed.signal()
        looked.wait()
      }
      return try claim(writer)
    }
    async let second = other.write { writer -> [Int64] in
      claimed.wait()
      defer { looked.signal() }
      return try claim(writer)
    }
    #expect(try await first == [1, 2])
    #expect(try await second == [3, 4])
    await one.close()
    await other.close()
  }

  @Test func `a node hears of the other's changes but not of its own`() async throws {
    let (one, other) = try await pair()
    let (heard, voice) = AsyncStream<SharedChange>.makeStream()
    let own = Mutex<[SharedChange]>([])
    one.observeOthers { change in own.withLock { $0.append(change) } }
    other.observeOthers { voice.yield($0) }
    // Wait until both listen: earlier messages reach no one.
    let calls = Task {
      while !Task.isCancelled {
        try await one.write { $0.announce(["p2"]) }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    var changes = heard.makeAsyncIterator()
    #expect(await changes.next() == SharedChange(patients: ["p2"], wakesReminders: false))
    calls.cancel()
    _ = try? await calls.value
    try await one.write { $0.audit(.sample(1, patient: "p1")) }
    var latest = await changes.next()
    while latest?.wakesReminders == false { latest = await changes.next() }
    #expect(latest == SharedChange(patients: ["p1"], wakesReminders: true))
    #expect(own.withLock { $0 } == [])
    await one.close()
    await other.close()
  }

  @Test func `a database with other keys is refused`() async throws {
    let location = try await TestDatabase.location(.postgres)
    let database = try await TestDatabase.apart {
      try Database.open(location, keys: try KeyRing.test, node: "test", logger: .quiet)
    }
    try await database.write { $0.audit(.sample(1)) }
    await #expect(throws: StorageError.foreignKeys) {
      try await TestDatabase.apart {
        let others = try KeyRing.generate(random: seededBytes(99))
        _ = try Database.open(location, keys: others, node: "test", logger: .quiet)
      }
    }
  }

  @Test func `a database of a newer version is refused`() async throws {
    let location = try await TestDatabase.location(.postgres)
    await #expect(throws: StorageError.migrationNewer(name: "m9000-test")) {
      try await TestDatabase.apart {
        let keys = try KeyRing.test
        _ = try Database.open(
          location, keys: keys, node: "test", logger: .quiet, migrations: Migration.withTestTable)
        _ = try Database.open(location, keys: keys, node: "test", logger: .quiet)
      }
    }
  }

  @Test func `patients are packed into as few messages as possible`() {
    let many: Set<PatientID> = Set((0..<400).map { "patient-\($0)-0123456789012345678901234567" })
    let messages = SharedChange(patients: many, wakesReminders: true).messages
    #expect(messages.allSatisfy { $0.utf8.count < 7_100 })
    let back = messages.compactMap(SharedChange.init(message:))
    #expect(back.compactMap(\.patients).reduce(Set()) { $0.union($1) } == many)
    #expect(SharedChange(message: "what is this") == nil)
    #expect(SharedChange(patients: [], wakesReminders: true).messages == [])
  }
}
