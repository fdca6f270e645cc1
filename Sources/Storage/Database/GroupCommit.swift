// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Synchronization

/// A write waiting for its commit.
protocol WriteJob: AnyObject, Sendable {
  /// Runs the body inside the open transaction and stores its result.
  func run(in writer: any SQLWriter) throws
  /// Returns the stored result to the waiting caller: the commit is durable.
  func succeed()
  func fail(with error: any Error)
}

/// Commits all waiting writes together, with one sync of the disk.
///
/// The next batch collects while the running one syncs, so that no timer is needed. A job's error undoes only its
/// own work. Callers are resumed after COMMIT, and a failed COMMIT fails every job of the batch.
///
/// SQLite copies each page that a job changes under a savepoint, which takes a fifth of the time of an answer. So a
/// batch first runs without savepoints; if a job fails after it changed something, the batch is undone and run again
/// with a savepoint for each job.
final class GroupCommit: Sendable {
  private struct State {
    var waiting: [any WriteJob] = []
    var isRunning = false
    var isClosed = false
  }

  /// The maximum number of tries; a conflict recurs only if another process holds locks for long.
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

  /// Rejects further jobs; waiting ones are still committed.
  ///
  /// Returns false if it was already closed.
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

  /// The results of a batch so far.
  fileprivate struct Round {
    var outcomes: [(job: any WriteJob, error: (any Error)?)] = []
    var entries: [AuditEntry] = []
    /// Patients whose open pages other processes must update.
    var announced: Set<PatientID> = []
    var head: AuditHead?
    var isCommitting = false
  }

  /// A job failed after it changed something, and only a savepoint for each job can undo that work alone.
  private struct NeedsSavepoints: Error {}

  /// Commits a batch and returns the jobs it did not reach because an earlier one lost the transaction.
  ///
  /// A batch with a conflict with another process is run again, then on its own.
  private func commit(
    _ batch: ArraySlice<any WriteJob>, on connection: any SQLConnection
  ) -> ArraySlice<any WriteJob> {
    var tries = 0
    // Between processes a batch should not run again more often than conflicts demand.
    var hasSavepoints = connection.isShared && batch.count > 1
    while true {
      var round = Round()
      do {
        try connection.begin(exclusively: tries > 0)
        try run(batch, in: &round, hasSavepoints: hasSavepoints, on: connection)
        round.isCommitting = true
        try connection.commit()
        return succeed(round)
      } catch {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        if error is NeedsSavepoints {
          hasSavepoints = true
          continue
        }
        tries += 1
        if connection.hasConflict, tries < Self.mostTries { continue }
        guard connection.isBroken else { return failAll(batch, round.outcomes, with: error) }
        return settle(batch, round, on: connection)
      }
    }
  }

  private func run(
    _ batch: ArraySlice<any WriteJob>, in round: inout Round, hasSavepoints: Bool,
    on connection: any SQLConnection
  ) throws {
    for job in batch {
      if hasSavepoints {
        switch runInSavepoint(job, on: connection) {
        case .success(let writer): round.take(job, writer)
        case .failure(let error): round.outcomes.append((job, error))
        }
      } else {
        try runDirectly(job, isAlone: batch.count == 1, in: &round, on: connection)
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

  /// Completes the jobs of a batch whose connection was lost.
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

  /// Runs a job without a savepoint.
  ///
  /// The error of a single job undoes the whole transaction. One of several that failed before it changed anything
  /// leaves nothing to undo.
  private func runDirectly(
    _ job: any WriteJob, isAlone: Bool, in round: inout Round, on connection: any SQLConnection
  ) throws {
    let writer = JobWriter(connection)
    defer { writer.end() }
    do {
      try job.run(in: writer)
      round.take(job, writer)
    } catch {
      if isAlone { throw error }
      round.outcomes.append((job, error))
      guard connection.isInTransaction else { throw StorageError.transactionLost }
      if writer.mayHaveChanged { throw NeedsSavepoints() }
    }
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
          // Without its savepoint the job cannot be undone separately, so the whole batch is given up.
          try? connection.execute("ROLLBACK")
        }
      }
      return .failure(error)
    }
  }

  /// Fails every job that ran, because nothing was kept, and returns those that did not run.
  ///
  /// A job's own error is reported only if that job lost the transaction: other errors may depend on what the
  /// rest of the batch wrote.
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

  /// The messages to other processes, sent with the commit.
  fileprivate var messages: [String] {
    let changed = Set(entries.compactMap(\.changedPatient))
    return SharedChange(patients: changed, wakesReminders: true).messages
      + SharedChange(patients: announced.subtracting(changed), wakesReminders: false).messages
  }
}
