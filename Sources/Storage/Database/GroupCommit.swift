// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Synchronization

/// A write waiting for its commit.
protocol WriteJob: AnyObject, Sendable {
  /// Runs the body inside the open transaction and keeps its result.
  func run(in writer: any SQLWriter) throws
  /// Hands the kept result to the waiting caller: the commit is durable.
  func succeed()
  func fail(with error: any Error)
}

/// Commits all waiting writes together: the disk is synced once for all of them.
///
/// The sync of the running batch is the window in which the next batch gathers; no timer is
/// needed. Each job has its own savepoint: its error undoes it alone. Callers are resumed after
/// COMMIT, and a failed COMMIT fails every job of the batch.
final class GroupCommit: Sendable {
  private struct State {
    var waiting: [any WriteJob] = []
    var isRunning = false
    var isClosed = false
  }

  /// A conflict comes back only where someone else holds locks for long.
  private static let mostTries = 5
  private let engine: any DatabaseEngine
  private let audit: AuditLog
  private let state = Mutex(State())

  init(engine: any DatabaseEngine, audit: AuditLog) {
    self.engine = engine
    self.audit = audit
  }

  func submit(_ job: any WriteJob) {
    let isAccepted = state.withLock { state -> Bool in
      if state.isClosed { return false }
      state.waiting.append(job)
      if !state.isRunning {
        state.isRunning = true
        // Posted under the lock, so that closing comes after every accepted job.
        engine.write { self.drain(on: $0) }
      }
      return true
    }
    if !isAccepted { job.fail(with: StorageError.closed) }
  }

  /// Refuses further jobs; those already waiting are still committed.
  ///
  /// False when it was closed before.
  func close() -> Bool {
    state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  private func drain(on connection: any SQLConnection) {
    while true {
      let batch = state.withLock { state -> [any WriteJob] in
        let batch = state.waiting
        state.waiting = []
        if batch.isEmpty { state.isRunning = false }
        return batch
      }
      if batch.isEmpty { return }
      var rest = batch[...]
      while !rest.isEmpty {
        rest = commit(rest, on: connection)
      }
    }
  }

  /// What running a batch has given so far.
  fileprivate struct Round {
    var outcomes: [(job: any WriteJob, error: (any Error)?)] = []
    var entries: [AuditEntry] = []
    /// Patients whose open pages other processes shall look after.
    var announced: Set<PatientID> = []
    var head: AuditHead?
    var isCommitting = false
  }

  /// Commits a batch and returns the jobs it did not come to, when one of them lost it the
  /// transaction.
  ///
  /// A batch that lost against another process is run again, then alone.
  private func commit(
    _ batch: ArraySlice<any WriteJob>, on connection: any SQLConnection
  ) -> ArraySlice<any WriteJob> {
    var tries = 0
    while true {
      var round = Round()
      do {
        try connection.begin(exclusively: tries > 0)
        try run(batch, in: &round, on: connection)
        round.isCommitting = true
        try connection.commit()
        return succeed(round)
      } catch {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        tries += 1
        if connection.hasConflict, tries < Self.mostTries { continue }
        guard connection.isBroken else { return failAll(batch, round.outcomes, with: error) }
        return settle(batch, round, on: connection)
      }
    }
  }

  private func run(
    _ batch: ArraySlice<any WriteJob>, in round: inout Round, on connection: any SQLConnection
  ) throws {
    // A job by itself needs no savepoint: its error undoes the whole transaction, which is its own.
    let isAlone = connection.isShared && batch.count == 1
    for job in batch {
      if isAlone {
        round.take(job, try runAlone(job, on: connection))
      } else {
        switch runInSavepoint(job, on: connection) {
        case .success(let writer): round.take(job, writer)
        case .failure(let error): round.outcomes.append((job, error))
        }
      }
      if connection.hasConflict { throw StorageError.busy }
      guard connection.isInTransaction else { throw StorageError.transactionLost }
    }
    if !round.entries.isEmpty { round.head = try audit.append(round.entries, to: connection) }
    if connection.isShared { try connection.announce(round.messages) }
  }

  private func succeed(_ round: Round) -> ArraySlice<any WriteJob> {
    if let head = round.head { audit.committed(head, at: round.entries) }
    for (job, error) in round.outcomes {
      if let error { job.fail(with: error) } else { job.succeed() }
    }
    return []
  }

  /// Says what became of a batch whose connection was lost.
  private func settle(
    _ batch: ArraySlice<any WriteJob>, _ round: Round, on connection: any SQLConnection
  ) -> ArraySlice<any WriteJob> {
    guard round.isCommitting else { return failAll(batch, [], with: StorageError.unavailable) }
    switch round.head.flatMap({ audit.resynchronise($0, on: connection) }) {
    case true?: return succeed(round)
    case false?: return failAll(batch, [], with: StorageError.unavailable)
    case nil: return failAll(batch, [], with: StorageError.outcomeUnknown)
    }
  }

  private func runAlone(
    _ job: any WriteJob, on connection: any SQLConnection
  ) throws -> JobWriter {
    let writer = JobWriter(connection)
    defer { writer.end() }
    try job.run(in: writer)
    return writer
  }

  private func runInSavepoint(
    _ job: any WriteJob, on connection: any SQLConnection
  ) -> Result<JobWriter, any Error> {
    let writer = JobWriter(connection)
    defer { writer.end() }
    do {
      try connection.execute("SAVEPOINT job")
      try job.run(in: writer)
      // A body may have caught the error that made the engine drop the transaction.
      guard connection.isInTransaction else { throw StorageError.transactionLost }
      try connection.execute("RELEASE job")
      return .success(writer)
    } catch {
      if connection.isInTransaction {
        do {
          try connection.execute("ROLLBACK TO job")
          try connection.execute("RELEASE job")
        } catch {
          // Without its savepoint nothing of the batch can be told apart: give it up.
          try? connection.execute("ROLLBACK")
        }
      }
      return .failure(error)
    }
  }

  /// Tells every job that ran that nothing was kept, and returns those that did not run.
  ///
  /// A job that failed by itself gets its own error only when the transaction was lost by it: an
  /// error that rests on what others of the batch wrote must not be told.
  private func failAll(
    _ batch: ArraySlice<any WriteJob>,
    _ outcomes: [(job: any WriteJob, error: (any Error)?)],
    with error: any Error
  ) -> ArraySlice<any WriteJob> {
    let isLost = (error as? StorageError) == .transactionLost
    guard isLost, let last = outcomes.last else {
      for job in batch { job.fail(with: error) }
      return []
    }
    for outcome in outcomes.dropLast() { outcome.job.fail(with: error) }
    last.job.fail(with: last.error ?? error)
    return batch.dropFirst(outcomes.count)
  }
}

extension GroupCommit.Round {
  fileprivate mutating func take(_ job: any WriteJob, _ writer: JobWriter) {
    entries += writer.entries
    announced.formUnion(writer.announced)
    outcomes.append((job, nil))
  }

  /// What other processes are told with the commit.
  fileprivate var messages: [String] {
    let changed = Set(entries.compactMap(\.changedPatient))
    return SharedChange(patients: changed, wakesReminders: true).messages
      + SharedChange(patients: announced.subtracting(changed), wakesReminders: false).messages
  }
}
