// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Web

/// Asks whether the database answers: one question at a time, for which no caller waits longer than a limit.
///
/// A stalled database keeps the question until it goes on. Callers do not add another one meanwhile, and once the
/// limit has passed, they learn at once that there is no answer.
package final class DatabaseCheck: Sendable {
  /// A result of the question.
  enum Finding: Sendable, Hashable {
    case working(isClockTrusted: Bool)
    case damaged
    case failing
    /// No answer within the limit.
    case silent
  }

  private struct State {
    /// The number of the current or last question.
    var round = 0
    var isRunning = false
    var isLate = false
    var waiters: [AsyncStream<Finding>.Continuation] = []
  }

  /// The seconds for which a caller waits.
  static let secondsOfPatience = 3
  private let state = Mutex(State())
  private let sleep: @Sendable (Duration) async throws -> Void

  /// Creates the check.
  ///
  /// - Parameter sleep: Waits for a time; replaced in tests.
  package init(
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.sleep = sleep
  }

  /// The callers that wait for the current question.
  var waiting: Int { state.withLock { $0.waiters.count } }
  /// True while a question has not been answered.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Returns the answer to a question, or to one of the same kind that was asked before and is not yet answered.
  func finding(of question: @escaping @Sendable () async -> Finding) async -> Finding {
    let (findings, waiter) = AsyncStream<Finding>.makeStream()
    let (isLate, begins, round) = state.withLock { state in
      if state.isLate { return (true, false, state.round) }
      let begins = !state.isRunning
      if begins { state.round += 1 }
      state.isRunning = true
      state.waiters.append(waiter)
      return (false, begins, state.round)
    }
    guard !isLate else { return .silent }
    if begins {
      Task { self.finish(with: await question()) }
    }
    let timer = Task {
      do { try await self.sleep(.seconds(Self.secondsOfPatience)) } catch { return }
      self.giveUp(round)
      waiter.finish()
    }
    defer { timer.cancel() }
    for await finding in findings { return finding }
    return .silent
  }

  private func giveUp(_ round: Int) {
    state.withLock { state in
      // The question may have been answered, and another one asked, in the same moment.
      if state.isRunning, state.round == round { state.isLate = true }
    }
  }

  private func finish(with finding: Finding) {
    let waiters = state.withLock { state in
      let waiters = state.waiters
      state.waiters = []
      state.isRunning = false
      state.isLate = false
      return waiters
    }
    for waiter in waiters {
      waiter.yield(finding)
      waiter.finish()
    }
  }
}

extension DatabaseCheck: FeatureValue {
  /// A check of its own, for an environment without one.
  package static var absent: DatabaseCheck { DatabaseCheck() }
}
