// SPDX-License-Identifier: Apache-2.0
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

  /// Commits a batch and returns the jobs it did not come to, when one of them lost it the
  /// transaction.
  private func commit(
    _ batch: ArraySlice<any WriteJob>, on connection: any SQLConnection
  ) -> ArraySlice<any WriteJob> {
    var outcomes: [(job: any WriteJob, error: (any Error)?)] = []
    var entries: [AuditEntry] = []
    do {
      try connection.execute("BEGIN IMMEDIATE")
      for job in batch {
        let result = runInSavepoint(job, on: connection)
        switch result {
        case .success(let audited):
          entries += audited
          outcomes.append((job, nil))
        case .failure(let error):
          outcomes.append((job, error))
        }
        guard connection.isInTransaction else { throw StorageError.transactionLost }
      }
      let head = entries.isEmpty ? nil : try audit.append(entries, to: connection)
      try connection.execute("COMMIT")
      if let head { audit.committed(head, at: entries) }
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      return failAll(batch, outcomes, with: error)
    }
    for (job, error) in outcomes {
      if let error { job.fail(with: error) } else { job.succeed() }
    }
    return []
  }

  private func runInSavepoint(
    _ job: any WriteJob, on connection: any SQLConnection
  ) -> Result<[AuditEntry], any Error> {
    let writer = JobWriter(connection)
    defer { writer.end() }
    do {
      try connection.execute("SAVEPOINT job")
      try job.run(in: writer)
      // A body may have caught the error that made the engine drop the transaction.
      guard connection.isInTransaction else { throw StorageError.transactionLost }
      try connection.execute("RELEASE job")
      return .success(writer.entries)
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
