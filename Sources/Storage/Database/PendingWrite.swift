// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// One call of ``Database/write(_:)`` in the group commit.
final class PendingWrite<Value: Sendable>: WriteJob {
  private let body: @Sendable (any SQLWriter) throws -> Value
  private let continuation: CheckedContinuation<Value, any Error>
  private let value = Mutex<Value?>(nil)

  init(
    body: @escaping @Sendable (any SQLWriter) throws -> Value,
    continuation: CheckedContinuation<Value, any Error>
  ) {
    self.body = body
    self.continuation = continuation
  }

  func run(in writer: any SQLWriter) throws {
    let result = try body(writer)
    value.withLock { $0 = result }
  }

  func succeed() {
    if let result = value.withLock({ $0 }) {
      continuation.resume(returning: result)
    } else {
      continuation.resume(throwing: StorageError.transactionLost)
    }
  }

  func fail(with error: any Error) {
    continuation.resume(throwing: error)
  }
}
