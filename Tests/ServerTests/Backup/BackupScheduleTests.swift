// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

@Suite struct BackupScheduleTests {
  private static let secret = BackupSecret.key([UInt8](repeating: 3, count: 32))

  @Test func `only the oldest surplus backups are deleted`() throws {
    try withFolder { path in
      let schedule = BackupSchedule(
        folder: path, every: 3_600_000,
        retention: BackupRetention(newest: 2, days: 0, weeks: 0, months: 0), secret: Self.secret)
      var names: [String] = []
      for hour in 0..<4 {
        let now = Timestamp(milliseconds: 1_772_348_400_000 + Int64(hour) * 3_600_000)
        names.append(schedule.path(at: now))
      }
      #expect(names[0] == "\(path)/regimen-20260301T070000Z.backup")
      let others = [
        "holiday.jpg", "mine.backup", "regimen-before-the-move.backup",
        "regimen-20260231T070000Z.backup",
      ].map { "\(path)/\($0)" }
      for name in names + others + [names[3] + ".part"] {
        try Data([1]).write(to: URL(filePath: name))
      }
      try schedule.forgetOld()
      let left = try FileManager.default.contentsOfDirectory(atPath: path).map { "\(path)/\($0)" }
      #expect(Set(left) == Set(names.suffix(2) + others))
    }
  }

  @Test func `a backup is made, verified and recorded`() async throws {
    try await ServerHarness.run { harness in
      try await withFolderAsync { path in
        _ = try await harness.makeAccount()
        let runner = BackupRunner(environment: harness.environment)
        let run = try await runner.run(
          .command, to: path + "/one.backup", secret: Self.secret)
        #expect(run.trouble == nil && run.rows > 0)
        let found = try await harness.environment.database.read { try BackupLog.last(in: $0) }
        #expect(found == run)
        let audited = try await harness.environment.database.read { reader in
          try reader.first(
            "SELECT COUNT(*) FROM audit WHERE resource = 'Backup' AND kind = 'export'")
        }
        #expect(try audited?.integer(0) == 1)
        harness.clock.advance(minutes: 1)
        await #expect(throws: BackupError.self) {
          try await runner.run(
            .command, to: path + "/missing/one.backup", secret: Self.secret)
        }
        let failed = try await harness.environment.database.read { try BackupLog.last(in: $0) }
        #expect(failed?.trouble == "file")
        let good = try await harness.environment.database.read { try BackupLog.lastGood(in: $0) }
        #expect(good == run)
      }
    }
  }

  private static func schedule(_ folder: String) -> BackupSchedule {
    BackupSchedule(
      folder: folder, every: 24 * 3_600_000, retention: BackupRetention(), secret: secret)
  }

  private static func count(in folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }

  /// Runs some checks, 20 seconds apart.
  private static func look(_ harness: ServerHarness) async {
    let service = BackupService(environment: harness.environment)
    for _ in 0..<4 {
      await service.look(AtomicFlag())
      harness.clock.advance(milliseconds: 20_000)
    }
  }

  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `a backup that can't be recorded is not repeated early`() async throws {
    try await withFolderAsync { path in
      try await ServerHarness.run(backups: Self.schedule(path)) { harness in
        _ = try await harness.makeAccount()
        let database = harness.environment.database
        try await database.write { writer in
          _ = try writer.execute(
            """
            CREATE TRIGGER broken BEFORE INSERT ON backups
            BEGIN SELECT RAISE(ABORT, 'broken'); END
            """, [])
        }
        let made = harness.clock.now
        await Self.look(harness)
        #expect(try Self.count(in: path) == 1)
        let unrecorded = try await database.read { try BackupLog.last(in: $0) }
        #expect(unrecorded == nil)
        let health = harness.environment.backups.health(
          harness.environment.settings, now: harness.clock.now)
        #expect(health == .fine(last: made))
        try await database.write { writer in
          _ = try writer.execute("DROP TRIGGER broken", [])
        }
        // The record follows as soon as it can be written.
        await Self.look(harness)
        #expect(try Self.count(in: path) == 1)
        let recorded = try await database.read { try BackupLog.lastGood(in: $0) }
        #expect(recorded?.finished == made)
        #expect(harness.environment.backups.waiting.isEmpty)
        harness.clock.advance(minutes: 24 * 60)
        await Self.look(harness)
        #expect(try Self.count(in: path) == 2)
      }
    }
  }

  @Test func `a clock set back leads to only one backup`() async throws {
    try await withFolderAsync { path in
      try await ServerHarness.run(backups: Self.schedule(path)) { harness in
        _ = try await harness.makeAccount()
        await Self.look(harness)
        #expect(try Self.count(in: path) == 1)
        harness.clock.set(back: 2 * 3_600_000)
        await Self.look(harness)
        #expect(try Self.count(in: path) == 2)
      }
    }
  }

  private func withFolder(_ body: (String) throws -> Void) throws {
    let path = try #require(TemporaryFolder.make())
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func withFolderAsync(_ body: (String) async throws -> Void) async throws {
    let path = try #require(TemporaryFolder.make())
    defer { try? FileManager.default.removeItem(atPath: path) }
    try await body(path)
  }
}
