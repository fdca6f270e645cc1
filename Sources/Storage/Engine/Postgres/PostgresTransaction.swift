// SPDX-License-Identifier: Apache-2.0

/// The state of a connection's open transaction.
struct PostgresTransaction {
  /// The requests held back to be sent with the next one.
  private(set) var held: [PostgresCommand] = []
  /// The error of a request that was held back.
  ///
  /// Later work may depend on it, so only ROLLBACK may follow.
  private(set) var failure: StorageError?
  /// True while BEGIN is held back.
  private(set) var isUnbegun = false
  /// True until the server's first answer, if the connection was already open: the transaction can then
  /// restart on a new connection.
  private(set) var mayReopen = false

  /// Creates the state without a transaction.
  init() {}

  init(beginningWith statements: [String], onOpenConnection isOpen: Bool) {
    held = statements.map { .statement($0) }
    isUnbegun = true
    mayReopen = isOpen
  }

  mutating func hold(_ command: PostgresCommand) {
    held.append(command)
  }

  /// Records that the server has answered the held-back requests.
  ///
  /// - Parameter error: the error of the first failed request, with its position in the batch.
  mutating func takeAnswer(_ error: (place: Int, error: StorageError)? = nil) {
    if let error, error.place < held.count { failure = error.error }
    held = []
    isUnbegun = false
    mayReopen = false
  }

  /// Returns true, once, if the transaction can restart after its connection was lost.
  mutating func beginsAnew() -> Bool {
    defer { mayReopen = false }
    return mayReopen
  }
}
