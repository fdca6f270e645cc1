// SPDX-License-Identifier: Apache-2.0

/// The state of a connection's open transaction.
struct PostgresTransaction {
  /// The requests that wait for the next one, to be sent together with it.
  private(set) var held: [PostgresCommand] = []
  /// The error of a request that was held back.
  ///
  /// The work that rests on it is unknown, so nothing but ROLLBACK may follow.
  private(set) var failure: StorageError?
  /// True while BEGIN is held back.
  private(set) var isUnbegun = false
  /// True until the server has answered for the first time, if the connection was open before: the
  /// transaction may then begin anew on another one.
  private(set) var mayReopen = false

  /// No transaction.
  init() {}

  init(beginningWith statements: [String], onOpenConnection isOpen: Bool) {
    held = statements.map { .statement($0) }
    isUnbegun = true
    mayReopen = isOpen
  }

  mutating func hold(_ command: PostgresCommand) {
    held.append(command)
  }

  /// Notes that the server has answered what was held back.
  ///
  /// - Parameter error: the error of the first request that failed, with its place in the batch.
  mutating func takeAnswer(_ error: (place: Int, error: StorageError)? = nil) {
    if let error, error.place < held.count { failure = error.error }
    held = []
    isUnbegun = false
    mayReopen = false
  }

  /// Returns true, once, if the transaction may begin anew after its connection was lost.
  mutating func beginsAnew() -> Bool {
    defer { mayReopen = false }
    return mayReopen
  }
}
