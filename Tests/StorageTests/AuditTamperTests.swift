// SPDX-License-Identifier: Apache-2.0
import Foundation
import Identifiers
import Testing
import TestSupport

@testable import Storage

/// Someone with the database file but without the keys changes the trail.
@Suite struct AuditTamperTests {
  private static let rows = 40

  @Test(arguments: DatabaseForm.allCases)
  func `an unchanged audit trail is reported as intact`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      #expect(try await database.verifyAudit() == AuditVerification())
      try await fill(database)
      let verification = try await database.verifyAudit()
      #expect(verification.isIntact)
      #expect(verification.rows == Self.rows)
    }
  }

  /// The attacker has the database, earlier copies and unlimited time, but no keys; the anchors are next to
  /// the database.
  @Test func `a thousand random manipulations are all detected`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      var heads: [[SQLValue]] = []
      for number in 1...Self.rows {
        try await fill(database, number...number)
        heads.append(try await head(of: database))
      }
      let copies = heads
      let evidence = try anchors(heads)
      var kinds: Set<String> = []
      for seed in 0..<1_000 {
        let found = try await problems(in: database, evidence) { writer in
          var generator = SeededGenerator(seed: UInt64(seed))
          return try Tamper.random(using: &generator, rows: Self.rows)
            .apply(to: writer, copies: copies)
        }
        kinds.insert(String(found.tamper.prefix { $0 != "(" }))
        #expect(found.count > 0, "seed \(seed): \(found.tamper)")
      }
      #expect(kinds.count == Tamper.kinds, "\(kinds)")
      let untouched = try await problems(in: database, evidence) { _ in "nothing" }
      #expect(untouched.count == 0)
    }
  }

  /// The anchor file is restored with the database; the file of earlier anchors is not.
  @Test func `a folder restored without its later anchors is detected`() async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      try await fill(before, 1...10)
      await before.close()
      let files = ["regimen.sqlite", "audit-head"].map { path + "/data/" + $0 }
      let old = try files.map { try Data(contentsOf: URL(filePath: $0)) }
      let later = try open(path)
      // More than a minute later, so that a line is appended.
      try await fill(later, (Self.rows * 50)...(Self.rows * 50))
      await later.close()
      for (file, content) in zip(files, old) {
        try content.write(to: URL(filePath: file))
        _ = chmod(file, 0o600)
      }
      let database = try open(path)
      let verification = try await database.verifyAudit()
      #expect(verification.problems.contains(.recordedConflict(node: "test")))
      #expect(
        verification.problems.contains { if case .anchor = $0 { true } else { false } })
      await database.close()
    }
  }

  @Test func `a torn anchor line is ignored, a changed one is detected`() async throws {
    try await withTemporaryFolder { path in
      let anchors = path + "/data/audit-anchors"
      let before = try open(path)
      try await fill(before, 1...3)
      await before.close()
      let whole = try String(contentsOfFile: anchors, encoding: .utf8)
      #expect(whole.split(separator: "\n").count == 2)
      try (whole + whole.prefix(30)).write(toFile: anchors, atomically: false, encoding: .utf8)
      let database = try open(path)
      try await fill(database, 2_000...2_000)
      #expect(try await database.verifyAudit().isIntact)
      let lines = try String(contentsOfFile: anchors, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 4)
      let changed = lines.map { "9" + $0 }.joined(separator: "\n") + "\n"
      try changed.write(toFile: anchors, atomically: false, encoding: .utf8)
      #expect(try await database.verifyAudit().problemCount == 3)
      await database.close()
    }
  }

  @Test func `a row added at either end without the key is detected`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase { database async throws in
      try await fill(database)
      for sequence in [-5, 0, Self.rows + 1] {
        let found = try await problems(in: database) { writer in
          try writer.execute(
            """
            INSERT INTO audit SELECT node, $1, at, actor, kind, patient, resource, resource_id,
              version, purpose, outcome, count, hash, mac, key_id, digest, app
            FROM audit WHERE sequence = 3
            """,
            [SQLValue(sequence)])
          return "row \(sequence)"
        }
        #expect(found.count > 0, "\(found.tamper)")
      }
    }
  }

  /// The tail is deleted and the head row restored to an earlier genuine one; the anchor file reveals it.
  @Test func `the anchor file reveals a truncated trail with an old head`() async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      try await fill(database, 1...10)
      let head = try await head(of: database)
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

  @Test func `a start after truncation keeps the evidence and leaves a gap`() async throws {
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
  func `a forged or missing anchor file is detected`(kind: String) async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      try await fill(database)
      let anchor = path + "/data/audit-head"
      #expect(try await database.verifyAudit().isIntact)
      if kind == "forged" {
        let text = try String(contentsOfFile: anchor, encoding: .utf8)
        try text.replacing("\"sequence\":40", with: "\"sequence\":39").write(
          toFile: anchor, atomically: true, encoding: .utf8)
        #expect(try await !database.verifyAudit().isIntact)
      } else {
        try FileManager.default.removeItem(atPath: anchor)
        let verification = try await database.verifyAudit()
        #expect(verification.problems == [.anchorsMissing(node: "test")])
        await database.close()
        #expect(FileManager.default.fileExists(atPath: anchor))
      }
    }
  }

  @Test func `rows sealed with other keys are detected`() async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      try await fill(database)
      let seal = AuditSeal(keys: try KeyRing.generate(random: seededBytes(99)))
      let verification = try await database.read { reader in
        try AuditVerifier(seal: seal).verify(evidence: nil, in: reader)
      }
      #expect(verification.problems.contains(.seal(node: "test", sequence: 1)))
      await database.close()
    }
  }

  @Test(arguments: [false, true])
  func `a start with the keys of another installation is refused and leaves nothing behind`(
    isNew: Bool
  ) async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      if !isNew { try await fill(before) }
      await before.close()
      let data = path + "/data"
      let head = try Data(contentsOf: URL(fileURLWithPath: data + "/audit-head"))
      func names() throws -> Set<String> {
        // The log of SQLite comes and goes with a connection.
        Set(try FileManager.default.contentsOfDirectory(atPath: data))
          .subtracting(["regimen.sqlite-wal", "regimen.sqlite-shm"])
      }
      let namesBefore = try names()
      let other = try KeyRing.generate(random: seededBytes(99))
      #expect(throws: StorageError.foreignKeys) {
        _ = try Database.open(
          .folder(try DataFolder(path: data)), keys: other, node: "test", logger: .quiet,
          migrations: Migration.withTestTable)
      }
      #expect(try names() == namesBefore)
      #expect(try Data(contentsOf: URL(fileURLWithPath: data + "/audit-head")) == head)
      let after = try open(path)
      #expect(after.auditConflict == nil)
      #expect(try await after.verifyAudit().isIntact)
      await after.close()
    }
  }

  /// The stored head: sequence, hash, seal and key.
  private func head(of database: Database) async throws -> [SQLValue] {
    try await database.read { reader in
      let row = try reader.first("SELECT sequence, hash, mac, key_id FROM audit_heads")
      return (0..<4).map { row?[$0] ?? .null }
    }
  }

  /// Returns the anchors next to the database: a line for every seventh row, and the head.
  private func anchors(_ heads: [[SQLValue]]) throws -> AuditEvidence {
    let known = heads.compactMap { head -> AuditHead? in
      guard case .integer(let sequence) = head[0], case .blob(let hash) = head[1] else {
        return nil
      }
      return AuditHead(sequence: sequence, hash: hash)
    }
    var evidence = AuditEvidence(node: "test", anchor: .head(try #require(known.last)))
    evidence.trail.heads = known.filter { $0.sequence % 7 == 0 }
    return evidence
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

  /// Verifies inside a transaction that is then rolled back, so that tampers do not add up.
  private func problems(
    in database: Database, _ evidence: AuditEvidence? = nil,
    _ tamper: @escaping @Sendable (any SQLWriter) throws -> String
  ) async throws -> (tamper: String, count: Int) {
    struct Undo: Error {
      let tamper: String
      let count: Int
    }
    let verifier = AuditVerifier(seal: AuditSeal(keys: try KeyRing.test))
    do {
      try await database.write { writer in
        let tamper = try tamper(writer)
        let result = try verify(with: verifier, evidence, in: writer)
        throw Undo(tamper: tamper, count: result.problemCount)
      }
      return ("not undone", 0)
    } catch let undo as Undo {
      return (undo.tamper, undo.count)
    }
  }

  private func verify(
    with verifier: AuditVerifier, _ evidence: AuditEvidence?, in reader: some SQLReader
  ) throws(StorageError) -> AuditVerification {
    try verifier.verify(evidence: evidence, in: reader)
  }
}
