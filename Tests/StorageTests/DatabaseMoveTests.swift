// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// Moves from a file to PostgreSQL and back without losing anything.
@Suite(.enabled(if: TestDatabase.engine == .postgres))
struct DatabaseMoveTests {
  private func address() async throws -> PostgresAddress {
    guard case .postgres(let address, _, _) = try await TestDatabase.location(.postgres) else {
      throw StorageError.closed
    }
    return address
  }

  private func move(
    _ direction: DatabaseMove.Direction, _ folder: DataFolder, _ address: PostgresAddress,
    anchoring: AuditAnchoring = .expected
  ) async throws -> DatabaseMove.Report {
    try await TestDatabase.apart {
      var move = DatabaseMove(
        folder: folder, address: address, keys: try KeyRing.test, node: "test",
        anchoring: anchoring, uptime: { 0 }, logger: .quiet)
      move.migrations = Migration.withTestTable
      return try move.perform(direction)
    }
  }

  private func open(_ location: Database.Location) async throws -> Database {
    try await TestDatabase.apart {
      try Database.open(
        location, keys: try KeyRing.test, node: "test", logger: .quiet,
        migrations: Migration.withTestTable)
    }
  }

  private func rows(_ database: Database) async throws -> [[SQLValue]] {
    try await database.read { reader in
      try reader.query("SELECT patient, id, text, amount, content FROM notes ORDER BY patient, id")
        .map { row in (0..<5).map { row[$0] } }
    }
  }

