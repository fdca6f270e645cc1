// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Storage

/// Someone with the database file, but without the keys, changes the trail.
@Suite struct AuditTamperTests {
  private static let rows = 40

  @Test(arguments: DatabaseForm.allCases)
  func `an untouched trail is intact`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      #expect(try await database.verifyAudit() == AuditVerification())
      try await fill(database)
      let verification = try await database.verifyAudit()
      #expect(verification.isIntact)
      #expect(verification.rows == Self.rows)
    }
  }

  @Test func `five hundred random tampers are all found`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      try await fill(database)
      for seed in 0..<500 {
        let found = try await problems(in: database) { writer in
          var generator = SeededGenerator(seed: UInt64(seed))
          return try Tamper.random(using: &generator, rows: Self.rows).apply(to: writer)
        }
        #expect(found.count > 0, "seed \(seed): \(found.tamper)")
      }
      #expect(try await database.verifyAudit().isIntact)
    }
  }

  @Test func `a row appended or put in front without the key is found`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      try await fill(database)
      for sequence in [-5, 0, Self.rows + 1] {
        let found = try await problems(in: database) { writer in
          try writer.execute(
            """
            INSERT INTO audit SELECT node, $1, at, actor, kind, patient, resource, resource_id,
              version, purpose, outcome, count, hash, mac, key_id FROM audit WHERE sequence = 3
            """,
            [SQLValue(sequence)])
          return "row \(sequence)"
        }
        #expect(found.count > 0, "\(found.tamper)")
      }
    }
  }

  /// The tail is cut and the head row put back to an earlier genuine one; the anchor file tells.
  @Test func `a cut tail with a head from a backup is found by the anchor file`() async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      try await fill(database, 1...10)
      let head = try await database.read { reader in
        let row = try reader.first("SELECT sequence, hash, mac, key_id FROM audit_heads")
        return (0..<4).map { row?[$0] ?? .null }
      }
      try await fill(database, 11...Self.rows)
      try await database.write { writer in
        try writer.execute("DELETE FROM audit WHERE sequence > 10", [])
        try writer.execute(
          "UPDATE audit_heads SET sequence = $1, hash = $2, mac = $3, key_id = $4", head)
      }
      let verification = try await database.verifyAudit()
      #expect(verification.problems.contains { if case .anchor = $0 { true } else { false } })
    }
  }

  @Test func `a start after a cut keeps the evidence and leaves a gap`() async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      try await fill(before)
      try await before.write { writer in
        try writer.execute("DELETE FROM audit WHERE sequence > 30", [])
        try writer.execute("DELETE FROM audit_heads", [])
      }
      await before.close()
      let database = try open(path)
      try await fill(database, (Self.rows + 1)...(Self.rows + 20))
      let verification = try await database.verifyAudit()
      #expect(verification.problems.contains(.gap(node: "test", before: Int64(Self.rows + 1))))
      #expect(verification.problems.contains(.recordedConflict(node: "test")))
      await database.close()
    }
  }

  @Test(arguments: ["forged", "absent"])
  func `a forged anchor file is found, a missing one is made again`(kind: String) async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      try await fill(database)
      let anchor = path + "/data/audit-head"
      if kind == "forged" {
        let text = try String(contentsOfFile: anchor, encoding: .utf8)
        try text.replacing("\"sequence\":40", with: "\"sequence\":39").write(
          toFile: anchor, atomically: true, encoding: .utf8)
        #expect(try await !database.verifyAudit().isIntact)
      } else {
        try FileManager.default.removeItem(atPath: anchor)
        #expect(try await database.verifyAudit().isIntact)
        await database.close()
        #expect(FileManager.default.fileExists(atPath: anchor))
      }
    }
  }

  @Test func `rows sealed with foreign keys are found`() async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      try await fill(before)
      await before.close()
      let other = try KeyRing.generate(random: seededBytes(99))
      let database = try Database.open(
        .folder(try DataFolder(path: path + "/data")), keys: other, node: "test",
        logger: .quiet, migrations: Migration.withTestTable)
      let verification = try await database.verifyAudit()
      #expect(verification.problems.contains(.seal(node: "test", sequence: 1)))
      await database.close()
    }
  }

  private func open(_ path: String) throws -> Database {
    try Database.open(
      .folder(try DataFolder(path: path + "/data")), keys: try KeyRing.test, node: "test",
      logger: .quiet, migrations: Migration.withTestTable)
  }

  private func fill(
    _ database: Database, _ numbers: ClosedRange<Int> = 1...Self.rows
  ) async throws {
    for number in numbers {
      try await database.write { writer in
        writer.audit(.sample(number * 20, patient: number % 3 == 0 ? nil : "p\(number % 2)"))
      }
    }
  }

  /// Verifies inside a transaction that is then undone, so that tampers do not add up.
  private func problems(
    in database: Database, _ tamper: @escaping @Sendable (any SQLWriter) throws -> String
  ) async throws -> (tamper: String, count: Int) {
    struct Undo: Error {
      let tamper: String
      let count: Int
    }
    let verifier = AuditVerifier(seal: AuditSeal(keys: try KeyRing.test))
    do {
      try await database.write { writer in
        let tamper = try tamper(writer)
        let result = try verify(with: verifier, in: writer)
        throw Undo(tamper: tamper, count: result.problemCount)
      }
      return ("not undone", 0)
    } catch let undo as Undo {
      return (undo.tamper, undo.count)
    }
  }

  private func verify(
    with verifier: AuditVerifier, in reader: some SQLReader
  ) throws(StorageError) -> AuditVerification {
    try verifier.verify(anchor: nil, in: reader)
  }
}

