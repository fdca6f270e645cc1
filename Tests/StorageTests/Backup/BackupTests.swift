// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite struct BackupTests {
  @Test func `a restored database has the same rows`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path)
      let before = try await content(fixture, "live")
      let manifest = try await fixture.restore { database, _, manifest in
        let counts = try await database.rowCounts()
        #expect(manifest.rows == counts)
        #expect(try await database.verifyAudit().isIntact)
        #expect(try await database.damage().isEmpty)
        return []
      }
      #expect(try await content(fixture, "restored") == before)
      #expect(manifest.rows["notes"] == 300)
      #expect(manifest.rows["audit"] == 300)
      #expect(manifest.application == "1.2.3")
      #expect(manifest.schema == "m9000-test")
      let keys = try ["live", "restored"].map { name in
        try PrivateFile.read("\(path)/\(name)/keys.json")
      }
      #expect(keys[0] == keys[1])
      #expect(!FileManager.default.fileExists(atPath: fixture.target + "/restoring"))
    }
  }

  @Test func `the backup holds no clear text and only its owner may read it`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path)
      let bytes = try Data(contentsOf: URL(filePath: fixture.file))
      for word in ["m9000", "notes", "blind-index", "MedicationRequest", "1.2.3"] {
        #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
      }
      #expect(!PrivateFile.isOpenToOthers(fixture.file))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path).sorted() == [
          "live", "one.backup",
        ])
    }
  }

  @Test func `it captures the moment it started while writes continue`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path)
      let database = try fixture.open("live")
      let source = DatabaseBackup(
        of: database, folder: nil, application: "1", random: seededBytes(1))
      let asked = Count()
      let (isReading, reads) = AsyncStream<Void>.makeStream()
      let written = DispatchSemaphore(value: 0)
      async let report = source.write(
        to: path + "/two.backup", secret: BackupFixture.secret, now: BackupFixture.made
      ) {
        if asked.next() == 1 {
          reads.finish()
          // The first row is delayed until another write is done.
          written.wait()
        }
        return false
      }
      for await _ in isReading {}
      try await database.addNote(90_000)
      written.signal()
      _ = try await report
      let path = path + "/two.backup"
      let manifest = try await offThePool {
        try BackupProof.check(path, secret: BackupFixture.secret)
      }
      #expect(manifest.rows["notes"] == 300)
      #expect(try await database.noteIDs().count == 301)
      await database.close()
    }
  }

  @Test func `a passphrase opens it in any Unicode normalization`() async throws {
    try await withTemporaryFolder { path in
      let typed = path + "/typed"
      try Data("a pa\u{0308}ssphrase to keep\nsecond line".utf8).write(to: URL(filePath: typed))
      let other = path + "/other"
      try Data("a p\u{00E4}ssphrase to keep".utf8).write(to: URL(filePath: other))
      let fixture = try await BackupFixture.make(
        in: path, rows: 3, secret: try BackupSecret(passphraseFile: typed))
      _ = try await fixture.restore(secret: try BackupSecret(passphraseFile: other))
      #expect(!fixture.targetIsUntouched)
    }
  }

  @Test func `short passphrases and bad key files are refused`() async throws {
    try await withTemporaryFolder { path in
      let file = path + "/secret"
      try Data("too short".utf8).write(to: URL(filePath: file))
      #expect(throws: BackupError.passphraseTooShort(minimum: 15)) {
        try BackupSecret(passphraseFile: file)
      }
      #expect(throws: BackupError.keyFileUnusable(path: file)) { try BackupSecret(keyFile: file) }
      let key = Data([UInt8](repeating: 9, count: 32)).base64EncodedString()
      try Data("\(key)\n".utf8).write(to: URL(filePath: file))
      guard case .key(let bytes) = try BackupSecret(keyFile: file) else {
        Issue.record("No key was read.")
        return
      }
      #expect(bytes == [UInt8](repeating: 9, count: 32))
    }
  }

  @Test func `a cancelled backup leaves the earlier file unchanged`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path)
      let before = try Data(contentsOf: URL(filePath: fixture.file))
      let database = try fixture.open("live")
      await #expect(throws: BackupError.cancelled) {
        try await fixture.backup(database) { true }
      }
      #expect(try Data(contentsOf: URL(filePath: fixture.file)) == before)
      #expect(!FileManager.default.fileExists(atPath: fixture.file + ".part"))
      await database.close()
    }
  }

  @Test func `a file that isn't a backup is never overwritten`() async throws {
    try await withTemporaryFolder { path in
      let fixture = try await BackupFixture.make(in: path)
      let database = try fixture.open("live")
      try Data("a letter".utf8).write(to: URL(filePath: fixture.file))
      await #expect(throws: BackupError.wouldOverwrite(path: fixture.file)) {
        try await fixture.backup(database)
      }
      #expect(try Data(contentsOf: URL(filePath: fixture.file)) == Data("a letter".utf8))
      await database.close()
    }
  }

  private func content(_ fixture: BackupFixture, _ name: String) async throws -> [String] {
    let database = try fixture.open(name)
    let lines = try await BackupFixture.content(database)
    await database.close()
    return lines
  }
}

/// Counts calls.
private final class Count: Sendable {
  private let state = Mutex(0)

  func next() -> Int {
    state.withLock { state in
      state += 1
      return state
    }
  }
}
