// SPDX-License-Identifier: Apache-2.0
import CLibPQ
import Secrecy

/// One connection to PostgreSQL, used by one thread at a time; it is opened when it is needed and
/// opened again after it was lost.
final class PostgresConnection: SQLConnection {
  private let address: PostgresAddress
  private let gate: PostgresGate
  private let damage: DamageWatch?
  private var handle: OpaquePointer?
  private var statements = PostgresStatements()
  private(set) var hasConflict = false
  private(set) var isBroken = false
  /// Why the last try to open it failed, in libpq's words.
  private(set) var refusal = ""

  init(address: PostgresAddress, gate: PostgresGate, damage: DamageWatch? = nil) {
    self.address = address
    self.gate = gate
    self.damage = damage
  }

  deinit {
    close()
  }

  // MARK: Opening

  func close() {
    if let handle { PQfinish(handle) }
    handle = nil
    statements = PostgresStatements()
  }

  /// Opens the connection where it is not; refuses at once while others have just failed.
  ///
  /// - Parameter insists: tries even so.
  func open(insists: Bool = false) throws(StorageError) {
    if let handle, PQstatus(handle) == CONNECTION_OK { return }
    close()
    guard insists || gate.isOpen else { throw .unavailable }
    // What stands before the address may be set otherwise by it.
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
      close()
      gate.failed()
      throw .unavailable
    }
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    do throws(StorageError) {
      // A node that stands still must not hold the others up for ever.
      try control(
        """
        SET client_min_messages = warning; SET jit = off; SET lock_timeout = '10s';
        SET idle_in_transaction_session_timeout = '20s'
        """)
    } catch {
      close()
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

  /// What must be waited on for messages from the server.
  var descriptor: Int32 { handle.map { PQsocket($0) } ?? -1 }

  /// Takes in the messages that have arrived, with the processes that sent them.
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
    return [PQTRANS_INTRANS, PQTRANS_INERROR, PQTRANS_ACTIVE].contains(PQtransactionStatus(handle))
  }

  func begin(exclusively: Bool) throws(StorageError) {
    // The lock comes before the snapshot, so that no read is invalidated by another node's change.
    // Every writing transaction takes it: an exclusive one must exclude all of them, since even one
    // without audit rows could win against it again and again.
    let mode = exclusively ? "EXCLUSIVE" : "ROW EXCLUSIVE"
    try start(
      "BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE audit_heads IN \(mode) MODE")
  }

  func beginStep() throws(StorageError) {
    try start("BEGIN ISOLATION LEVEL SERIALIZABLE")
  }

  func beginReading() throws(StorageError) {
    try start("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  }

  /// A connection that was lost while nobody used it is opened again without anybody's notice.
  private func start(_ sql: String) throws(StorageError) {
    hasConflict = false
    isBroken = false
    let wasOpen = handle != nil
    try open()
    do {
      try control(sql)
    } catch {
      if isInTransaction { _ = try? control("ROLLBACK") }
      guard wasOpen, isBroken else { throw error }
      isBroken = false
      try open()
      try control(sql)
    }
  }

  func commit() throws(StorageError) {
    // PostgreSQL calls it a success to commit what it has given up, and undoes it.
    guard let handle, PQtransactionStatus(handle) != PQTRANS_INERROR else {
      throw .transactionLost
    }
    let result = try checked(PQexec(handle, "COMMIT"))
    defer { PQclear(result) }
    guard PQcmdStatus(result).map({ String(cString: $0) }) == "COMMIT" else {
      throw .transactionLost
    }
  }

  func announce(_ messages: [String]) throws(StorageError) {
    for message in messages {
      _ = try query("SELECT pg_notify('regimen', $1)", [.text(message)])
    }
  }

  func reopen() throws(StorageError) {
    close()
    try open(insists: true)
  }

  // MARK: Statements

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    let result = try run(try statement(sql), arguments)
    defer { PQclear(result) }
    return PostgresResult.rows(of: result)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    let result = try run(try statement(dynamic: sql.text), arguments)
    defer { PQclear(result) }
    return PostgresResult.rows(of: result)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    // Words such as SAVEPOINT are not worth preparing, nor may they be in a failed transaction.
    if arguments.isEmpty, let count = try control(sql.description) { return count }
    return PostgresResult.changes(of: try run(try statement(sql), arguments))
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    PostgresResult.changes(of: try run(try statement(dynamic: sql.text), arguments))
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    let result = try run(try prepared(statement), arguments)
    defer { PQclear(result) }
    return PostgresResult.rows(of: result)
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    PostgresResult.changes(of: try run(try prepared(statement), arguments))
  }

  func executeScript(_ sql: String) throws(StorageError) {
    try control(PostgresDialect.script(sql))
  }

  /// Runs statements without arguments; the number of changed rows, nil when they take arguments.
  @discardableResult
  func control(_ sql: String) throws(StorageError) -> Int? {
    guard !sql.contains("$1") else { return nil }
    guard let handle else { throw lost() }
    return PostgresResult.changes(of: try checked(PQexec(handle, PostgresDialect.statement(sql))))
  }

  private func statement(_ sql: StaticString) throws(StorageError) -> PostgresStatements.Statement {
    if let known = statements.known(sql) { return known }
    let statement = try prepare(sql.description, isFixed: true)
    statements.keep(statement, for: sql)
    return statement
  }

  private func prepared(
    _ source: SQLStatement
  ) throws(StorageError) -> PostgresStatements.Statement {
    if let known = statements.known(source) { return known }
    let statement = try prepare(source.sql.text, isFixed: true)
    statements.keep(statement, for: source)
    return statement
  }

  private func statement(dynamic sql: String) throws(StorageError) -> PostgresStatements.Statement {
    if let known = statements.known(sql) { return known }
    let statement = try prepare(sql, isFixed: false)
    statements.keep(statement, for: sql)
    return statement
  }

  private func prepare(
    _ sql: String, isFixed: Bool
  ) throws(StorageError) -> PostgresStatements.Statement {
    guard let handle else { throw lost() }
    let name = statements.nextName(isFixed: isFixed)
    PQclear(try checked(PQprepare(handle, name, PostgresDialect.statement(sql), 0, nil)))
    let description = try checked(PQdescribePrepared(handle, name))
    defer { PQclear(description) }
    let types = (0..<PQnparams(description)).map { PQparamtype(description, $0) }
    return PostgresStatements.Statement(name: name, types: types)
  }

  private func run(
    _ statement: PostgresStatements.Statement, _ arguments: [SQLValue]
  ) throws(StorageError) -> OpaquePointer {
    guard let handle else { throw lost() }
    guard statement.types.count == arguments.count else {
      throw .argumentCount(expected: statement.types.count, given: arguments.count)
    }
    return try checked(
      PostgresArguments(arguments, types: statement.types).lend { count, values, lengths, formats in
        PQexecPrepared(handle, statement.name, count, values, lengths, formats, 0)
      })
  }

  // MARK: Results

  private func checked(_ result: OpaquePointer?) throws(StorageError) -> OpaquePointer {
    guard let result else { throw lost() }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      return result
    default:
      let failure = PostgresFailure(result)
      let (error, isConflict) = (failure.error, failure.isConflict)
      PQclear(result)
      if isConflict { hasConflict = true }
      damage?.look(at: error)
      if error == .unavailable || handle.map({ PQstatus($0) }) != CONNECTION_OK { throw lost() }
      throw error
    }
  }

  private func lost() -> StorageError {
    isBroken = true
    close()
    return .unavailable
  }
}
