// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Storage
import Web

/// The options for a backup's secret, of which exactly one must be given.
struct SecretOptions: ParsableArguments {
  @Option(help: "A file with the passphrase on its first line, at least 15 characters.")
  var passphraseFile: String?
  @Option(help: "A file with 32 random bytes in base64, as `openssl rand -base64 32` makes it.")
  var keyFile: String?

  func validate() throws {
    guard (passphraseFile == nil) != (keyFile == nil) else {
      throw ValidationError("Give --passphrase-file or --key-file, one of the two.")
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
    commandName: "backup", abstract: "Writes everything into one sealed file.",
    discussion: """
      Works while the server runs: it writes the file, so name a place where it may. The file holds \
      the database as it was at one moment, the keys, and the certificates of the home; nobody can \
      read it, and you cannot either, without the passphrase or the key. It is read back before the \
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
    commandName: "verify", abstract: "Looks whether the stored data are whole and fit together.",
    discussion: """
      The database file, the chain of the audit trail and its anchors, records against it, doses and intakes against the answers and \
      records that they follow from, and whether the keys open what is sealed. Ends with 1 when \
      something is wrong. Reads everything: it takes its time on a large installation.
      """)

  @Option(help: "A file with anchors of the audit trail that were collected elsewhere.")
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
    commandName: "rebuild", abstract: "Makes anew what follows from the facts.",
    discussion: """
      The states of doses, what counts as taken, and the doses to come, in one transaction. What is \
      right stays as it is, and no reminder goes out again. Says what was put right.
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
    commandName: "doctor", abstract: "Looks at settings, disk, clock, reminders and backups.",
    discussion: """
      One line for each: ok, warn or FAIL, with what to do. Ends with 1 when one fails. Asks the \
      running server; when none runs, it looks at the variables REGIMEN_… of this shell.
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
