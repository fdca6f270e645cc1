// SPDX-License-Identifier: Apache-2.0

import Storage
import Web

/// The operator's commands about all of the data, such as backups and verification.
package struct Maintenance: Sendable {
  let environment: ServerEnvironment

  /// Creates the commands for a server.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Runs a command and returns the lines to print.
  package func perform(_ command: MaintenanceCommand) async throws -> MaintenanceReport {
    switch command {
    case .backup(let path, let secret): try await backup(to: path, secret)
    case .verify(let anchors):
      try await Verification(environment: environment, anchors: anchors).report()
    case .rebuild: try await Verification(environment: environment).rebuild()
    case .doctor: try await Doctor(environment: environment).report()
    case .export(let patient, let path):
      try await ExportCommands.write(patient, to: path, environment: environment)
    case .erase(let patient):
      try await ErasureCommands.eraseOnHost(patient, environment: environment)
    case .changeKey(let newKeys): try await KeyChange(environment: environment).perform(newKeys)
    }
  }

  private func backup(to path: String, _ secret: BackupSecret) async throws -> MaintenanceReport {
    let run = try await BackupRunner(environment: environment).run(
      .command, to: path, secret: secret)
    return MaintenanceReport(
      lines: [
        "Backup made: \(path), \(run.bytes) bytes, \(run.rows) rows, read back and complete."
      ],
      isWell: true)
  }
}
