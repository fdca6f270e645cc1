// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs asynchronous work and lets a dedicated thread wait for it.
final class Awaited<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () async throws -> Value) {
    Task {
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await work())
      } catch {
        outcome = .failure(error)
      }
      result.withLock { $0 = outcome }
      isDone.signal()
    }
  }

  func wait() throws -> Value? {
    isDone.wait()
    // Kept for repeated calls.
    defer { isDone.signal() }
    return try result.withLock { $0 }?.get()
  }
}
