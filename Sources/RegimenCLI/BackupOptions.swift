// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Foundation
import Operations
import Storage

/// The settings of `regimen serve` for automatic backups.
struct BackupOptions: ParsableArguments {
  @Option(help: "Folder for backups, best on another disk. Without it, none are made.")
  var backupFolder: String?
  @Option(help: "Time between backups, such as 24h or 90m. Default: 24h.")
  var backupEvery: String?
  @Option(help: "How many of the newest to keep. Default: 14.")
  var backupKeep: Int?
  @Option(help: "For how many days to keep each day's last one. Default: 0.")
  var backupKeepDays: Int?
  @Option(help: "For how many weeks to keep each week's last one. Default: 8.")
  var backupKeepWeeks: Int?
  @Option(help: "For how many months to keep each month's last one. Default: 12.")
  var backupKeepMonths: Int?
  @Option(help: "File with the key that opens them: 32 random bytes in base64.")
  var backupKeyFile: String?
  @Option(help: "Or a file with a passphrase on its first line.")
  var backupPassphraseFile: String?

  /// Returns the schedule, from options before variables before the file; nil if no folder is
  /// named.
  static func schedule(
    _ command: ServeCommand, _ reader: ConfigReader, data: String
  ) throws -> BackupSchedule? {
    let options = command.backups
    let folder =
      options.backupFolder
      ?? reader.string(forKey: "backup.folder")  // not a message
      ?? ""
    guard !folder.isEmpty else { return nil }
    let keyFile =
      options.backupKeyFile
      ?? reader.string(forKey: "backup.key.file")  // not a message
    let phraseFile =
      options.backupPassphraseFile
      ?? reader.string(forKey: "backup.passphrase.file")  // not a message
    let every =
      options.backupEvery
      ?? reader.string(forKey: "backup.every")  // not a message
      ?? "24h"
    guard let milliseconds = duration(every), milliseconds >= 60_000 else {
      throw ValidationError("--backup-every must be at least 1m, such as 24h or 90m.")
    }
    try check(folder, data: data)
    return BackupSchedule(
      folder: CommandPath.absolute(folder), every: milliseconds,
      retention: try retention(options, reader),
      secret: try secret(keyFile: keyFile, passphraseFile: phraseFile))
  }

  private static func retention(
    _ options: BackupOptions, _ reader: ConfigReader
  ) throws -> BackupRetention {
    let usual = BackupRetention()
    let asked = BackupRetention(
      newest: try options.backupKeep
        ?? ServeOptions.number("backup.keep", reader: reader)  // not a message
        ?? usual.newest,
      days: try options.backupKeepDays
        ?? ServeOptions.number("backup.keep.days", reader: reader)  // not a message
        ?? usual.days,
      weeks: try options.backupKeepWeeks
        ?? ServeOptions.number("backup.keep.weeks", reader: reader)  // not a message
        ?? usual.weeks,
      months: try options.backupKeepMonths
        ?? ServeOptions.number("backup.keep.months", reader: reader)  // not a message
        ?? usual.months)
    guard asked.newest >= 1 else { throw ValidationError("--backup-keep must be at least 1.") }
    for (name, count) in [("days", asked.days), ("weeks", asked.weeks), ("months", asked.months)]
    where count < 0 {
      throw ValidationError("--backup-keep-\(name) must be at least 0.")
    }
    return asked
  }

  /// Rejects a folder next to the data: a backup would be lost together with them.
  private static func check(_ folder: String, data: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
      isFolder.boolValue
    else {
      throw ValidationError("--backup-folder \(folder) does not exist. Create it first.")
    }
    guard access(folder, W_OK) == 0 else {
      throw ValidationError(
        "--backup-folder \(folder) cannot be written to. Check its owner and permissions.")
    }
    let inside = CommandPath.resolved(folder) + "/"
    guard !inside.hasPrefix(CommandPath.resolved(data) + "/") else {
      throw ValidationError("--backup-folder must be outside the data folder.")
    }
  }

  /// Returns the secret, of which exactly one must be given.
  static func secret(keyFile: String?, passphraseFile: String?) throws -> BackupSecret {
    switch (keyFile, passphraseFile) {
    case (let path?, nil): return try BackupSecret(keyFile: path)
    case (nil, let path?): return try BackupSecret(passphraseFile: path)
    default:
      throw ValidationError("Backups need either a key file or a passphrase file.")
    }
  }

  /// Returns the milliseconds of a text such as `24h`; nil if it is invalid.
  static func duration(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()),
      (1...100_000).contains(count)
    else { return nil }
    return count * unit
  }
}

/// Resolves paths as typed.
enum CommandPath {
  static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
  }

  /// Returns the path with links resolved, so that two names of one folder are equal.
  static func resolved(_ path: String) -> String {
    var path = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
