// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TestSupport

@testable import Storage

/// Many concurrent writers; runs on each form of database.
@Suite struct GroupCommitTests {
  struct Refused: Error, Equatable {
    let id: Int
  }

  @Test(arguments: DatabaseForm.allCases)
  func `each job of a batch has its own outcome`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
        for id in 100..<500 {
          group.addTask {
            do {
              try await database.write { writer in
                try writer.execute(
                  "INSERT INTO notes (patient, id, text) VALUES ($1, $2, $3)",
                  ["p", SQLValue(id), "job"])
                writer.audit(.sample(id))
                if id % 5 == 0 { throw Refused(id: id) }
                if id % 7 == 0 {
                  // Breaks a rule of the schema after a valid insert of its own.
                  try writer.execute("INSERT INTO notes (patient, id) VALUES ($1, $2)", ["p", 13])
                }
              }
              return (id, true)
            } catch let error as Refused {
              #expect(error.id == id)
            } catch StorageError.constraint(.check, _) {
              #expect(id % 7 == 0)
            } catch {
              Issue.record(error)
            }
            return (id, false)
          }
        }
        return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
      }
      let expected = (100..<500).filter { $0 % 5 != 0 && $0 % 7 != 0 }
      #expect(outcomes.filter(\.value).keys.sorted() == expected)
      #expect(try await database.noteIDs() == expected.map(Int64.init))
      let verification = try await database.verifyAudit()
      #expect(verification.isIntact)
      #expect(verification.rows == expected.count)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `nothing is lost between parallel read-modify-writes`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.write { writer in
        try writer.execute(
          "INSERT INTO notes (patient, id, amount) VALUES ($1, $2, $3)", ["p", 1, 0.0])
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<200 {
          group.addTask {
            try await database.write { writer in
              let amount = try writer.first("SELECT amount FROM notes WHERE id = 1")?.real(0) ?? -1
              try writer.execute("UPDATE notes SET amount = $1 WHERE id = 1", [.real(amount + 1)])
            }
          }
        }
        try await group.waitForAll()
      }
      let amount = try await database.read { try $0.first("SELECT amount FROM notes")?.real(0) }
      #expect(amount == 200)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `the next read sees an acknowledged write`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for id in 100..<200 {
          group.addTask {
            try await database.addNote(id)
            return try await database.noteIDs().contains(Int64(id))
          }
        }
        for try await isSeen in group { #expect(isSeen) }
      }
    }
  }

  private static func commits(on engine: BrokenEngine) throws -> GroupCommit {
    let seal = AuditSeal(keys: try KeyRing.test)
    return GroupCommit(
      engine: engine,
      audit: AuditLog(
        chain: AuditChain(node: "n", seal: seal, head: .start), anchor: nil, logger: .quiet))
  }

  /// Runs jobs in one batch and returns the statements of the engine.
  private static func statements(of jobs: [RecordedJob]) throws -> [String] {
    let engine = BrokenEngine()
    let commits = try commits(on: engine)
    engine.hold()
    for job in jobs { commits.submit(job) }
    engine.release()
    #expect(jobs.allSatisfy { $0.isDone })
    return engine.statements
  }

  @Test func `jobs that succeed, or fail before they change anything, need no savepoints`() throws {
    let jobs = [
      RecordedJob("INSERT 1"), RecordedJob(failingWith: .busy), RecordedJob("INSERT 3"),
    ]
    #expect(
      try Self.statements(of: jobs) == ["BEGIN IMMEDIATE", "INSERT 1", "INSERT 3", "COMMIT"])
    #expect(jobs.map(\.error) == [nil, .busy, nil])
  }

  @Test func `a batch in which a job fails after a change runs again with savepoints`() throws {
    let jobs = [
      RecordedJob("INSERT 1"), RecordedJob("INSERT 2", failingWith: .busy),
      RecordedJob("INSERT 3"),
    ]
    #expect(
      try Self.statements(of: jobs) == [
        "BEGIN IMMEDIATE", "INSERT 1", "INSERT 2", "ROLLBACK",
        "BEGIN IMMEDIATE", "SAVEPOINT job", "INSERT 1", "RELEASE job",
        "SAVEPOINT job", "INSERT 2", "ROLLBACK TO job", "RELEASE job",
        "SAVEPOINT job", "INSERT 3", "RELEASE job", "COMMIT",
      ])
    #expect(jobs.map(\.error) == [nil, .busy, nil])
  }

  @Test func `the error of a single job undoes its transaction`() throws {
    let job = RecordedJob("INSERT 1", failingWith: .busy)
    #expect(try Self.statements(of: [job]) == ["BEGIN IMMEDIATE", "INSERT 1", "ROLLBACK"])
    #expect(job.error == .busy)
  }

  @Test func `a failed commit fails every job of its batch, and later ones go on`() async throws {
    let engine = BrokenEngine()
    let commits = try Self.commits(on: engine)
    let jobs = (0..<3).map { _ in RecordedJob() }
    engine.hold()
    for job in jobs { commits.submit(job) }
    engine.breakNext("COMMIT", with: .inputOutput(code: 1), losingTransaction: false)
    engine.release()
    #expect(jobs.map(\.error) == Array(repeating: .inputOutput(code: 1), count: 3))
    #expect(engine.statements.last == "ROLLBACK")
    let later = RecordedJob()
    engine.hold()
    commits.submit(later)
    engine.release()
    #expect(later.isDone && later.error == nil)
  }

  @Test func `a job that loses the transaction only fails the jobs before it`() async throws {
    let engine = BrokenEngine()
    let commits = try Self.commits(on: engine)
    let jobs = [
      RecordedJob(), RecordedJob("INSERT INTO full_disk VALUES (1)"), RecordedJob(), RecordedJob(),
    ]
    engine.hold()
    for job in jobs { commits.submit(job) }
    engine.breakNext(
      "INSERT INTO full_disk VALUES (1)", with: .diskFull, losingTransaction: true)
    engine.release()
    #expect(jobs[0].error == .transactionLost)
    #expect(jobs[1].error == .diskFull)
    #expect(jobs[2].isDone && jobs[2].error == nil)
    #expect(jobs[3].isDone && jobs[3].error == nil)
  }
}

