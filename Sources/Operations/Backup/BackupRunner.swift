// SPDX-License-Identifier: Apache-2.0

import Access
import Foundation
import Identifiers
import Logging
import Storage
import Web

/// Makes a backup, reads it back, and records the result.
package struct BackupRunner: Sendable {
  let environment: ServerEnvironment

  /// Creates a runner for a server's database.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Writes a backup to a file, reads it back, and returns the record of it.
  ///
  /// The attempt is recorded even if it fails. If the record of a scheduled backup cannot be
  /// written now, it waits in ``BackupMonitor``, because the file exists.
  ///
  /// - Parameters:
  ///   - path: The path of the new file.
  ///   - secret: The secret that encrypts the file.
  ///   - isCancelled: Returns true to stop the backup.
  @discardableResult
  package func run(
    _ kind: BackupRun.Kind, to path: String, secret: BackupSecret,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws -> BackupRun {
    var run = BackupRun(
      id: environment.newIdentifier(), kind: kind, started: environment.now(),
      finished: environment.now(), trouble: nil, place: path, bytes: 0, rows: 0)
    var isWritten = false
    do {
      try await audit(run)
      let backup = DatabaseBackup(
        of: environment.database, folder: environment.settings.dataFolder,
        keys: environment.settings.keyPlace, application: ServerSettings.version,
        random: environment.random)
      let report = try await backup.write(
        to: path, secret: secret, now: run.started, isCancelled: isCancelled)
      isWritten = true
      let manifest = try await offThePool { try BackupProof.check(path, secret: secret) }
      guard manifest.rowCount == report.rows else { throw BackupError.malformed }
      run.bytes = report.bytes
      run.rows = report.rows
    } catch {
      run.trouble = BackupTrouble.code(of: error)
      // It would pile up with each attempt, and retention would count it as a backup.
      if isWritten, kind == .schedule { try? FileManager.default.removeItem(atPath: path) }
      try? await record(&run)
      throw error
    }
    try await record(&run)
    return run
  }

  /// An export is recorded before any data leaves.
  private func audit(_ run: BackupRun) async throws {
    try await environment.database.write { writer in
      writer.audit(
        AuditEntry(
          at: run.started,
          actor: run.kind == .schedule ? .server : .hostOperator,
          kind: .export,
          patient: nil, resource: "Backup", resourceID: run.id,
          purpose: Purpose.administration.rawValue))
    }
  }

  private func record(_ run: inout BackupRun) async throws {
    run.finished = max(environment.now(), run.started)
    let finished = run
    if run.kind == .schedule || environment.settings.backups == nil {
      environment.backups.note(finished)
    } else {
      environment.backups.count(finished)
    }
    do {
      try await environment.database.write { try BackupLog.insert(finished, in: $0) }
    } catch {
      guard run.kind == .schedule else { throw error }
      environment.backups.keep(finished)
      environment.logger.error(
        "the record of a backup could not be written",
        metadata: ["type": .string("\(type(of: error))")])
    }
  }

  /// Writes the waiting records; those that fail keep waiting.
  func recordWaiting() async {
    for run in environment.backups.waiting {
      do {
        try await environment.database.write { try BackupLog.insert(run, in: $0) }
      } catch {
        return
      }
      environment.backups.recorded(run)
    }
  }
}