/// One change that someone might make.
enum Tamper {
  case edit(column: Int, sequence: Int)
  case delete(sequence: Int)
  case swap(Int, Int)
  case cut(after: Int)
  case cutWithHead(after: Int)

  static func random(using generator: inout SeededGenerator, rows: Int) -> Tamper {
    let sequence = Int.random(in: 1...rows, using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6: return .edit(column: Int.random(in: 0..<12, using: &generator), sequence: sequence)
    case 6: return .delete(sequence: sequence)
    case 7:
      let other = sequence % rows + 1
      return .swap(sequence, other)
    case 8: return .cut(after: sequence - 1)
    default: return .cutWithHead(after: max(1, sequence - 1))
    }
  }

  private static let edits: [StaticString] = [
    "UPDATE audit SET at = at + 1 WHERE sequence = $1",
    "UPDATE audit SET actor = actor || 'x' WHERE sequence = $1",
    "UPDATE audit SET kind = 'read' WHERE sequence = $1",
    "UPDATE audit SET patient = coalesce(patient || 'x', '') WHERE sequence = $1",
    "UPDATE audit SET resource = 'Patient' WHERE sequence = $1",
    "UPDATE audit SET resource_id = NULL WHERE sequence = $1",
    "UPDATE audit SET version = coalesce(version, 0) + 1 WHERE sequence = $1",
    "UPDATE audit SET purpose = 'system' WHERE sequence = $1",
    "UPDATE audit SET outcome = 'denied' WHERE sequence = $1",
    "UPDATE audit SET count = count + 1 WHERE sequence = $1",
    "UPDATE audit SET hash = mac WHERE sequence = $1",
    "UPDATE audit SET mac = hash WHERE sequence = $1",
  ]

  func apply(to writer: any SQLWriter) throws -> String {
    switch self {
    case .edit(let column, let sequence):
      try writer.execute(Self.edits[column], [SQLValue(sequence)])
    case .delete(let sequence):
      try writer.execute("DELETE FROM audit WHERE sequence = $1", [SQLValue(sequence)])
    case .swap(let one, let other):
      try writer.execute("UPDATE audit SET sequence = -1 WHERE sequence = $1", [SQLValue(one)])
      try writer.execute(
        "UPDATE audit SET sequence = $1 WHERE sequence = $2", [SQLValue(one), SQLValue(other)])
      try writer.execute("UPDATE audit SET sequence = $1 WHERE sequence = -1", [SQLValue(other)])
    case .cut(let last):
      try writer.execute("DELETE FROM audit WHERE sequence > $1", [SQLValue(last)])
    case .cutWithHead(let last):
      // The MAC of a row does not pass for that of a head.
      try writer.execute("DELETE FROM audit WHERE sequence > $1", [SQLValue(last)])
      try writer.execute(
        """
        UPDATE audit_heads SET sequence = $1,
          hash = (SELECT hash FROM audit WHERE sequence = $1),
          mac = (SELECT mac FROM audit WHERE sequence = $1)
        """,
        [SQLValue(last)])
    }
    return "\(self)"
  }
}
