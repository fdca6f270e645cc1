// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A waiting caller that is resumed once, by the result, the time limit or cancellation, whichever is first.
final class Ticket<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Result<Value, OutboundError>, Never>?>

  init(_ continuation: CheckedContinuation<Result<Value, OutboundError>, Never>) {
    self.continuation = Mutex(continuation)
  }

  /// Resumes the caller; returns false if it was already resumed.
  @discardableResult
  func resume(_ result: Result<Value, OutboundError>) -> Bool {
    let waiting = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    waiting?.resume(returning: result)
    return waiting != nil
  }
}
