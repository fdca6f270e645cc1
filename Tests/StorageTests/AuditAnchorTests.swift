// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Synchronization
import Testing
import TestSupport

@testable import Storage

/// Someone with access to the disk removes or rewinds the anchors together with the trail.
@Suite struct AuditAnchorTests {
  private static let head = "audit-head"
  private static let trail = "audit-anchors"

  private func open(
    _ path: String, anchoring: AuditAnchoring = .expected, outside: AuditOutside = AuditOutside()
  ) throws -> Database {
    try Database.open(
      .folder(try DataFolder(path: path + "/data")), keys: try KeyRing.test, node: "test",
      logger: .quiet, migrations: Migration.withTestTable, anchoring: anchoring, outside: outside)
  }

  private func fill(_ database: Database, _ numbers: ClosedRange<Int>) async throws {
    for number in numbers {
      // The rows are more than a minute apart, so each gets a line.
      try await database.write { $0.audit(.sample(number * 1_000)) }
    }
  }

  private func remove(_ name: String, in path: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/data/\(name)")
  }

  @Test func `the anchors exist before anything is recorded`() async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      for name in [Self.head, Self.trail] {
        #expect(FileManager.default.fileExists(atPath: "\(path)/data/\(name)"))
      }
      #expect(try await database.verifyAudit() == AuditVerification())
      await database.close()
      // The process is killed before the first row: there is nothing to report.
      let again = try open(path)
      #expect(again.auditConflict == nil)
      #expect(again.anchorsAreSound)
      await again.close()
    }
  }

  @Test(arguments: [[head], [trail], [head, trail]])
  func `removing the anchors of existing data raises an alarm`(names: [String]) async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      try await fill(before, 1...5)
      await before.close()
      for name in names { try remove(name, in: path) }
      let database = try open(path)
      #expect(database.auditConflict != nil)
      #expect(!database.anchorsAreSound)
      let verification = try await database.verifyAudit()
      #expect(verification.problems == [.recordedConflict(node: "test")])
      await database.close()
      // The conflict stays until someone has explained it and removed the record.
      try remove(Self.head + ".conflict", in: path)
      let after = try open(path)
      #expect(after.auditConflict == nil)
      #expect(try await after.verifyAudit().isIntact)
      await after.close()
    }
  }

  @Test func `emptying the trail and its anchors raises an alarm`() async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      try await before.write { writer in
        try writer.addPerson("p")
        try writer.execute(
          """
          INSERT INTO resources (type, patient, id, version, last_updated, operation, actor, body)
          VALUES ('Patient', 'p', 'p', 1, 1, 'create', 'ann', '{}')
          """, [])
        writer.audit(.sample(1))
      }
      try await before.write { writer in
        try writer.execute("DELETE FROM audit", [])
        try writer.execute("DELETE FROM audit_heads", [])
      }
      await before.close()
      try remove(Self.head, in: path)
      try remove(Self.trail, in: path)
      let database = try open(path)
      #expect(database.auditConflict != nil)
      #expect(try await !database.verifyAudit().isIntact)
      await database.close()
    }
  }

  @Test func `removing the anchors of a running server is detected`() async throws {
    try await withTemporaryFolder { path in
      let database = try open(path)
      try await fill(database, 1...2)
      #expect(try await database.verifyAudit().isIntact)
      try remove(Self.trail, in: path)
      let missing = try await database.verifyAudit()
      #expect(missing.problems == [.anchorsMissing(node: "test")])
      // The next line recreates the file, and the record that it was missing stays.
      try await fill(database, 3...3)
      let verification = try await database.verifyAudit()
      #expect(verification.problems == [.recordedConflict(node: "test")])
      await database.close()
    }
  }

  @Test func `a restored folder begins its anchors without an alarm`() async throws {
    try await withTemporaryFolder { path in
      let before = try open(path)
      try await fill(before, 1...3)
      await before.close()
      try remove(Self.head, in: path)
      try remove(Self.trail, in: path)
      let database = try open(path, anchoring: .begins)
      #expect(database.auditConflict == nil)
      #expect(try await database.verifyAudit().isIntact)
      await database.close()
      #expect(FileManager.default.fileExists(atPath: "\(path)/data/\(Self.trail)"))
    }
  }

  /// If the whole folder is restored with all its anchors, only anchors elsewhere can show it.
  @Test func `the external anchor file reveals a folder rolled back as a whole`() async throws {
    try await withTemporaryFolder { path in
      let outside = AuditOutside(file: path + "/elsewhere")
      let before = try open(path, outside: outside)
      try await fill(before, 1...5)
      await before.close()
      try FileManager.default.copyItem(atPath: path + "/data", toPath: path + "/copy")
      let later = try open(path, outside: outside)
      try await fill(later, 6...9)
      try await line(in: path + "/elsewhere", after: 5)
      let range = try await later.verifyAudit().outside
      #expect(range?.first == 1 && (range?.last ?? 0) > 5)
      await later.close()
      try FileManager.default.removeItem(atPath: path + "/data")
      try FileManager.default.moveItem(atPath: path + "/copy", toPath: path + "/data")
      let unaware = try open(path)
      #expect(unaware.auditConflict == nil, "nothing in the folder itself can tell")
      await unaware.close()
      let database = try open(path, outside: outside)
      #expect(database.auditConflict != nil)
      let verification = try await database.verifyAudit()
      #expect(verification.problems.contains { if case .anchor = $0 { true } else { false } })
      await database.close()
    }
  }

  /// The heads that a system log received reveal it as well.
  @Test func `heads are sent to a system log and can be checked there`() async throws {
    try await withTemporaryFolder { path in
      let receiver = try #require(Receiver(path: path + "/log.sock"))
      let address = try #require(SystemLogAddress(path + "/log.sock"))
      let database = try open(path, outside: AuditOutside(systemLog: address))
      try await fill(database, 1...1)
      let message = try #require(receiver.next())
      #expect(message.hasPrefix("<109>regimen: audit anchor 1 "))
      let collected = path + "/collected"
      try "Nov 23 05:00:00 host \(message)\n".write(
        toFile: collected, atomically: true, encoding: .utf8)
      #expect(try await database.verifyAudit(collected: collected).isIntact)
      try await database.write { writer in
        try writer.execute("DELETE FROM audit", [])
        try writer.execute("DELETE FROM audit_heads", [])
      }
      let found = try await database.verifyAudit(collected: collected)
      #expect(found.problems.contains(.anchor(node: "test", expected: 1, found: 0)))
      await #expect(throws: StorageError.self) {
        try await database.verifyAudit(collected: path + "/nowhere")
      }
      await database.close()
    }
  }

  @Test(
    arguments: [
      ("/dev/log", SystemLogAddress.socket(path: "/dev/log")),
      ("udp://log.example.org", .udp(host: "log.example.org", port: "514")),
      ("udp://[::1]:5514", .udp(host: "::1", port: "5514")),
      ("tcp://log.example.org", nil), ("log.example.org", nil), ("udp://", nil), ("", nil),
    ] as [(String, SystemLogAddress?)])
  func `system log addresses are parsed`(text: String, expected: SystemLogAddress?) {
    #expect(SystemLogAddress(text) == expected)
  }

  /// An outside place that cannot be written to costs evidence, but never a commit.
  @Test func `a missing external anchor location blocks nothing`() async throws {
    try await withTemporaryFolder { path in
      let outside = AuditOutside(
        file: path + "/no/such/folder/anchors", systemLog: .socket(path: path + "/no.sock"))
      let database = try open(path, outside: outside)
      try await fill(database, 1...4)
      #expect(try await database.verifyAudit().isIntact)
      await database.close()
    }
  }

  @Test func `a missing external file doesn't stop the system log`() async throws {
    try await withTemporaryFolder { path in
      let receiver = try #require(Receiver(path: path + "/log.sock"))
      let outside = AuditOutside(
        file: path + "/no/such/folder/anchors", systemLog: .socket(path: path + "/log.sock"))
      let database = try open(path, outside: outside)
      try await fill(database, 1...1)
      let message = try #require(receiver.next())
      #expect(message.hasPrefix("<109>regimen: audit anchor 1 "))
      await database.close()
    }
  }

  /// Waits until a file contains a head after a row.
  private func line(in path: String, after row: Int) async throws {
    for _ in 0..<1_000 {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let rows = text.split(separator: "\n").compactMap { line in
        line.split(separator: " ").first.flatMap { Int($0) }
      }
      if rows.contains(where: { $0 > row }) { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("no head behind row \(row) was written to \(path)")
  }
}

/// Receives datagrams at a socket in the file system.
private final class Receiver: Sendable {
  private let descriptor: Int32

  init?(path: String) {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafeBytes(of: address) { raw in
      raw.assumingMemoryBound(to: sockaddr.self).baseAddress.map {
        Glibc.bind(descriptor, $0, socklen_t(raw.count))
      }
    }
    guard descriptor >= 0, bound == 0 else { return nil }
  }

  deinit {
    Glibc.close(descriptor)
  }

  /// Waits for one datagram, for at most half a minute.
  func next() -> String? {
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
