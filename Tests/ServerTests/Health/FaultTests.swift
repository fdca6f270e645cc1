// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Presentation
@testable import Reminders
@testable import Web

/// Faults that do not prevent ringing, and the people who are notified of them.
@Suite struct FaultTests {
  private let texts = Localizer.of(.en)

  /// Returns a text as it appears in a page.
  private func shown(_ key: MessageKey, _ arguments: MessageArguments = [:]) -> String {
    texts.text(key, arguments).replacing("'", with: "&#39;")
  }

  private func faults(_ harness: ServerHarness) async throws -> JSONValue? {
    let answer = try await harness.send(.get, "/health")
    #expect(answer.status == .ok)
    return try answer.json()["faults"]
  }

  @Test func `lost log lines are reported by one mail until writing works again`() async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let browser = try await harness.session(of: eve)
      let service = FaultService(environment: harness.environment)
      await service.look()
      #expect(harness.outbox.mails.isEmpty)
      harness.environment.logLosses.lost()
      harness.environment.logLosses.lost()
      #expect(try await faults(harness) == ["log"])
      for _ in 0..<2 { await service.look() }
      #expect(harness.outbox.mails.count == 1)
      let mail = try #require(harness.outbox.mails.last)
      #expect("\(mail.to)".contains("eve@example.org"))
      #expect(mail.text.contains(texts.text("faults.log")) && mail.text.contains("/status"))
      #expect(try await browser.open("/").text.contains(shown("faults.log")))
      let help = shown("faults.log.help", ["count": .number(2)])
      #expect(try await browser.open("/status").text.contains(help))
      harness.environment.logLosses.recovered()
      await service.look()
      #expect(try await faults(harness) == nil)
      #expect(try await !browser.open("/").text.contains(shown("faults.log")))
    }
  }

  @Test func `each administrator is notified in their own language`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Eve", isAdministrator: true)
      let uwe = try await harness.makeAccount("Uwe", isAdministrator: true)
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.change(
          displayName: "Uwe", language: .de, of: uwe.id, at: now, in: writer)
      }
      harness.environment.logLosses.lost()
      await FaultService(environment: harness.environment).look()
      #expect(harness.outbox.mails.count == 2)
      for (name, language) in [("eve", Language.en), ("uwe", .de)] {
        let mail = try #require(harness.outbox.mails.first { "\($0.to)".contains(name) })
        let localizer = Localizer.of(language)
        #expect(mail.subject == localizer.text("faults.mail.subject"))
        #expect(mail.text.contains(localizer.text("faults.mail.text")))
        #expect(mail.text.contains("- " + localizer.text("faults.log")))
      }
    }
  }

  @Test func `a failed mail is retried after a pause`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Eve", isAdministrator: true)
      let service = FaultService(environment: harness.environment)
      harness.outbox.answerMail(.retry(.temporary(status: 75)))
      harness.environment.logLosses.lost()
      await service.look()
      #expect(harness.environment.faults.untold == [.log])
      harness.clock.advance(milliseconds: 59_999)
      await service.look()
      #expect(harness.outbox.mails.count == 1)
      harness.clock.advance(milliseconds: 1)
      await service.look()
      #expect(harness.environment.faults.untold.isEmpty)
      #expect(harness.outbox.mails.count == 2)
    }
  }

  @Test func `a recurring fault is mailed once an hour, a new one at once`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Eve", isAdministrator: true)
      let (environment, outbox) = (harness.environment, harness.outbox)
      let service = FaultService(environment: environment)
      for _ in 0..<3 {
        environment.logLosses.lost()
        await service.look()
        environment.logLosses.recovered()
        await service.look()
        harness.clock.advance(minutes: 10)
      }
      #expect(outbox.mails.count == 1)
      environment.logLosses.lost()
      environment.faults.note(missingZones: ["Europe/Oslo"])
      await service.look()
      #expect(outbox.mails.count == 2)
      let second = try #require(outbox.mails.last)
      #expect(second.text.contains(texts.text("faults.zones")))
      #expect(!second.text.contains(texts.text("faults.log")))
      // It still lasts an hour after the first mail.
      harness.clock.advance(minutes: 30)
      await service.look()
      #expect(outbox.mails.count == 3)
      let third = try #require(outbox.mails.last)
      #expect(third.text.contains(texts.text("faults.log")))
    }
  }

  @Test func `retry pauses grow up to an hour`() {
    let start = Timestamp(milliseconds: 1_700_000_000_000)
    var (record, now) = (FaultMailRecord(), start)
    #expect(record.allowsMail(at: now))
    for minutes: Int64 in [1, 5, 15, 60, 60] {
      record.note(isAccepted: false, at: now)
      let early = now.adding(milliseconds: minutes * 60_000 - 1)
      #expect(!record.allowsMail(at: early))
      now = early.adding(milliseconds: 1)
      #expect(record.allowsMail(at: now))
    }
    record.note(isAccepted: true, at: now)
    #expect(!record.allowsMail(at: now.adding(milliseconds: 3_599_999)))
    #expect(record.allowsMail(at: now.adding(milliseconds: 3_600_000)))
    // The clock was set back.
    #expect(record.allowsMail(at: start))
  }

  @Test func `only administrators see faults`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount("Ann"))
      harness.environment.logLosses.lost()
      #expect(try await !browser.open("/").text.contains(shown("faults.log")))
    }
  }

  @Test func `a failed backup is reported at once, whatever the cause`() async throws {
    let schedule = BackupSchedule(
      folder: "/nowhere/at/all", every: 60_000, retention: BackupRetention(),
      secret: .key([UInt8](repeating: 1, count: 32)))
    try await ServerHarness.run(backups: schedule) { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let service = BackupService(environment: harness.environment)
      let before = try await harness.metrics()
      #expect(before[fault: "backup"] == 0)
      await service.look(AtomicFlag())
      #expect(try await faults(harness) == ["backup"])
      let after = try await harness.metrics()
      #expect(after[fault: "backup"] == 1)
      #expect(after[#"regimen_backup_failures_total{kind="schedule"}"#] == 1)
      #expect(after[#"regimen_backup_failures_total{kind="command"}"#] == 0)
      #expect(after[#"regimen_backup_age_seconds{kind="schedule"}"#] == nil)
      await FaultService(environment: harness.environment).look()
      #expect(harness.outbox.mails.last?.text.contains(texts.text("backup.banner.failed")) == true)
      let page = try await harness.session(of: eve).open("/status").text
      #expect(page.contains(texts.text("backup.banner.failed")))
      let doctor = try await Maintenance(environment: harness.environment).perform(.doctor)
      #expect(!doctor.isWell)
      await harness.environment.database.close()
      // Even the record of backups cannot be read.
      await service.look(AtomicFlag())
      let health = harness.environment.backups.health(
        harness.environment.settings, now: harness.clock.now)
      #expect(health == .failed(at: harness.clock.now, trouble: "other"))
      // Metrics do not need a working database.
      let last = try await harness.metrics()
      #expect(last[fault: "backup"] == 1 && last[fault: "database"] == 1)
      #expect(last[fault: "log"] == 0 && last["regimen_uptime_seconds"] != nil)
    }
  }

  @Test(arguments: [false, true])
  func `a missing backup is reported`(hasEarlier: Bool) async throws {
    let minute: Int64 = 60_000
    let schedule = BackupSchedule(
      folder: "/nowhere/at/all", every: minute, retention: BackupRetention(),
      secret: .key([UInt8](repeating: 1, count: 32)))
    try await ServerHarness.run(backups: schedule) { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let (environment, start) = (harness.environment, harness.clock.now)
      environment.backups.begin(at: start)
      if hasEarlier {
        environment.backups.note(
          BackupRun(
            id: "earlier", kind: .schedule, started: start, finished: start, trouble: nil,
            place: "/nowhere/at/all/earlier.backup", bytes: 100, rows: 10))
      }
      let service = FaultService(environment: environment)
      await service.look()
      #expect(try await faults(harness) == nil)
      #expect(harness.outbox.mails.isEmpty)
      let before = try await harness.metrics()
      #expect(before[fault: "backup"] == 0)
      #expect(before["regimen_backup_interval_seconds"] == 60)
      // The backup service makes none, and nothing fails.
      harness.clock.advance(milliseconds: 2 * minute + 1)
      // The one due after the first interval counts as missing when the next interval has passed.
      let after = try await harness.metrics()
      #expect(after[fault: "backup"] == 1)
      let age = after[#"regimen_backup_age_seconds{kind="schedule"}"#]
      #expect(age == (hasEarlier ? 120.001 : nil))
      let health = environment.backups.health(environment.settings, now: harness.clock.now)
      #expect(health == .old(last: hasEarlier ? start : nil))
      #expect(try await faults(harness) == ["backup"])
      for _ in 0..<2 { await service.look() }
      #expect(harness.outbox.mails.count == 1)
      let mail = try #require(harness.outbox.mails.last)
      #expect("\(mail.to)".contains("eve@example.org"))
      #expect(mail.text.contains(texts.text("backup.banner.old")))
      let page = try await harness.session(of: eve).open("/").text
      #expect(page.contains(shown("backup.banner.old")))
    }
  }

  @Test func `missing zone files are reported`() async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      harness.environment.faults.note(missingZones: ["Europe/Oslo"])
      #expect(try await faults(harness) == ["zones"])
      let page = try await harness.session(of: eve).open("/status").text
      #expect(page.contains("Europe/Oslo"))
    }
  }

  @Test func `a held clock is shown on every administrator page`() async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let ahead = harness.clock.now.adding(milliseconds: 3_600_000)
      try await harness.environment.database.write { try ReminderEngine.tick(ahead, in: $0) }
      await FaultService(environment: harness.environment).look()
      #expect(harness.environment.faults.known == [.clock])
      let metrics = try await harness.metrics()
      #expect(metrics[fault: "clock"] == 1)
      let title = texts.text("status.clock.title")
      let browser = try await harness.session(of: eve)
      #expect(try await browser.open("/").text.contains(title))
      #expect(try await browser.open("/status").text.ranges(of: title).count == 1)
    }
  }

  @Test func `every language has texts for every fault`() {
    for language in Language.allCases {
      let localizer = Localizer.of(language)
      let titles = InstallationFault.allCases.map { localizer.text($0.title(.awaited)) }
      #expect(Set(titles).count == titles.count)
    }
  }
}
