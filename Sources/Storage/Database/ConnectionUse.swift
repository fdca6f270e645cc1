// SPDX-License-Identifier: Apache-2.0

/// The connections for reading or for writing at one moment, and the operations that wait for one.
package struct ConnectionUse: Sendable, Hashable {
  /// The most connections for the operation.
  package let limit: Int
  /// The connections in use.
  package let busy: Int
  /// The connections that are ready and unused.
  package let idle: Int
  /// The operations that wait for a connection; writes are committed together.
  package let waiting: Int

  /// Derives the use from the operations that wait or run.
  init(inProgress: Int, limit: Int, opened: Int) {
    self.limit = limit
    busy = min(max(0, inProgress), limit)
    idle = max(0, opened - busy)
    waiting = max(0, inProgress - limit)
  }
}

extension Database {
  /// Returns the use of the connections for an operation now; it needs no answer of the database.
  package func connectionUse(for operation: DatabaseOperation) -> ConnectionUse {
    let (limit, opened) = engine.connections(for: operation)
    return ConnectionUse(inProgress: inProgress(operation), limit: limit, opened: opened)
  }
}