  @Test func `a database moves to PostgreSQL and back unchanged`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      let folder = try DataFolder(path: path + "/data")
      let source = try await open(.folder(folder))
      try await source.write { writer in
        for id in 100..<460 {
          try writer.execute(
            "INSERT INTO notes (patient, id, text, amount, content) VALUES ($1, $2, $3, $4, $5)",
            [
              .text("p\(id % 3)"), SQLValue(id), id % 5 == 0 ? nil : .text("ยา \(id)\u{0}'"),
              .real(Double(id) / 7), .blob([0, UInt8(id % 256)]),
            ])
        }
        for number in 0..<30 { writer.audit(.sample(number)) }
      }
      let before = try await rows(source)
      await source.close()
      let there = try await move(.toPostgres, folder, address)
      #expect(there.auditRows == 30)
      #expect(there.rows >= 360 + 30 + 1)
      #expect(there.comparedRows > 0)
      let shared = try await open(.postgres(address, nil, uptime: { 0 }))
      #expect(try await rows(shared) == before)
      #expect(try await shared.verifyAudit().isIntact)
      // The chain continues where it was.
      try await shared.write { $0.audit(.sample(31)) }
      #expect(try await shared.verifyAudit().rows == 31)
      await shared.close()
      await #expect(throws: StorageError.targetNotEmpty(table: "audit")) {
        try await move(.toSQLite, folder, address)
      }
      try FileManager.default.removeItem(atPath: folder.databasePath)
      #expect(try await move(.toSQLite, folder, address).auditRows == 31)
      let back = try await open(.folder(folder))
      #expect(try await rows(back) == before)
      #expect(try await back.verifyAudit().isIntact)
      await back.close()
    }
  }

  private func fill(_ location: Database.Location, _ numbers: ClosedRange<Int>) async throws {
    let database = try await open(location)
    #expect(database.auditConflict == nil)
    for number in numbers { try await database.write { $0.audit(.sample(number)) } }
    await database.close()
  }

  /// Opens and closes the database, and returns the mismatch between trail and anchors.
  private func conflict(_ location: Database.Location) async throws -> String? {
    let database = try await open(location)
    let conflict = database.auditConflict
    if conflict == nil {
      #expect(database.anchorsAreSound)
      #expect(try await database.verifyAudit().isIntact)
    }
    await database.close()
    return conflict
  }

  private func removeAnchors(of folder: DataFolder) throws {
    for path in [folder.auditHeadPath, folder.auditAnchorsPath] {
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `the anchors stay valid in both directions`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      let folder = try DataFolder(path: path + "/data")
      try await fill(.folder(folder), 1...5)
      _ = try await move(.toPostgres, folder, address)
      try await fill(.postgres(address, folder, uptime: { 0 }), 6...9)
      try FileManager.default.removeItem(atPath: folder.databasePath)
      _ = try await move(.toSQLite, folder, address)
      #expect(try await conflict(.folder(folder)) == nil)
    }
  }

  @Test func `a new folder starts its anchors with the move`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      try await fill(.postgres(address, nil, uptime: { 0 }), 1...5)
      let folder = try DataFolder(path: path + "/data")
      _ = try await move(.toSQLite, folder, address, anchoring: .begins)
      // The head itself, so that a trail truncated before the first start is found.
      let seal = AuditSeal(keys: try KeyRing.test)
      let anchor = AuditAnchor(
        path: folder.auditHeadPath, trailPath: folder.auditAnchorsPath, seal: seal, node: "test")
      #expect(anchor.evidence.furthest?.sequence == 5)
      #expect(try await conflict(.folder(folder)) == nil)
      // Move on to another database.
      let other = try await self.address()
      _ = try await move(.toPostgres, folder, other)
      #expect(try await conflict(.postgres(other, folder, uptime: { 0 })) == nil)
      try removeAnchors(of: folder)
      #expect(try await conflict(.postgres(other, folder, uptime: { 0 })) != nil)
    }
  }

  @Test func `removing anchors after a move raises an alarm`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      try await fill(.postgres(address, nil, uptime: { 0 }), 1...5)
      let folder = try DataFolder(path: path + "/data")
      _ = try await move(.toSQLite, folder, address, anchoring: .begins)
      try removeAnchors(of: folder)
      #expect(try await conflict(.folder(folder)) != nil)
    }
  }

  @Test func `a move doesn't hide anchors removed before it`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      let folder = try DataFolder(path: path + "/data")
      try await fill(.folder(folder), 1...5)
      try removeAnchors(of: folder)
      _ = try await move(.toPostgres, folder, address)
      #expect(try await conflict(.postgres(address, folder, uptime: { 0 })) != nil)
    }
  }

  @Test func `an emptied trail is reported after a move into a new folder`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      let source = try await open(.postgres(address, nil, uptime: { 0 }))
      try await source.write { writer in
        try writer.addPerson("p")
        try writer.execute(
          """
          INSERT INTO resources (type, patient, id, version, last_updated, operation, actor, body)
          VALUES ('Patient', 'p', 'p', 1, 1, 'create', 'ann', '{}')
          """, [])
        writer.audit(.sample(1))
      }
      try await source.write { writer in
        try writer.execute("DELETE FROM audit", [])
        try writer.execute("DELETE FROM audit_heads", [])
      }
      await source.close()
      let folder = try DataFolder(path: path + "/data")
      _ = try await move(.toSQLite, folder, address, anchoring: .begins)
      #expect(try await conflict(.folder(folder)) != nil)
    }
  }

  @Test func `a trail rewound before the move does not match the anchors`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      let folder = try DataFolder(path: path + "/data")
      try await fill(.folder(folder), 1...5)
      let database = try await open(.folder(folder))
      try await database.write { try $0.execute("DELETE FROM audit WHERE sequence > 3", []) }
      await database.close()
      _ = try await move(.toPostgres, folder, address)
      #expect(try await conflict(.postgres(address, folder, uptime: { 0 })) != nil)
    }
  }

  @Test func `a database in use by a running node is not moved`() async throws {
    try await withTemporaryFolder { path in
      let address = try await address()
      let node = try await open(.postgres(address, nil, uptime: { 0 }))
      node.observeOthers { _ in }
      let folder = try DataFolder(path: path + "/data")
      // Wait until the node has reported itself.
      var refused = false
      for _ in 0..<100 where !refused {
        do {
          _ = try await move(.toSQLite, folder, address)
        } catch StorageError.nodesRunning {
          refused = true
        } catch {}
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(refused)
      await node.close()
    }
  }
}
