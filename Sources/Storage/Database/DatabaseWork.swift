// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The kind of a use of the database.
package enum DatabaseOperation: String, Sendable, CaseIterable {
  case read, write
}

/// The uses of the database that wait or run, and an observer of the time that they take.
final class DatabaseWork: Sendable {
  /// A wrapper around the closures, which would otherwise be wrapped once more with each use.
  private struct Observer {
    let uptime: @Sendable () -> UInt64
    let notify: @Sendable (DatabaseOperation, _ nanoseconds: UInt64) -> Void
  }

  private struct State {
    var inProgress: [DatabaseOperation: Int] = [:]
    var observer: Observer?
  }

  private let state = Mutex(State())

  func inProgress(_ operation: DatabaseOperation) -> Int {
    state.withLock { $0.inProgress[operation] ?? 0 }
  }

  func observe(
    uptime: @escaping @Sendable () -> UInt64,
    _ notify: @escaping @Sendable (DatabaseOperation, _ nanoseconds: UInt64) -> Void
  ) {
    state.withLock { $0.observer = Observer(uptime: uptime, notify: notify) }
  }

  /// Records the start of a use, and returns its time; nil without an observer.
  func begin(_ operation: DatabaseOperation) -> UInt64? {
    let observer = state.withLock { state in
      state.inProgress[operation, default: 0] += 1
      return state.observer
    }
    return observer?.uptime()
  }

  /// Records the end of a use.
  func end(_ operation: DatabaseOperation, since began: UInt64?) {
    let observer = state.withLock { state in
      state.inProgress[operation, default: 1] -= 1
      return state.observer
    }
    guard let observer, let began else { return }
    let now = observer.uptime()
    observer.notify(operation, now > began ? now - began : 0)
  }
}

extension Database {
  /// Returns the number of reads or writes that wait or run now.
  package func inProgress(_ operation: DatabaseOperation) -> Int { work.inProgress(operation) }

  /// Calls an observer with the time that each read and write took, including its wait.
  ///
  /// There is only one observer; another one replaces it.
  ///
  /// - Parameter uptime: A monotonic clock, in nanoseconds.
  package func observeWork(
    uptime: @escaping @Sendable () -> UInt64,
    _ observer: @escaping @Sendable (DatabaseOperation, _ nanoseconds: UInt64) -> Void
  ) {
    work.observe(uptime: uptime, observer)
  }
}
