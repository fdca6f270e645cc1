// SPDX-License-Identifier: Apache-2.0

import Access
import Foundation
import Identifiers
import Records
import Storage
import Web

/// The upgrade of the stored data to this program: a backup, all steps of the schema or none, and a
/// check of the result.
package struct DatabaseUpgrade: Sendable {
  /// The backup that is made first.
  package struct Backup: Sendable {
    let path: String
    let secret: BackupSecret
    let option: String

    /// Creates the description of a backup.
    ///
    /// - Parameter option: The option of `regimen restore` that names the secret's file.
    package init(path: String, secret: BackupSecret, option: String) {
      self.path = path
      self.secret = secret
      self.option = option
    }
  }

  let schema: SchemaUpgrade
  let folder: String
  let keys: KeyPlace
  let isFile: Bool
  let random: RandomBytes
  let now: @Sendable () -> Timestamp
  var freeBytes: @Sendable (String) -> Int64? = { Doctor.freeBytes(at: $0) }

  /// Creates the upgrade of a data folder, whose lock the caller holds.
  ///
  /// - Parameter isFile: True if the database is a file in the folder.
  package init(
    schema: SchemaUpgrade, folder: String, keys: KeyPlace, isFile: Bool,
    random: @escaping RandomBytes, now: @escaping @Sendable () -> Timestamp
  ) {
    self.schema = schema
    self.folder = folder
    self.keys = keys
    self.isFile = isFile
    self.random = random
    self.now = now
  }

  /// Returns what an upgrade would do, without changing anything.
  ///
  /// - Parameter backup: The path of the backup that would be made; nil for the data folder's disk.
  package func check(backup: String?) async throws -> MaintenanceReport {
    let plan = try await schema.plan()
    guard !plan.steps.isEmpty else { return Self.upToDate }
    var report = MaintenanceReport(
      lines: ["      steps to apply: \(plan.steps.count)"] + plan.steps.map { "        \($0)" },
      isWell: true)
    report.lines.append("      size of the data: \(Self.megabytes(plan.bytes))")
    if plan.servers > 0 {
      report.isWell = !plan.stopsServers
      report.lines.append(
        (plan.stopsServers ? "FAIL  " : "ok    ")
          + "servers that use the database: \(plan.servers). "
          + (plan.stopsServers ? "Stop them first." : Self.othersGoOn))
    }
    for place in places(backup: backup.map { Self.folder(of: $0) } ?? folder) {
      let free = freeBytes(place)
      let isEnough = (free ?? 0) >= plan.bytes
      report.isWell = report.isWell && isEnough
      report.lines.append(
        (isEnough ? "ok    " : "FAIL  ")
          + "free space for \(Self.megabytes(plan.bytes)) in \(place):"
          + " \(free.map(Self.megabytes) ?? "the folder does not exist")")
    }
    return report
  }

  /// Makes the backup, applies all steps in one transaction, and checks the result.
  ///
  /// If something prevents the upgrade, throws and leaves the stored data as before. An error after the last step
  /// comes from the check: the data is upgraded then.
  ///
  /// - Parameter backup: The backup to make first; nil if the operator has one.
  package func perform(backup: Backup?) async throws -> MaintenanceReport {
    let plan = try await schema.plan()
    guard !plan.steps.isEmpty else { return Self.upToDate }
    guard plan.servers == 0 || !plan.stopsServers else { throw StorageError.nodesRunning }
    for place in places(backup: backup.map { Self.folder(of: $0.path) }) {
      let free = freeBytes(place) ?? 0
      guard free >= plan.bytes else {
        throw DatabaseUpgradeError.noRoom(place: place, needed: plan.bytes, free: free)
      }
    }
    var report = MaintenanceReport(lines: [], isWell: true)
    try await prepare(plan, backup, &report)
    let database: Database
    do throws(StorageError) {
      database = try schema.perform()
    } catch {
      throw DatabaseUpgradeError.failed(reason: error.description, backup: backup?.path)
    }
    do {
      try await finish(plan, backup, database, &report)
    } catch {
      await database.close()
      throw error
    }
    await database.close()
    report.lines += wayBack(backup)
    return report
  }

  private static let othersGoOn =
    "They can go on: the steps only add tables. Run regimen rebuild once all have this version."

  private static let upToDate = MaintenanceReport(
    lines: ["ok    the database is up to date: there is nothing to upgrade"], isWell: true)

  /// Looks for damage, which an upgrade would spread, and makes the backup.
  private func prepare(
    _ plan: SchemaUpgrade.Plan, _ backup: Backup?, _ report: inout MaintenanceReport
  ) async throws {
    let database = try schema.openBefore(plan)
    do {
      guard try await database.damage().isEmpty else { throw DatabaseUpgradeError.damaged }
      if let backup {
        let made = try await DatabaseBackup(
          of: database, folder: folder, keys: keys, application: ServerSettings.version,
          random: random
        ).write(to: backup.path, secret: backup.secret, now: now())
        let manifest = try await offThePool {
          try BackupProof.check(backup.path, secret: backup.secret)
        }
        guard manifest.rowCount == made.rows else { throw BackupError.malformed }
        report.lines.append(
          "ok    backup made: \(backup.path), \(made.bytes) bytes, \(made.rows) rows, read back")
      }
    } catch {
      await database.close()
      throw error
    }
    await database.close()
  }

  /// Checks the upgraded database, and records in its audit trail what was done.
  private func finish(
    _ plan: SchemaUpgrade.Plan, _ backup: Backup?, _ database: Database,
    _ report: inout MaintenanceReport
  ) async throws {
    report.lines.append("ok    steps applied: \(plan.steps.joined(separator: ", "))")
    let records = try await RecordIndexUpgrade.perform(in: database) {}
    if records > 0 { report.lines.append("ok    records added to the search index: \(records)") }
    report.add("database", try await database.damage())
    report.add("rows against schema rules", try await database.brokenRules())
    let at = now()
    var entries: [(resource: String, kind: AuditEntry.Kind)] = [("Upgrade", .administration)]
    if backup != nil { entries.insert(("Backup", .export), at: 0) }
    let recorded = entries
    try await database.write { writer in
      for entry in recorded {
        writer.audit(
          AuditEntry(
            at: at, actor: .hostOperator, kind: entry.kind, patient: nil,
            resource: entry.resource,
            resourceID: plan.steps.last, purpose: Purpose.administration.rawValue))
      }
    }
  }

  /// Returns how to go back to the earlier program.
  private func wayBack(_ backup: Backup?) -> [String] {
    guard let backup else {
      return ["To go back: restore your own backup with the earlier version."]
    }
    let target = isFile ? folder : "\(folder)-restored"
    let restore = "regimen restore --from \(backup.path) \(backup.option) --data \(target)"
    return isFile
      ? [
        "To go back: stop the server, move \(folder) away, and with the earlier version:", restore,
      ]
      : [
        "To go back: stop all servers, create an empty database, and with the earlier version:",
        restore, "regimen migrate --data \(target) --to postgresql://...",
      ]
  }

  /// Returns the folders that need as much space as the data has.
  private func places(backup: String?) -> [String] {
    var places = backup.map { [$0] } ?? []
    // Tables may be copied before the old ones go.
    if isFile, backup != folder { places.append(folder) }
    return places
  }

  private static func folder(of path: String) -> String {
    URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
  }

  private static func megabytes(_ bytes: Int64) -> String {
    "\((max(bytes, 0) + (1 << 20) - 1) >> 20) MB"
  }
}

/// A reason why stored data was not upgraded.
package enum DatabaseUpgradeError: Error, Equatable, CustomStringConvertible {
  /// The database is damaged.
  case damaged
  /// A disk has too little space.
  case noRoom(place: String, needed: Int64, free: Int64)
  /// A step failed; everything is as before.
  case failed(reason: String, backup: String?)

  /// A message for the operator with the cause and what to do.
  package var description: String {
    switch self {
    case .damaged:
      "\(Verification.damageAdvice) Nothing was upgraded."
    case .noRoom(let place, let needed, let free):
      """
      The disk of \(place) has \(free >> 20) MB free, but the upgrade needs up to \
      \((needed >> 20) + 1) MB. Nothing was changed. Make space and try again.
      """
    case .failed(let reason, let backup):
      "The upgrade failed and the data is as before: \(reason)"
        + (backup.map { " The backup is \($0)." } ?? "")
    }
  }
}
