// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Logging
import Storage

/// The command `regimen migrate`.
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Moves all data from SQLite to PostgreSQL, or back.",
    discussion: """
      To PostgreSQL: regimen migrate --data DIR --to postgresql://USER@HOST/DATABASE. Back into \
      the file of the data folder: regimen migrate --data DIR --database postgresql://... --to \
      sqlite. The data folder keeps the keys in both cases. Stop all servers first. The target \
      must be empty, and the source stays unchanged. Counts, the audit chain and a sample of every \
      table are compared before the move counts.
      """)

  @Option(help: "A postgresql:// address, or the word sqlite.")
  var to: String
  @Option(help: "With --to sqlite: the database to move from (or REGIMEN_DATABASE).")
  var database: String?
  @OptionGroup var data: DataOptions

  func run() async throws {
    let isBack = to == "sqlite"
    guard let address = try DatabaseChoice.address(isBack ? database : to) else {
      throw ValidationError("--to sqlite needs the source: --database postgresql://...")
    }
    var logger = Logger(label: "regimen") { JSONLinesLogHandler(label: $0, level: .error) }
    logger.logLevel = .error
    do {
      let folder = try DataFolder(path: data.folder, credentials: Composition.credentials)
      let keys = try KeyRing.existing(in: folder)
      // A folder that never used this database has no anchors of the audit chain yet.
      let anchoring: AuditAnchoring =
        isBack && !DatabaseChoice.isRemembered(in: folder) ? .begins : .expected
      let report = try DatabaseMove(
        folder: folder, address: address, keys: keys, node: Composition.chainName,
        anchoring: anchoring, uptime: Composition.uptime, logger: logger
      ).perform(isBack ? .toSQLite : .toPostgres)
      try DatabaseChoice.remember(isBack ? nil : address, in: folder)
      print(
        """
        Moved \(report.rows) rows of \(report.tables) tables to \
        \(isBack ? "the file of \(folder.path)" : "\(address)"). Checked: counts, audit \
        chain (\(report.auditRows) rows) and \(report.comparedRows) rows read back.
        """)
    } catch let error as StorageError {
      throw CommandFailure(description: error.description)
    }
  }
}
