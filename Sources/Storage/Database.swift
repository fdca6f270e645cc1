// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization

/// The stored data: snapshots to read from, and writes that are durable when they return.
package final class Database: Sendable {
  /// Where the data lives.
  package enum Location: Sendable {
    /// In memory, gone when the database is closed.
    case memory
    /// In a data folder, whose lock is held as long as the database is open.
    case folder(DataFolder)
    /// In a PostgreSQL database that other nodes may use too; the folder, whose lock is held, keeps
    /// the keys and this node's anchor of the audit chain.
    case postgres(PostgresAddress, DataFolder?, uptime: @Sendable () -> UInt64)
  }

  /// Kept while the database is open, for its lock.
  private let folder: Mutex<DataFolder?>
  private let engine: any DatabaseEngine
  private let commits: GroupCommit
  private let auditLog: AuditLog
  private let anchor: AuditAnchor?
  private let seal: AuditSeal
  let catalogue: any EngineCatalogue

  /// Opens or makes the database and brings its schema up to date.
  ///
  /// `node` names this process in the audit trail and must stay the same over restarts.
  package static func open(
    _ location: Location, keys: KeyRing, node: String, logger: Logger
  ) throws(StorageError) -> Database {
    try open(
      location, keys: keys, node: node, logger: logger, migrations: Migration.embedded)
  }

  static func open(
    _ location: Location, keys: KeyRing, node: String, logger: Logger, migrations: [Migration]
  ) throws(StorageError) -> Database {
    let engine: any DatabaseEngine
    var catalogue: any EngineCatalogue = SQLiteCatalogue()
    var folder: DataFolder?
    switch location {
    case .memory:
      engine = try SQLiteEngine.inMemory(logger: logger)
    case .folder(let given):
      engine = try SQLiteEngine.open(file: given.databasePath, logger: logger)
      folder = given
    case .postgres(let address, let given, let uptime):
      engine = try PostgresEngine.open(address, uptime: uptime, logger: logger)
      catalogue = PostgresCatalogue()
      folder = given
    }
    let seal = AuditSeal(keys: keys)
    let anchor = folder.map { folder in
      AuditAnchor(
        path: folder.auditHeadPath, trailPath: folder.auditAnchorsPath, seal: seal, node: node)
    }
    do {
      let recovery = try engine.prepare { connection throws(StorageError) in
        try Migrator(migrations: migrations).migrate(connection)
        return try chainEnd(node: node, keys: keys, seal: seal, anchor: anchor, in: connection)
      }
      if let conflict = recovery.conflict {
        logger.critical("\(conflict) Verify the audit trail.")
        try anchor?.recordConflict(conflict)
      }
      let chain = AuditChain(node: node, seal: seal, head: recovery.head)
      return Database(
        folder: folder, engine: engine, catalogue: catalogue, anchor: anchor, seal: seal,
        auditLog: AuditLog(chain: chain, anchor: anchor, logger: logger))
    } catch {
      engine.close { _ in }
      throw error
    }
  }

  /// Finds the end of the audit chain, while no other node adds to it.
  private static func chainEnd(
    node: String, keys: KeyRing, seal: AuditSeal, anchor: AuditAnchor?,
    in connection: any SQLConnection
  ) throws(StorageError) -> AuditRecovery {
    // The files first: the chain can only be further than they say.
    let evidence = anchor?.evidence ?? AuditEvidence(node: node)
    guard connection.isShared else {
      return try AuditRecovery(node: node, seal: seal, evidence: evidence, in: connection)
    }
    try connection.begin(exclusively: true)
    if let row = try connection.first(
      "SELECT key_id FROM audit_heads WHERE node = $1", [.text(node)]),
      keys.audit.key(id: try row.text(0)) == nil
    {
      throw .foreignKeys
    }
    let found = try AuditRecovery(node: node, seal: seal, evidence: evidence, in: connection)
    try connection.commit()
    return found
  }

  private init(
    folder: DataFolder?, engine: any DatabaseEngine, catalogue: any EngineCatalogue,
    anchor: AuditAnchor?, seal: AuditSeal,
    auditLog: AuditLog
  ) {
    self.folder = Mutex(folder)
    self.engine = engine
    self.catalogue = catalogue
    self.anchor = anchor
    self.seal = seal
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
    return try await withCheckedThrowingContinuation { continuation in
      engine.read { result in
        continuation.resume(with: Result { try body(result.get()) })
      }
    }
  }

  /// Runs a body in a transaction and returns its result once the commit is durable.
  ///
  /// Writes that wait are committed together. An error thrown by the body undoes what the body
  /// did, and nothing else.
  ///
  /// The body must do nothing but use the writer: a commit may still fail after it ran.
  @discardableResult
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLWriter) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      commits.submit(PendingWrite(body: body, continuation: continuation))
    }
  }

  /// Calls an observer with the audit entries of each commit once it is durable, on the writer's
  /// thread: it must be quick and must not wait for the database.
  ///
  /// There is one observer; another replaces it.
  package func observeCommits(_ observer: @escaping @Sendable ([AuditEntry]) -> Void) {
    auditLog.observe(observer)
  }

  /// Whether other processes may use the same database.
  package var isShared: Bool { engine is PostgresEngine }

  /// The clock that all nodes follow; nil where the data has one process to itself.
  package var clock: Timestamp? { engine.clock }

  /// How many other processes hold the database open, and what those of them that serve seal with.
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

  /// Calls an observer with what other nodes have changed; there is one, the first.
  package func observeOthers(_ observer: @escaping @Sendable (SharedChange) -> Void) {
    engine.observeOthers(observer)
  }

  /// Finishes the writes that wait, then closes the database; later calls throw
  /// ``StorageError/closed``.
  package func close() async {
    guard commits.close() else { return }
    let error: StorageError? = await withCheckedContinuation { continuation in
      // Behind the last commit, and off the caller's thread: closing waits for running reads.
      engine.close { continuation.resume(returning: $0) }
    }
    auditLog.writeAnchor()
    if let error { auditLog.report(error) }
    folder.withLock { $0 = nil }
  }

  /// Takes what was deleted out of the engine's own files; false where it does so at its own time.
  ///
  /// Writes and reads wait meanwhile: for what must leave no trace, not for every day.
  package func scrub() async throws -> Bool {
    guard !commits.isClosed else { throw StorageError.closed }
    return try await withCheckedThrowingContinuation { continuation in
      engine.scrub { continuation.resume(with: $0) }
    }
  }

  /// Throws when the database does not answer a read and a write.
  package func healthCheck() async throws {
    _ = try await read { try $0.first("SELECT 1") }
    try await write { _ in }
  }

  /// Checks the whole audit trail; see ``AuditVerification`` for what it can find.
  package func verifyAudit() async throws -> AuditVerification {
    // The files first: the chain in the snapshot can only be further than they say.
    let evidence = anchor?.evidence
    let verifier = AuditVerifier(seal: seal)
    return try await read { try verifier.verify(evidence: evidence, in: $0) }
  }
}
