// SPDX-License-Identifier: Apache-2.0

import Foundation
import Presentation
import Reminders
import Storage
import TimeZones
import Web

/// A check of everything an installation depends on besides its data: settings, disk, clock,
/// reminder channels and backups.
package struct Doctor: Sendable {
  /// A check with its result and remedy.
  struct Finding: Sendable, Equatable {
    enum Grade: String, Sendable {
      case ok = "ok    "
      case warn = "warn  "
      case fail = "FAIL  "
    }

    let grade: Grade
    let text: String

    static func ok(_ text: String) -> Finding { Finding(grade: .ok, text: text) }
    static func warn(_ text: String) -> Finding { Finding(grade: .warn, text: text) }
    static func fail(_ text: String) -> Finding { Finding(grade: .fail, text: text) }
  }

  let environment: ServerEnvironment

  /// Creates a check of a server.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Returns one line for each check; the report is not well if one of them fails.
  package func report() async throws -> MaintenanceReport {
    let now = environment.now()
    guard try await environment.database.damage().isEmpty else {
      return MaintenanceReport(
        lines: [Finding.Grade.fail.rawValue + "database: " + Verification.damageAdvice],
        isWell: false)
    }
    do {
      return try await report(at: now)
    } catch {
      guard Failure(mapping: error)?.code == Failure.damageCode else { throw error }
      return MaintenanceReport(
        lines: [Finding.Grade.fail.rawValue + "database: " + Verification.damageAdvice],
        isWell: false)
    }
  }

  private func report(at now: Timestamp) async throws -> MaintenanceReport {
    try await environment.backups.refresh(environment)
    let zones = environment.zones
    let (isTrusted, counters, nobody, missingZones) = try await environment.database.read {
      reader in
      let since = now.adding(milliseconds: -Self.day)
      return (
        try ReminderEngine.clockIsTrusted(now, in: reader),
        try ReminderQueries.troubles(since: since, in: reader),
        try ReminderQueries.patientsWithoutRecipients(now: now, in: reader),
        try ZonesInUse.missing(zones, in: reader)
      )
    }
    var findings =
      settings() + [disk(), .ok("database: no damage found")]
      + Self.rules(try await environment.database.brokenRules()) + [auditTrail()]
      + [Self.clock(now, isTrusted: isTrusted)]
    findings += [Self.zones(missing: missingZones), Self.log(environment.logLosses)]
    if try await !environment.database.canCheckIndexes() {
      findings.append(.warn("database: \(Verification.uncheckedIndexes)"))
    }
    findings += channels(counters, nobody: nobody)
    findings.append(
      Self.backup(
        environment.backups.health(environment.settings, now: now),
        schedule: environment.settings.backups, now: now))
    return MaintenanceReport(
      lines: findings.map { $0.grade.rawValue + $0.text },
      isWell: !findings.contains { $0.grade == .fail })
  }

  /// Returns every row that violates the schema, or one line if there is none.
  static func rules(_ broken: [String]) -> [Finding] {
    guard !broken.isEmpty else { return [.ok("database: every row follows the schema")] }
    return broken.map {
      .fail("database: a row breaks a rule of the schema. Correct or delete it: \($0)")
    }
  }

  private static let day: Int64 = 24 * 3_600_000
  private static let hour: Int64 = 3_600_000

  // MARK: Settings

  private func settings() -> [Finding] {
    let settings = environment.settings
    var findings: [Finding] = []
    if settings.isSecure || environment.home != nil {
      findings.append(.ok("settings: browsers use https"))
    } else {
      findings.append(
        .warn(
          "settings: no https address; phones need one for reminders. Use --home, or"
            + " --behind-proxy with --public-url."))
    }
    if (try? environment.zones.zone(settings.homeZone)) == nil {
      findings.append(
        .fail("settings: the zone \(settings.homeZone) is not on this machine. Set REGIMEN_ZONE."))
    }
    if settings.isDemo {
      findings.append(.warn("settings: the data is demonstration data."))
    }
    return findings
  }

  // MARK: Disk

  private func disk() -> Finding {
    guard let folder = environment.settings.dataFolder, let free = Self.freeBytes(at: folder)
    else { return .ok("disk: the data is in memory") }
    return Self.disk(freeBytes: free)
  }

  /// Returns the free bytes of the disk of a file or folder; nil if it does not exist.
  package static func freeBytes(at path: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }

  static func disk(freeBytes: Int64) -> Finding {
    let megabytes = freeBytes >> 20
    if megabytes < 64 {
      return .fail("disk: \(megabytes) MB free; saving will soon fail. Make space now.")
    }
    if megabytes < 1024 {
      return .warn("disk: \(megabytes) MB free. Make space before it is full.")
    }
    return .ok("disk: \(megabytes) MB free")
  }

  // MARK: Audit trail

  private func auditTrail() -> Finding {
    guard environment.database.anchorsAreSound else {
      return .fail(
        "audit trail: it does not match its anchors, or they are missing. Run regimen verify,"
          + " and see docs/operate.md, The audit trail.")
    }
    return .ok("audit trail: its anchors are present")
  }

  // MARK: Clock

  /// 1 January 2026: any earlier time is wrong, since this version did not exist yet.
  private static let earliest = Timestamp(milliseconds: 1_767_225_600_000)

  static func clock(_ now: Timestamp, isTrusted: Bool) -> Finding {
    guard now >= earliest else {
      return .fail("clock: it is before 2026, so nothing can be planned. Set it (NTP).")
    }
    guard isTrusted else {
      return .fail(
        "clock: it is behind stored data, so no reminders are sent. Set it, or confirm on"
          + " /status that it is right.")
    }
    return .ok("clock: not behind stored data")
  }

  // MARK: Zones and log

  static func zones(missing: [String]) -> Finding {
    guard !missing.isEmpty else { return .ok("zones: all zones in use have their files") }
    return .fail(
      "zones: the files of \(missing.joined(separator: ", ")) are missing or damaged; the server will"
        + " not start again without them. Install the package tzdata.")
  }

  static func log(_ losses: LogLosses) -> Finding {
    if losses.isLosing {
      return .fail(
        "log: \(losses.total) lines could not be written since the start. Make space, or check"
          + " where the log goes.")
    }
    return losses.total == 0
      ? .ok("log: every line was written")
      : .warn("log: \(losses.total) lines could not be written since the start; it works again.")
  }

  // MARK: Channels

  private func channels(_ troubles: [HostTrouble], nobody: Int64) -> [Finding] {
    var findings: [Finding] = []
    let channels = environment.channels
    findings.append(
      channels.hasContact
        ? .ok("push: a contact is set")
        : .warn("push: no contact is set, so Apple refuses. Set REGIMEN_VAPID_SUBJECT."))
    findings.append(
      channels.mailIsPossible
        ? .ok("mail: a mail program is set")
        : .warn("mail: no mail program is set. Set REGIMEN_SENDMAIL for a second channel."))
    for trouble in troubles {
      let name = trouble.host.isEmpty ? "mail" : trouble.host
      findings.append(
        .warn(
          "\(name): \(trouble.count) not delivered in the last 24 hours (\(trouble.trouble))."
            + " See docs/operate.md, Reminders."))
    }
    if nobody > 0 {
      findings.append(
        .warn("reminders: \(nobody) patients have doses but no one to remind. Invite someone."))
    }
    return findings
  }

  // MARK: Backup

  static func backup(
    _ health: BackupHealth, schedule: BackupSchedule?, now: Timestamp
  ) -> Finding {
    func age(_ moment: Timestamp) -> String {
      "\(max(0, now.milliseconds - moment.milliseconds) / hour) hours ago"
    }
    switch health {
    case .fine(let last): return .ok("backup: the last one was made \(age(last))")
    case .awaited: return .warn("backup: the first one is not made yet. Check again in a minute.")
    case .unscheduled(let last):
      guard let last else {
        return .warn("backup: there is none. Set --backup-folder, or run regimen backup.")
      }
      return now.milliseconds - last.milliseconds > 7 * day
        ? .warn("backup: the last one was made \(age(last)). Set --backup-folder.")
        : .ok("backup: the last one was made \(age(last)), by command; no schedule is set")
    case .failed(let at, let trouble):
      return .fail(
        "backup: it failed \(age(at)) (\(trouble)). Check"
          + " \(schedule?.folder ?? "its folder"), its space and permissions.")
    case .lost(let last):
      return .fail(
        "backup: the file made \(age(last)) is missing or was changed. Check"
          + " \(schedule?.folder ?? "its folder").")
    case .old(let last):
      return .fail(
        "backup: \(last.map { "the last one was made \(age($0))" } ?? "there is none yet")."
          + " Check that the server runs, and search the log for backup failed.")
    }
  }
}
