// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// A backup that was changed is never used, and its target stays as it was.
@Suite struct BackupTamperTests {
  @Test func `every kind of damage to a file is detected`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path)
      let good = try Data(contentsOf: URL(filePath: fixture.file))
      let head = try preambleCount(good)
      let piece = BackupPreamble.chunkBytes + BackupChunks.tagBytes
      #expect(good.count > head + 2 * piece)
      let first = head..<head + piece
      let second = head + piece..<head + 2 * piece
      let rest = good[second.upperBound...]
      let cases: [(String, Data)] = [
        ("a bit in the middle", flipped(good, at: head + piece + 5_000)),
        ("a bit of the salt", flipped(good, at: 90)),
        ("a bit at the end", flipped(good, at: good.count - 1)),
        ("cut behind a piece", good.prefix(head + piece)),
        ("cut within a piece", good.prefix(head + piece + 777)),
        ("cut behind its beginning", good.prefix(head)),
        ("cut in its beginning", good.prefix(head - 10)),
        ("the last byte is missing", good.dropLast()),
        ("something follows", joined(good, Data([1]))),
        ("two pieces swapped", joined(good[..<head], good[second], good[first], rest)),
        ("a piece left out", joined(good[..<head], good[second], rest)),
        ("a piece twice", joined(good[..<head], good[first], good[first], good[second], rest)),
        ("another format", flipped(good, at: BackupPreamble.mark.count + 1)),
        ("no backup at all", Data("a letter to a friend, long enough to read".utf8)),
        ("nothing", Data()),
      ]
      for (name, bytes) in cases {
        try bytes.write(to: URL(filePath: fixture.file))
        await #expect(throws: BackupError.self, "\(name)") { try await fixture.restore() }
        #expect(fixture.targetIsUntouched, "\(name)")
      }
      try good.write(to: URL(filePath: fixture.file))
      _ = try await fixture.restore()
      #expect(!fixture.targetIsUntouched)
    }
  }

  @Test func `a wrong secret and the wrong kind of secret are distinguished`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path, rows: 3)
      await #expect(throws: BackupError.wrongSecret) {
        try await fixture.restore(secret: .key([UInt8](repeating: 8, count: 32)))
      }
      await #expect(throws: BackupError.otherSecret(needsPassphrase: false)) {
        try await fixture.restore(secret: .passphrase("a passphrase to keep"))
      }
      #expect(fixture.targetIsUntouched)
    }
  }

  @Test func `a folder that isn't empty is left unchanged`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path, rows: 3)
      try FileManager.default.createDirectory(
        atPath: fixture.target, withIntermediateDirectories: false)
      try Data("mine".utf8).write(to: URL(filePath: fixture.target + "/file"))
      await #expect(throws: BackupError.targetNotEmpty(path: fixture.target)) {
        try await fixture.restore()
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.target) == ["file"])
      try FileManager.default.removeItem(atPath: fixture.target + "/file")
      _ = try await fixture.restore()
      #expect(FileManager.default.fileExists(atPath: fixture.target + "/regimen.sqlite"))
    }
  }

  @Test func `a newer backup is refused, an older one is upgraded`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path, rows: 3)
      await #expect(throws: BackupError.newerSchema(name: "m9000-test")) {
        try await fixture.restore(migrations: Migration.embedded)
      }
      #expect(fixture.targetIsUntouched)
      let later = Migration(name: "m9001-later", sql: "ALTER TABLE notes ADD COLUMN more TEXT;")
      _ = try await fixture.restore(migrations: Migration.withTestTable + [later]) {
        database, _, _ in
        let row = try await database.read { reader in
          try reader.first("SELECT COUNT(*) FROM notes WHERE more IS NULL")
        }
        #expect(try row?.integer(0) == 3)
        return []
      }
    }
  }

  @Test func `a failed restore test leaves the target unchanged`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path, rows: 3)
      try FileManager.default.createDirectory(
        atPath: fixture.target, withIntermediateDirectories: false)
      await #expect(throws: BackupError.drillFailed(reason: "no")) {
        try await fixture.restore { _, _, _ in throw BackupError.drillFailed(reason: "no") }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.target).isEmpty)
    }
  }

  private func joined(_ parts: Data...) -> Data {
    parts.reduce(into: Data()) { $0.append($1) }
  }

  private func flipped(_ data: Data, at index: Int) -> Data {
    var data = data
    data[index] ^= 1
    return data
  }

  /// Returns the number of bytes before the first chunk.
  private func preambleCount(_ data: Data) throws -> Int {
    var rest = Array(data)
    let (_, bytes, mac) = try BackupPreamble.read(path: "") { count in
      defer { rest.removeFirst(min(count, rest.count)) }
      return Array(rest.prefix(count))
    }
    return bytes.count + mac.count
  }
}
