// SPDX-License-Identifier: Apache-2.0
import CLibPQ
import Secrecy

/// One connection to PostgreSQL, used by one thread at a time, opened when needed and reopened after a loss.
///
/// Each answer of the server takes time, so statements without a needed result are held back and sent with
/// the next one: BEGIN with the first statement, the audit trail with COMMIT.
final class PostgresConnection: SQLConnection {
  private let address: PostgresAddress
  private let gate: PostgresGate
  private let damage: DamageMonitor?
  private var handle: OpaquePointer?
  private var statements = PostgresStatements()
  private var transaction = PostgresTransaction()
  /// True until the answer to the COMMIT of a read has been received.
  private var isEnding = false
  private(set) var hasConflict = false
  private(set) var isBroken = false
  /// The number of times that the connection waited for an answer.
  private(set) var waits = 0
  /// The error of the last failed attempt to open it, from libpq.
  private(set) var refusal = ""

  init(address: PostgresAddress, gate: PostgresGate, damage: DamageMonitor? = nil) {
    self.address = address
    self.gate = gate
    self.damage = damage
  }

  deinit {
    close()
  }

  // MARK: Opening

  func close() {
    disconnect()
    transaction = PostgresTransaction()
  }

  private func disconnect() {
    if let handle { PQfinish(handle) }
    handle = nil
    statements = PostgresStatements()
    isEnding = false
  }

