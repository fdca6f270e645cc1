// SPDX-License-Identifier: Apache-2.0

/// Waits for work that nothing can interrupt, such as a statement that waits for a lock.
enum LimitedWait {
  /// Returns the result of work, or nil if it takes longer than a limit; it then goes on unobserved.
  static func result<Value: Sendable>(
    within limit: Duration, of work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (results, continuation) = AsyncStream<Value>.makeStream()
    Task {
      continuation.yield(await work())
      continuation.finish()
    }
    let clock = Task {
      try? await Task.sleep(for: limit)
      continuation.finish()
    }
    defer { clock.cancel() }
    for await result in results { return result }
    return nil
  }
}
