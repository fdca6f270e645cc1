// SPDX-License-Identifier: Apache-2.0
import Logging

/// Moves all data from a SQLite file to a PostgreSQL database or back, in one transaction of the
/// target, and checks that it arrived.
package struct DatabaseMove: Sendable {
  /// The direction of a move.
  package enum Direction: Sendable {
    case toPostgres, toSQLite
  }

  /// The counts of a move.
  package struct Report: Sendable, Hashable {
    /// The number of tables moved.
    package internal(set) var tables = 0
    /// The number of rows moved.
    package internal(set) var rows: Int64 = 0
    /// The number of rows read back from the target and compared value by value.
    package internal(set) var comparedRows: Int64 = 0
    /// The number of rows of the audit trail, whose chain was checked in the target.
    package internal(set) var auditRows = 0
  }

  /// The interval of pages that are read back and compared; the first one always is.
  private static let pagesBetweenSamples = 10
  private let sqlitePath: String
  private let address: PostgresAddress
  private let anchoring: AuditAnchoring
  private let anchor: AuditAnchor
  private let uptime: @Sendable () -> UInt64
  private let logger: Logger
  var migrations = Migration.embedded

  /// Creates a move between a folder and a PostgreSQL database; the caller holds the folder's lock, which
  /// keeps servers out.
  ///
  /// - Parameters:
  ///   - node: the name of the audit chain that the folder's anchors belong to.
  ///   - anchoring: ``AuditAnchoring/begins`` for a folder that never served this data and has no anchors yet.
  package init(
    folder: DataFolder, address: PostgresAddress, keys: KeyRing, node: String,
    anchoring: AuditAnchoring = .expected, uptime: @escaping @Sendable () -> UInt64,
    logger: Logger
  ) {
    sqlitePath = folder.databasePath
    self.address = address
    self.anchoring = anchoring
    anchor = AuditAnchor(
      path: folder.auditHeadPath, trailPath: folder.auditAnchorsPath, seal: AuditSeal(keys: keys),
      node: node)
    self.uptime = uptime
    self.logger = logger
  }

  /// Moves the data and returns the counts.
  ///
  /// Throws if the target contains data, a node uses the PostgreSQL database, or something did not arrive;
  /// the target is then unchanged.
  package func perform(_ direction: Direction) throws(StorageError) -> Report {
    if direction == .toPostgres, !PrivateFile.exists(sqlitePath) {
      throw .file(path: sqlitePath, code: 2)
    }
    let postgres = try PostgresEngine.open(address, uptime: uptime, logger: logger)
    let sqlite = try SQLiteEngine.open(file: sqlitePath, logger: logger)
    defer {
      postgres.close { _ in }
      sqlite.close { _ in }
    }
    return try postgres.prepare { postgres throws(StorageError) in
      try refuseNodes(in: postgres)
      return try sqlite.prepare { sqlite throws(StorageError) in
        let postgresSteps = try Migrator(migrations: migrations).migrate(postgres)
        let sqliteSteps = try Migrator(migrations: migrations).migrate(sqlite)
        let tables = try MovedTable.all(in: sqlite)
        switch direction {
        case .toPostgres:
          let wasAnchored = !sqliteSteps.contains(AuditStart.firstAnchored)
          return try carry(tables, from: sqlite, to: postgres, wasAnchored: wasAnchored)
        case .toSQLite:
          let wasAnchored = !postgresSteps.contains(AuditStart.firstAnchored)
          return try carry(tables, from: postgres, to: sqlite, wasAnchored: wasAnchored)
        }
      }
    }
  }

  /// Throws if a node is running, since it would continue to write to the source.
  private func refuseNodes(in postgres: any SQLConnection) throws(StorageError) {
    let row = try postgres.first(
      "SELECT pg_try_advisory_lock($1)", [.integer(PostgresEngine.nodeLock)])
    guard try row?.value(as: Bool.self) == true else { throw .nodesRunning }
  }

  private func carry(
    _ tables: [MovedTable], from source: any SQLConnection, to target: any SQLConnection,
    wasAnchored: Bool
  ) throws(StorageError) -> Report {
    try source.begin(exclusively: true)
    defer { if source.isInTransaction { try? source.execute("ROLLBACK") } }
    try target.begin(exclusively: true)
    do throws(StorageError) {
      var report = Report()
      for table in tables {
        guard try table.isEmpty(in: target) else { throw .targetNotEmpty(table: table.name) }
      }
      for table in tables { try carry(table, from: source, to: target, &report) }
      let chain = try AuditVerifier(seal: anchor.seal).verify(evidence: nil, in: target)
      let before = try AuditVerifier(seal: anchor.seal).verify(evidence: nil, in: source)
      // A fault that existed before is moved too: it is evidence.
      guard chain == before else { throw .notMovable(table: "audit") }
      report.auditRows = chain.rows
      let head = try beginAnchors(wasAnchored: wasAnchored, rows: chain.rows, in: target)
      try target.commit()
      if let head { write(head) }
      return report
    } catch {
      if target.isInTransaction { try? target.execute("ROLLBACK") }
      throw error
    }
  }

  /// Creates the anchor files of a folder without any, and returns the head that they must contain after the
  /// commit.
  ///
  /// Returns nil if the files must already exist. The first start compares them, or reports that they are
  /// missing, as it would have done without the move.
  private func beginAnchors(
    wasAnchored: Bool, rows: Int, in target: any SQLConnection
  ) throws(StorageError) -> AuditHead? {
    let hasNone =
      !PrivateFile.exists(anchor.path) && !PrivateFile.exists(anchor.trail.path)
      && !anchor.hasConflict
    if wasAnchored {
      guard anchoring == .begins, hasNone else { return nil }
      // There is data without a trail: it was emptied, and the first start must report it.
      if rows == 0, try holdsData(target) { return nil }
    }
    // Before the commit, so that a process killed right after it never leaves data without anchors.
    try anchor.begin()
    guard hasNone else { return nil }
    return try head(in: target)
  }

  /// Returns the end of the chain according to its rows and its sealed head row.
  private func head(in reader: some SQLReader) throws(StorageError) -> AuditHead {
    let evidence = AuditEvidence(node: anchor.node)
    return try AuditRecovery(node: anchor.node, seal: anchor.seal, evidence: evidence, in: reader)
      .head
  }

  private func holdsData(_ reader: any SQLReader) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM resources) OR EXISTS (SELECT 1 FROM accounts)
      """) != nil
  }

  /// Writes the head of the moved chain; the first start makes up for a failure.
  private func write(_ head: AuditHead) {
    guard head != .start else { return }
    do throws(StorageError) {
      try anchor.trail.append(head)
      PrivateFile.sync(anchor.trail.path)
      try anchor.write(head)
    } catch {
      logger.error("The audit anchors could not be written: \(error)")
    }
  }

  private func carry(
    _ table: MovedTable, from source: any SQLConnection, to target: any SQLConnection,
    _ report: inout Report
  ) throws(StorageError) {
    var place: [SQLValue]?
    var pages = 0
    var count: Int64 = 0
    while true {
      let rows = try table.reading.rows(after: place, in: source)
      guard let last = rows.last else { break }
      try table.insert(rows, in: target)
      if pages % Self.pagesBetweenSamples == 0 {
        let arrived = try table.reading.rows(after: place, in: target)
        guard arrived.map(table.values) == rows.map(table.values) else {
          throw .notMovable(table: table.name)
        }
        report.comparedRows += Int64(arrived.count)
      }
      pages += 1
      count += Int64(rows.count)
      place = table.reading.place(of: last)
    }
    guard try table.count(in: target) == count, try table.count(in: source) == count else {
      throw .notMovable(table: table.name)
    }
    report.tables += 1
    report.rows += count
  }
}