  /// Opens the connection if it is not open; fails at once while other attempts have just failed.
  ///
  /// - Parameter insists: true to try anyway.
  func open(insists: Bool = false) throws(StorageError) {
    if let handle, PQstatus(handle) == CONNECTION_OK { return }
    disconnect()
    guard insists || gate.isOpen else { throw .unavailable }
    // The address may override the settings that come before it.
    let settings: [(String, String)] = [
      ("application_name", "regimen"), ("connect_timeout", "3"), ("tcp_user_timeout", "10000"),
      ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("dbname", address.url.revealed),
      ("client_encoding", "UTF8"),
    ]
    handle = CStrings.withPointers(settings.map(\.0)) { names in
      CStrings.withPointers(settings.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
    }
    guard let handle, PQstatus(handle) == CONNECTION_OK else {
      refusal = PostgresFailure.words(of: handle)
      disconnect()
      gate.failed()
      throw .unavailable
    }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    do throws(StorageError) {
      // A stalled node must not block the others forever. Statements are planned once for all arguments:
      // their indexes follow from their text, and planning Today again took as long as running it.
      try runScript(
        """
        SET client_min_messages = warning; SET jit = off; SET plan_cache_mode = force_generic_plan;
        SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '20s'
        """)
    } catch {
      disconnect()
      gate.failed()
      throw error
    }
    gate.succeeded()
  }

  /// The number of the server's process for this connection.
  var processID: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

  var serverVersion: String {
    handle.flatMap { PQparameterStatus($0, "server_version") }.map { String(cString: $0) } ?? ""
  }

  /// The socket to wait on for messages from the server.
  var descriptor: Int32 { handle.map { PQsocket($0) } ?? -1 }

  /// Reads the messages that have arrived, with the processes that sent them.
  func notifications() throws(StorageError) -> [(sender: Int32, text: String)] {
    guard let handle, PQconsumeInput(handle) == 1 else { throw lost() }
    var found: [(sender: Int32, text: String)] = []
    while let message = PQnotifies(handle) {
      if let text = message.pointee.extra {
        found.append((message.pointee.be_pid, String(cString: text)))
      }
      PQfreemem(message)
    }
    return found
  }

  // MARK: Transactions

  var isShared: Bool { true }

  var isInTransaction: Bool {
    guard let handle else { return false }
    return transaction.isUnbegun
      || [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
  }

  /// True after an error, until ROLLBACK or ROLLBACK TO.
  private var hasFailed: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

  func begin(exclusively: Bool) throws(StorageError) {
    // The lock comes before the snapshot, so that another node's change does not invalidate a read. Every
    // writing transaction takes it: an exclusive one must exclude all of them, since even one without audit
    // rows could cause conflicts again and again.
    let mode = exclusively ? "EXCLUSIVE" : "ROW EXCLUSIVE"
    try begin("SERIALIZABLE", and: ["LOCK TABLE audit_heads IN \(mode) MODE"])
  }

  func beginStep() throws(StorageError) {
    try begin("SERIALIZABLE")
  }

  func beginReading() throws(StorageError) {
    try begin("REPEATABLE READ READ ONLY")
  }

  private func begin(_ mode: String, and further: [String] = []) throws(StorageError) {
    hasConflict = false
    isBroken = false
    // A failed transaction that was never ended must not block this one.
    let isLeftOpen = [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(handle))
    transaction = PostgresTransaction(
      beginningWith: (isLeftOpen ? ["ROLLBACK"] : []) + ["BEGIN ISOLATION LEVEL \(mode)"] + further,
      onOpenConnection: handle != nil)
    try open()
  }

  func commit() throws(StorageError) {
    // PostgreSQL reports success when it commits an aborted transaction, but rolls it back.
    guard handle != nil, transaction.failure == nil, !hasFailed else { throw .transactionLost }
    if transaction.isUnbegun { try sendHeld() }
    let result = try exchange([.statement("COMMIT")])
    defer { PQclear(result) }
    guard PQcmdStatus(result).map({ String(cString: $0) }) == "COMMIT" else {
      throw .transactionLost
    }
  }

  /// Ends a read-only transaction; the next exchange receives the server's answer.
  func endReading() {
    let isBegun = isInTransaction && !transaction.isUnbegun
    transaction = PostgresTransaction()
    guard isBegun, let handle else { return }
    isEnding = PostgresPipeline.send([.statement("COMMIT")], over: handle)
    if !isEnding { disconnect() }
  }

  private func rollBack() throws(StorageError) {
    let isBegun = !transaction.isUnbegun
    transaction = PostgresTransaction()
    if isBegun { PQclear(try exchange([.statement("ROLLBACK")])) }
  }

  func announce(_ messages: [String]) throws(StorageError) {
    for message in messages { try executeLater(Self.notify, [.text(message)]) }
  }

  private static let notify = SQLStatement("SELECT pg_notify('regimen', $1)")

  func reopen() throws(StorageError) {
    close()
    try open(insists: true)
  }

  // MARK: Statements

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    // Keywords such as SAVEPOINT are not worth preparing and cannot be prepared in a failed transaction.
    if arguments.isEmpty, let count = try execute(words: sql.description) { return count }
    return PostgresResult.changes(of: try run(.fixed(sql), arguments))
  }

  func executeLater(
    _ statement: SQLStatement, _ arguments: [SQLValue]
  ) throws(StorageError) {
    // Prepared statements belong to one connection, which is certain only once the transaction has begun.
    if transaction.isUnbegun { try sendHeld() }
    transaction.hold(try command(.composed(statement), arguments))
  }

  /// Runs one or more statements without arguments.
  func script(_ sql: String) throws(StorageError) {
    if !transaction.held.isEmpty { try sendHeld() }
    try runScript(sql)
  }

  private func runScript(_ sql: String) throws(StorageError) {
    guard let handle else { throw lost() }
    waits += 1
    guard let result = PQexec(handle, sql) else { throw lost() }
    defer { PQclear(result) }
    if let error = error(of: result) { throw error }
  }

  /// Runs a statement without arguments and returns the number of changed rows; nil if it takes arguments.
  private func execute(words sql: String) throws(StorageError) -> Int? {
    guard !sql.contains("$1") else { return nil }
    if sql == "ROLLBACK" {
      try rollBack()
      return 0
    }
    if let failure = transaction.failure { throw failure }
    let command = PostgresCommand.statement(PostgresDialect.statement(sql))
    // These succeed in every transaction that has not failed, the last one in every transaction.
    let isSafe = sql.hasPrefix("SAVEPOINT ") || sql.hasPrefix("RELEASE ")
    if isSafe && !hasFailed || sql.hasPrefix("ROLLBACK TO ") {
      transaction.hold(command)
      return 0
    }
    return PostgresResult.changes(
      of: try reopening { () throws(StorageError) in try exchange([command]) })
  }

  func run(
    _ source: PostgresStatements.Source, _ arguments: [SQLValue]
  ) throws(StorageError) -> OpaquePointer {
    try reopening { () throws(StorageError) in
      try exchange([try command(source, arguments)])
    }
  }

  private func command(
    _ source: PostgresStatements.Source, _ arguments: [SQLValue]
  ) throws(StorageError) -> PostgresCommand {
    let statement = try prepared(source)
    guard statement.types.count == arguments.count else {
      throw .argumentCount(expected: statement.types.count, given: arguments.count)
    }
    return .run(name: statement.name, PostgresArguments(arguments, types: statement.types))
  }

  private func prepared(
    _ source: PostgresStatements.Source
  ) throws(StorageError) -> PostgresStatements.Statement {
    if let known = statements.known(source) { return known }
    let name = statements.nextName(for: source)
    let description = try exchange([
      .prepare(name: name, sql: PostgresDialect.statement(source.sql)), .describe(name: name),
    ])
    defer { PQclear(description) }
    let types = (0..<PQnparams(description)).map { PQparamtype(description, $0) }
    let statement = PostgresStatements.Statement(name: name, types: types)
    statements.keep(statement, for: source)
    return statement
  }

  // MARK: Exchanges

  /// Sends held-back and further requests, waits once for all answers, and returns the result of the last
  /// request.
  private func exchange(_ commands: [PostgresCommand]) throws(StorageError) -> OpaquePointer {
    if let failure = transaction.failure { throw failure }
    guard let handle else { throw lost() }
    let batch = transaction.held + commands
    waits += 1
    guard PostgresPipeline.send(batch, over: handle) else { throw lost() }
    if isEnding { PostgresPipeline.receive(1, over: handle).forEach(PQclear) }
    isEnding = false
    var results = PostgresPipeline.receive(batch.count, over: handle)
    defer { results.forEach(PQclear) }
    for (place, result) in results.enumerated() {
      guard let error = error(of: result) else { continue }
      if self.handle != nil {
        PQexitPipelineMode(handle)
        transaction.takeAnswer((place, error))
      }
      throw error
    }
    guard results.count == batch.count, PQexitPipelineMode(handle) == 1,
      let last = results.popLast()
    else { throw lost() }
    transaction.takeAnswer()
    return last
  }

  private func sendHeld() throws(StorageError) {
    PQclear(try reopening { () throws(StorageError) in try exchange([]) })
  }

  /// Runs the possible first exchange of a transaction, and transparently reopens a connection that was lost
  /// while idle.
  private func reopening(
    _ body: () throws(StorageError) -> OpaquePointer
  ) throws(StorageError) -> OpaquePointer {
    do {
      return try body()
    } catch {
      guard isBroken, transaction.beginsAnew() else { throw error }
      try open()
      isBroken = false
      return try body()
    }
  }

  /// Returns the error of a result; nil for success, and ``StorageError/unavailable`` if it ends the
  /// connection.
  private func error(of result: OpaquePointer) -> StorageError? {
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      return nil
    default:
      let failure = PostgresFailure(result)
      let error = failure.error
      if failure.isConflict { hasConflict = true }
      damage?.look(at: error)
      let isLost = error == .unavailable || handle.map({ PQstatus($0) }) != CONNECTION_OK
      return isLost ? lost() : error
    }
  }

  private func lost() -> StorageError {
    isBroken = true
    disconnect()
    return .unavailable
  }
}
