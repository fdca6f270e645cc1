// SPDX-License-Identifier: Apache-2.0

import Accounts
import ArgumentParser
import Foundation
import Logging
import Operations
import Server
import Storage

/// The command `regimen restore`.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restores a backup into a data folder, and checks it.",
    discussion: """
      The folder must be empty or new, and stays so if anything goes wrong. With --drill, \
      everything happens in a temporary folder that is deleted: this proves that a backup works.
      """)

  @Option(name: .customLong("from"), help: "The backup.")
  var file: String
  @Option(name: .customLong("data"), help: "The folder to restore into.")
  var target: String?
  @Flag(help: "Only try it, in a temporary folder (TMPDIR) that is deleted.")
  var drill = false
  @OptionGroup var secret: SecretOptions

  func validate() throws {
    guard drill != (target != nil) else {
      throw ValidationError("Give --data with the folder to restore into, or --drill.")
    }
  }

  func run() async throws {
    let secret = try secret.secret()
    do {
      if let target {
        let isWell = try await restore(into: CommandPath.absolute(target), secret)
        print("Start it with: regimen serve --data \(target)")
        if !isWell { throw ExitCode(1) }
        return
      }
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "regimen-drill-\(UUID().uuidString)").path(percentEncoded: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let isWell = try await restore(into: folder, secret)
      print("The drill is done. Nothing was kept.")
      if !isWell { throw ExitCode(1) }
    } catch let error as BackupError {
      throw CommandFailure(description: error.description)
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    }
  }

  /// Prints the checks; returns false if the backup already contained faults.
  private func restore(into folder: String, _ secret: BackupSecret) async throws -> Bool {
    var logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    logger.logLevel = .error
    let restore = BackupRestore(
      from: CommandPath.absolute(file), secret: secret, node: Composition.chainName, logger: logger
    ) { database, keys, manifest in
      let accounts = AccountStore(
        cipher: FieldCipher(keys: keys), consequences: AccountConsequences.all)
      return try await RestoreDrill(database: database, accounts: accounts, manifest: manifest)
        .perform()
    }
    let (manifest, faults) = try await restore.perform(into: folder)
    let made = Date(timeIntervalSince1970: Double(manifest.made) / 1000)
    print("ok    backup of \(made.formatted(.iso8601)), version \(manifest.application)")
    print("ok    \(manifest.rowCount) rows in \(manifest.rows.count) tables, as the backup says")
    print("ok    database integrity, encrypted fields")
    if faults.isEmpty { print("ok    audit trail, doses and intakes") }
    for fault in faults { print("FAIL  \(fault), as in the backup; see regimen verify") }
    return faults.isEmpty
  }
}
