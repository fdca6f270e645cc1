// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Storage
import Web

/// The options for a backup's secret, of which exactly one must be given.
struct SecretOptions: ParsableArguments {
  @Option(help: "File with the passphrase on its first line, at least 15 characters.")
  var passphraseFile: String?
  @Option(help: "File with 32 random bytes in base64, as `openssl rand -base64 32` makes it.")
  var keyFile: String?

  func validate() throws {
    guard (passphraseFile == nil) != (keyFile == nil) else {
      throw ValidationError("Give either --passphrase-file or --key-file.")
    }
  }

  func secret() throws -> BackupSecret {
    do {
      return try BackupOptions.secret(keyFile: keyFile, passphraseFile: passphraseFile)
    } catch let error as BackupError {
      throw CommandFailure(description: error.description)
    }
  }
}

/// The command `regimen backup`.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Writes everything into one encrypted file.",
    discussion: """
      Works while the server runs. The server writes the file, so name a place it may write to. \
      The file contains the database at one moment, the keys and the home certificates. No one can \
      read it without the passphrase or key, not even you. It is read back before the \
      command ends.
      """)

  @Option(name: .customLong("to"), help: "The file to write.")
  var file: String
  @OptionGroup var secret: SecretOptions
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    try await MaintenanceClient(data: data.folder).run(
      .backup(to: CommandPath.absolute(file), secret: try secret.secret()))
  }
}

/// The command `regimen verify`.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Checks that the stored data is complete and consistent.",
    discussion: """
      Checks the database file, the audit trail and its anchors, records against the audit trail, \
      doses and intakes against the answers and records, and that the keys open encrypted fields. \
      Exits with 1 if something is wrong. Reads everything, so it takes a while on a large \
      installation.
      """)

  @Option(help: "File with audit trail anchors that were collected elsewhere.")
  var anchors: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    let command = try ServeCommand.parse(["--data", data.folder])
    let options = try await ServeOptions.resolve(command)
    try await MaintenanceClient(data: data.folder, settings: options.settings).run(
      .verify(anchors: anchors.map(CommandPath.absolute)))
  }
}

/// The command `regimen rebuild`.
struct RebuildCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Recalculates doses, intakes and supply.",
    discussion: """
      Corrects dose states, what counts as taken, and upcoming doses, in one transaction. What is \
      right stays, and no reminder is sent again. Prints what was corrected.
      """)

  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    try await MaintenanceClient(data: data.folder).run(.rebuild)
  }
}

/// The command `regimen doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Checks settings, disk, clock, reminders and backups.",
    discussion: """
      Prints one line each: ok, warn or FAIL, with what to do. Exits with 1 if one fails. Asks the \
      running server; if none runs, checks the REGIMEN_… variables of this shell.
      """)

  @OptionGroup var data: DataOptions

  func run() async throws {
    try DataPresence.require(data.folder)
    let command = try ServeCommand.parse(["--data", data.folder])
    let options = try await ServeOptions.resolve(command)
    try await MaintenanceClient(
      data: data.folder, settings: options.settings, reminders: options.reminders
    ).run(.doctor)
  }
}

/// The check that data exist: a wrong path must not create a new installation.
enum DataPresence {
  static func require(_ folder: String) throws {
    let isThere = ["regimen.sqlite", DatabaseChoice.marker].contains {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)")
    }
    guard isThere else {
      throw CommandFailure(
        description: "There is no database in \(folder). Name the data folder with --data.")
    }
  }
}