/// A job that records how it ended.
final class RecordedJob: WriteJob {
  private let sql: StaticString?
  private let failure: StorageError?
  private let state = Mutex<(isDone: Bool, error: StorageError?)>((false, nil))

  init(_ sql: StaticString? = nil, failingWith failure: StorageError? = nil) {
    self.sql = sql
    self.failure = failure
  }

  var isDone: Bool { state.withLock { $0.isDone } }
  var error: StorageError? { state.withLock { $0.error } }

  func run(in writer: any SQLWriter) throws {
    if let sql { try writer.execute(sql, []) }
    if let failure { throw failure }
  }

  func succeed() {
    state.withLock { $0 = (true, nil) }
  }

  func fail(with error: any Error) {
    state.withLock { $0 = (true, error as? StorageError) }
  }
}

/// An engine without storage whose statements can be made to fail.
final class BrokenEngine: DatabaseEngine {
  private struct State {
    var statements: [String] = []
    var isInTransaction = false
    var isHeld = false
    var held: [@Sendable (any SQLConnection) -> Void] = []
    var failure: (sql: String, error: StorageError, losesTransaction: Bool)?
  }

  private struct Connection: SQLConnection {
    let engine: BrokenEngine

    func query(_: StaticString, _: [SQLValue]) throws(StorageError) -> [SQLRow] { [] }
    func query(dynamic _: SQLText, _: [SQLValue]) throws(StorageError) -> [SQLRow] { [] }
    func execute(dynamic sql: SQLText, _: [SQLValue]) throws(StorageError) -> Int {
      try engine.run(sql.text)
      return 0
    }
    func execute(_ sql: StaticString, _: [SQLValue]) throws(StorageError) -> Int {
      try engine.run(sql.description)
      return 0
    }
    func executeScript(_ sql: String) throws(StorageError) { try engine.run(sql) }
    var isInTransaction: Bool { engine.state.withLock { $0.isInTransaction } }
  }

  private let state = Mutex(State())

  var description: String { "broken" }
  var statements: [String] { state.withLock { $0.statements } }

  /// Holds writes until ``release()``, so that a batch collects.
  func hold() {
    state.withLock { $0.isHeld = true }
  }

  func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      state.isHeld = false
      return state.held
    }
    for body in held { body(Connection(engine: self)) }
  }

  func breakNext(_ sql: String, with error: StorageError, losingTransaction: Bool) {
    state.withLock { $0.failure = (sql, error, losingTransaction) }
  }

  private func run(_ sql: String) throws(StorageError) {
    let error = state.withLock { state -> StorageError? in
      state.statements.append(sql)
      if let failure = state.failure, failure.sql == sql {
        state.failure = nil
        if failure.losesTransaction { state.isInTransaction = false }
        return failure.error
      }
      if sql.hasPrefix("BEGIN") { state.isInTransaction = true }
      if sql == "COMMIT" || sql == "ROLLBACK" { state.isInTransaction = false }
      return nil
    }
    if let error { throw error }
  }

  func read(_ body: @escaping @Sendable (Result<any SQLReader, StorageError>) -> Void) {
    body(.success(Connection(engine: self)))
  }

  func write(_ body: @escaping @Sendable (any SQLConnection) -> Void) {
    let isHeld = state.withLock { state in
      if state.isHeld { state.held.append(body) }
      return state.isHeld
    }
    precondition(isHeld, "The tests hold the engine while they submit.")
  }

  func prepare<Value: Sendable>(
    _ body: (any SQLConnection) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try body(Connection(engine: self))
  }

  func close(_ completion: @escaping @Sendable (StorageError?) -> Void) {
    completion(nil)
  }
}
