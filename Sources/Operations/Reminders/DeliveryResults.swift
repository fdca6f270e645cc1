// SPDX-License-Identifier: Apache-2.0

import Logging
import Presentation
import Reminders
import Storage
import Synchronization
import Web

/// Collects the results of deliveries and writes them in batches.
///
/// The first caller to bring a result writes for all that arrive in the meantime.
final class DeliveryResults: Sendable {
  private struct Waiting {
    let result: DeliveryResult
    let since: UInt64
  }

  private struct State {
    var waiting: [Waiting] = []
    var isWriting = false
  }

  private let state = Mutex(State())
  private let environment: ServerEnvironment
  private static let perBatch = 256
  /// The nanoseconds after which the claim has expired, so that the result would be refused.
  private static let longestWait: UInt64 = 60_000_000_000

  init(environment: ServerEnvironment) {
    self.environment = environment
  }

  func add(_ result: DeliveryResult) async {
    let writes = state.withLock { state in
      state.waiting.append(Waiting(result: result, since: environment.uptime()))
      return !state.isWriting
    }
    if writes { await write() }
  }

  /// Writes until nothing waits.
  ///
  /// - Parameter isLast: True to give up if the database does not accept them.
  func write(isLast: Bool = false) async {
    while let batch = next() {
      let context = environment.reminderContext(at: environment.now())
      let results = batch.map(\.result)
      do {
        try await environment.database.write { writer in
          try ReminderEngine.complete(results, context, in: writer)
          writer.announce(Set(results.map(\.patient)))
        }
        state.withLock { $0.isWriting = false }
        environment.live.wakeStreams(of: Set(results.map(\.patient)))
        // A retry or the next channel may now come first.
        if results.contains(where: { !$0.outcome.isHandedOver }) {
          environment.live.reminders.ring()
        }
      } catch {
        putBack(batch)
        environment.logger.error(
          "results of reminders could not be written",
          metadata: ["type": .string("\(type(of: error))")])
        guard !isLast, !Task.isCancelled else { return }
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  private func next() -> [Waiting]? {
    state.withLock { state in
      guard !state.isWriting, !state.waiting.isEmpty else { return nil }
      state.isWriting = true
      let batch = Array(state.waiting.prefix(Self.perBatch))
      state.waiting.removeFirst(batch.count)
      return batch
    }
  }

  private func putBack(_ batch: [Waiting]) {
    let now = environment.uptime()
    state.withLock { state in
      state.isWriting = false
      state.waiting.insert(
        contentsOf: batch.filter { now &- $0.since < Self.longestWait }, at: 0)
    }
  }
}
