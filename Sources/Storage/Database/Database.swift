// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization

/// The stored data: snapshots to read from, and writes that are durable when they return.
package final class Database: Sendable {
  /// The place where the data lives.
  package enum Location: Sendable {
    /// In memory, gone when the database is closed.
    case memory
    /// In memory, as a copy of a template.
    case template(DatabaseTemplate)
    /// In a data folder, whose lock is held as long as the database is open.
    case folder(DataFolder)
    /// In a PostgreSQL database that other nodes may use too; the folder, whose lock is held, contains the
    /// keys and this node's anchor of the audit chain.
    case postgres(PostgresAddress, DataFolder?, uptime: @Sendable () -> UInt64)
  }

  /// Kept while the database is open, because it holds the lock.
  private let folder: Mutex<DataFolder?>
  let engine: any DatabaseEngine
  private let commits: GroupCommit
  private let auditLog: AuditLog
  private let anchor: AuditAnchor?
  private let outside: AuditOutsideWriter
  private let seal: AuditSeal
  private let damageMonitor: DamageMonitor
  private let statements = StatementCount()
  let work = DatabaseWork()
  /// The mismatch between audit trail and anchors found at this start; nil if they agree.
  package let auditConflict: String?
  let catalogue: any EngineCatalogue

  /// Opens or creates the database and brings its schema up to date.
  ///
  /// `node` names this process in the audit trail and must stay the same over restarts.
  ///
  /// - Parameters:
  ///   - anchoring: the rule for whether the data folder must contain anchors of the audit chain.
  ///   - outside: the additional places for anchors.
  package static func open(
    _ location: Location, keys: KeyRing, node: String, logger: Logger,
    anchoring: AuditAnchoring = .expected, outside: AuditOutside = AuditOutside()
  ) throws(StorageError) -> Database {
    try open(
      location, keys: keys, node: node, logger: logger, migrations: Migration.embedded,
      anchoring: anchoring, outside: outside)
  }

  static func open(
    _ location: Location, keys: KeyRing, node: String, logger: Logger, migrations: [Migration],
    together: Bool = false, anchoring: AuditAnchoring = .expected,
    outside: AuditOutside = AuditOutside(),
    wrapping wrap: (any DatabaseEngine) -> any DatabaseEngine = { $0 }
  ) throws(StorageError) -> Database {
    let damage = DamageMonitor(logger: logger)
    let mustExist = location.mustExist
    let missing = StorageError.dataMissing(place: location.dataName)
    // Opening would create the file.
    if mustExist, location.isFileMissing { throw missing }
    let opened = try OpenedEngine(location, damage: damage, logger: logger)
    let engine = wrap(opened.engine)
    let folder = opened.folder
    let seal = AuditSeal(keys: keys)
    let anchor = folder.map { folder in
      AuditAnchor(
        path: folder.auditHeadPath, trailPath: folder.auditAnchorsPath, seal: seal, node: node)
    }
    let outsideWriter = AuditOutsideWriter(outside, seal: seal, node: node)
    do {
      let start = AuditStart(
        node: node, keys: keys, seal: seal, anchor: anchor, outside: outsideWriter,
        anchoring: anchoring)
      let recovery = try engine.prepare { connection throws(StorageError) in
        let migrator = Migrator(migrations: migrations)
        if mustExist, try !migrator.hasBegun(connection) { throw missing }
        let isAnchored = migrations.contains { $0.name == AuditStart.firstAnchored }
        if isAnchored { try start.refuseOtherKeys(migrator, in: connection) }
        if try engine.otherNodes(in: connection) > 0,
          try !migrator.leavesOthersRunning(connection)
        {
          throw StorageError.nodesRunning
        }
        let applied = try migrator.migrate(connection, together: together)
        return try start.find(
          wasAnchored: isAnchored && !applied.contains(AuditStart.firstAnchored), in: connection)
      }
      if let conflict = recovery.conflict {
        logger.critical("\(conflict) Verify the audit trail.")
      }
      try folder?.setNew(false)
      let chain = AuditChain(node: node, seal: seal, head: recovery.head)
      return Database(
        folder: folder, engine: engine, catalogue: opened.catalogue, anchor: anchor,
        outside: outsideWriter, seal: seal, damage: damage, auditConflict: recovery.conflict,
        auditLog: AuditLog(
          chain: chain, anchor: anchor, outside: outsideWriter, logger: logger))
    } catch {
      engine.close { _ in }
      throw error
    }
  }

  private init(
    folder: DataFolder?, engine: any DatabaseEngine, catalogue: any EngineCatalogue,
    anchor: AuditAnchor?, outside: AuditOutsideWriter, seal: AuditSeal, damage: DamageMonitor,
    auditConflict: String?, auditLog: AuditLog
  ) {
    self.folder = Mutex(folder)
    self.engine = engine
    self.catalogue = catalogue
    self.anchor = anchor
    self.outside = outside
    self.seal = seal
    damageMonitor = damage
    self.auditConflict = auditConflict
    self.auditLog = auditLog
    commits = GroupCommit(engine: engine, audit: auditLog)
  }

  /// The engine's name and version.
  package var engineDescription: String { engine.description }

  /// Runs a body on one consistent snapshot and returns its result.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLReader) throws -> Value
  ) async throws -> Value {
    guard !commits.isClosed else { throw StorageError.closed }
    let began = work.begin(.read)
    defer { work.end(.read, since: began) }
    return try await withCheckedThrowingContinuation { continuation in
      engine.read { [statements] result in
        continuation.resume(
          with: Result { try body(CountedReader(reader: result.get(), count: statements)) })
      }
    }
  }

  /// The most snapshots of a file that are read at the same time.
  static let mostReaders = 5

  /// Like ``read(_:)``, for a body that takes about as long as a change of threads, well below a millisecond.
  ///
  /// It runs on the caller's thread if a connection seems to be free, and waits there for at most the reads that took
  /// the last ones at the same moment. A longer body would keep others waiting that share the thread.
  package func readBriefly<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLReader) throws -> Value
  ) async throws -> Value {
    guard !commits.isClosed else { throw StorageError.closed }
    guard work.inProgress(.read) < Self.mostReaders - 1 else { return try await read(body) }
    let began = work.begin(.read)
    var result: Result<Value, any Error>?
    let wasRead = engine.readAtOnce { [statements] reader in
      result = Result { try body(CountedReader(reader: reader.get(), count: statements)) }
    }
    work.end(.read, since: began)
    guard wasRead, let result else { return try await read(body) }
    return try result.get()
  }

  /// Runs a body in a transaction and returns its result once the commit is durable.
  ///
  /// Waiting writes are committed together. An error thrown by the body undoes only what the body did.
  ///
  /// The body must only use the writer, because it may run again, and a commit may still fail after it ran.
  @discardableResult
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLWriter) throws -> Value
  ) async throws -> Value {
    let began = work.begin(.write)
    defer { work.end(.write, since: began) }
    // The body runs on the writer's thread, outside of this task.
    let app = ActingApp.current
    return try await withCheckedThrowingContinuation { [statements] continuation in
      let counted: @Sendable (any SQLWriter) throws -> Value = { writer in
        try body(CountedWriter(writer: writer, count: statements, app: app))
      }
      commits.submit(PendingWrite(body: counted, continuation: continuation))
    }
  }

  /// The number of statements that reads and writes have run since the start, without those that begin and end
  /// transactions.
  package var statementCount: Int { statements.total }

  /// The sequence number of the last audit entry that this process committed or found when it started.
  ///
  /// It needs no read; a shared database may contain later ones.
  package var auditSequence: Int64 { auditLog.sequence }

  /// Calls an observer with the audit entries of each commit once it is durable.
  ///
  /// It runs on the writer's thread, so it must be quick and must not wait for the database. There is only
  /// one observer; another one replaces it.
  package func observeCommits(_ observer: @escaping @Sendable ([AuditEntry]) -> Void) {
    auditLog.observe(observer)
  }

  /// True if other processes can use the same database.
  package var isShared: Bool { engine.isShared }

  /// The current time of the clock that all nodes follow; nil if only one process uses the data.
  package var clock: Timestamp? { engine.clock }

  /// Returns the number of other processes that have the database open, and the keys that the serving ones
  /// among them use.
  func otherNodes(
    than own: String?, at now: Timestamp
  ) async throws -> (count: Int, keys: [String]) {
    let engine = engine
    return try await read { reader in
      (
        try engine.otherNodes(in: reader),
        try NodeKeys.others(than: own, at: now, in: reader)
      )
    }
  }

  /// Calls an observer with the changes of other nodes; only the first observer is used.
  package func observeOthers(_ observer: @escaping @Sendable (SharedChange) -> Void) {
    engine.observeOthers(observer)
  }

  /// Finishes the writes that wait, then closes the database; later calls throw
  /// ``StorageError/closed``.
  package func close() async {
    guard commits.close() else { return }
    let error: StorageError? = await withCheckedContinuation { continuation in
      // After the last commit, and off the caller's thread, because closing waits for running reads.
      engine.close { continuation.resume(returning: $0) }
    }
    auditLog.close()
    if let error { auditLog.report(error) }
    folder.withLock { $0 = nil }
  }

  /// Removes deleted data from the engine's own files; returns false if the engine does so on its own
  /// schedule.
  ///
  /// Reads and writes wait meanwhile, so use this only for data that must leave no trace.
  package func scrub() async throws -> Bool {
    guard !commits.isClosed else { throw StorageError.closed }
    return try await withCheckedThrowingContinuation { continuation in
      engine.scrub { continuation.resume(with: $0) }
    }
  }

  /// The damage found since the start, or since the last check that found none.
  package var knownDamage: StorageError? { damageMonitor.damage }

  /// Records that a check found damage.
  func noteDamage() {
    damageMonitor.look(at: .corrupt(code: 0))
  }

  /// Records that a check of all data found no damage.
  func forgetDamage() {
    damageMonitor.clear()
  }

  /// Throws if the database does not answer a read and a write, or is known to be damaged.
  package func healthCheck() async throws {
    if let damage = knownDamage { throw damage }
    _ = try await read { try $0.first("SELECT 1") }
    try await write { _ in }
  }

  /// True if the anchor files of the audit trail exist and no mismatch is recorded; a quick check that
  /// compares nothing.
  package var anchorsAreSound: Bool {
    guard let anchor else { return true }
    return PrivateFile.exists(anchor.path) && PrivateFile.exists(anchor.trail.path)
      && !anchor.hasConflict
  }

  /// Checks the whole audit trail; see ``AuditVerification`` for what it can find.
  ///
  /// - Parameter collected: the path of a file of anchors that were collected elsewhere.
  package func verifyAudit(collected: String? = nil) async throws -> AuditVerification {
    auditLog.settleAnchors()
    // Read the files first: the chain in the snapshot can only be further ahead.
    var evidence = anchor?.evidence
    evidence?.isExpected = true
    evidence?.outside = outside.read()
    if let collected, let anchor {
      guard PrivateFile.exists(collected) else {
        throw StorageError.file(path: collected, code: ENOENT)
      }
      let more = AuditAnchorTrail(path: collected, seal: seal, node: anchor.node).read()
      evidence?.outside.heads += more.heads
      evidence?.outside.forged += more.forged
    }
    let (verifier, found) = (AuditVerifier(seal: seal), evidence)
    return try await read { try verifier.verify(evidence: found, in: $0) }
  }

  /// The check of stored texts against their digests in the audit trail.
  package var contentSeal: ContentSeal { ContentSeal(seal: seal) }
}

/// Checks that a text is the one that a row of the audit trail concerns.
package struct ContentSeal: Sendable {
  let seal: AuditSeal

  /// Returns true if a text has the digest of a row, made with the key of that id.
  package func matches(_ digest: [UInt8], _ content: String, keyID: String) -> Bool {
    seal.matches(digest, content, keyID: keyID)
  }
}
