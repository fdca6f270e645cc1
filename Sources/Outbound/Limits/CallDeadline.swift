// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization

/// The time limit of one call, over all the steps it takes.
///
/// Each step that waits says what is to happen when the time is up; cancellation ends a call in
/// the same way. No clock is read: the timer belongs to an event loop.
package final class CallDeadline: Sendable {
  private struct State {
    var ended: OutboundError?
    var onEnd: (@Sendable (OutboundError) -> Void)?
    var timer: Scheduled<Void>?
  }

  private let state = Mutex(State())

  package init(seconds: Int) {
    let limit = TimeAmount.seconds(Int64(min(max(seconds, 0), 3600)))
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let timer = loop.scheduleTask(in: limit) { [weak self] in
      self?.end(.timeout)
      return
    }
    state.withLock { $0.timer = timer }
  }

  /// Runs one waiting step: `begin` gets the ticket to resume.
  func wait<Value: Sendable>(
    _ begin: (Ticket<Value>) -> Void
  ) async throws(OutboundError) -> Value {
    let result: Result<Value, OutboundError> = await withCheckedContinuation { continuation in
      let ticket = Ticket(continuation)
      if let ended = watch({ ticket.resume(.failure($0)) }) {
        ticket.resume(.failure(ended))
      } else {
        begin(ticket)
      }
    }
    unwatch()
    return try result.get()
  }

  /// Sets what happens at the end; returns the error where the end has come already.
  package func watch(_ onEnd: @escaping @Sendable (OutboundError) -> Void) -> OutboundError? {
    state.withLock { state in
      if state.ended == nil { state.onEnd = onEnd }
      return state.ended
    }
  }

  package func unwatch() {
    state.withLock { $0.onEnd = nil }
  }

  var hasEnded: Bool { state.withLock { $0.ended != nil } }

  /// Ends the call's current step, and each later one at once.
  func end(_ error: OutboundError) {
    let onEnd = state.withLock { state -> (@Sendable (OutboundError) -> Void)? in
      guard state.ended == nil else { return nil }
      state.ended = error
      defer { state.onEnd = nil }
      return state.onEnd
    }
    onEnd?(error)
  }

  /// Stops the timer of a call that is over.
  package func stop() {
    let timer = state.withLock { state in
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }
}
