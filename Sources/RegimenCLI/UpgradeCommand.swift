// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import Operations
import Storage
import Web

/// The command `regimen upgrade`.
struct UpgradeCommand: AsyncParsableCommand {
  /// The word that replaces a backup.
  private static let word = "i-have-one"

  static let configuration = CommandConfiguration(
    commandName: "upgrade", abstract: "Upgrades the stored data to this version.",
    discussion: """
      Stop the server first. Makes a backup, applies all steps of the schema or none, checks the \
      result and says how to go back. With --check, only says what would be done, and exits with \
      1 if something prevents it. For PostgreSQL, set REGIMEN_DATABASE.
      """)

  @Flag(help: "Only say what would be done.")
  var check = false
  @Option(name: .customLong("backup"), help: "The file to write the backup to.")
  var file: String?
  @Option(help: "File with the backup's passphrase on its first line.")
  var passphraseFile: String?
  @Option(help: "File with the backup's key: 32 random bytes in base64.")
  var keyFile: String?
  @Option(help: "Upgrade without a backup; the value must be i-have-one.")
  var noBackup: String?
  @OptionGroup var data: DataOptions

  func validate() throws {
    if check { return }
    guard noBackup == nil || noBackup == Self.word, (noBackup == nil) != (file == nil) else {
      throw ValidationError(
        "Give --backup FILE with --key-file or --passphrase-file, or --no-backup \(Self.word).")
    }
    guard file == nil || (passphraseFile == nil) != (keyFile == nil) else {
      throw ValidationError("Give either --passphrase-file or --key-file.")
    }
  }

  func run() async throws {
    try DataPresence.require(data.folder)
    let report: MaintenanceReport
    do {
      let upgrade = try make()
      let path = file.map(CommandPath.absolute)
      report =
        try await check ? upgrade.check(backup: path) : upgrade.perform(backup: backup(to: path))
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    } catch let error as BackupError {
      throw CommandFailure(description: error.description)
    } catch let error as DatabaseUpgradeError {
      throw CommandFailure(description: error.description)
    }
    for line in report.lines { print(TerminalText.line(line)) }
    if !report.isWell { throw ExitCode(1) }
  }

  private func backup(to path: String?) throws -> DatabaseUpgrade.Backup? {
    guard let path else { return nil }
    // Going back moves the data folder away.
    guard !CommandPath.resolved(path).hasPrefix(CommandPath.resolved(data.folder) + "/") else {
      throw ValidationError("--backup must be outside the data folder.")
    }
    let secret = try BackupOptions.secret(keyFile: keyFile, passphraseFile: passphraseFile)
    let option =
      keyFile.map { "--key-file \($0)" } ?? "--passphrase-file \(passphraseFile ?? "FILE")"
    return DatabaseUpgrade.Backup(path: path, secret: secret, option: option)
  }

  private func make() throws -> DatabaseUpgrade {
    let logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    let address = try DatabaseChoice.address(nil)
    let folder = try DataFolder(path: data.folder, credentials: Composition.credentials)
    let anchoring: AuditAnchoring =
      address != nil && !DatabaseChoice.isRemembered(in: folder) ? .begins : .expected
    let schema = SchemaUpgrade(
      of: try DatabaseChoice.location(address, in: folder), keys: try KeyRing.existing(in: folder),
      node: Composition.chainName, anchoring: anchoring, logger: logger)
    return DatabaseUpgrade(
      schema: schema, folder: CommandPath.absolute(folder.path), keys: folder.keyPlace,
      isFile: address == nil, random: Composition.random,
      now: { Timestamp(milliseconds: Composition.wallClock()) })
  }
}
