// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOPosix
import Synchronization

/// The time limit of one call, across all its steps.
///
/// Each waiting step sets an action for when the time is up; cancellation ends a call in the same way. No
/// clock is read: the timer belongs to an event loop.
package final class CallDeadline: Sendable {
  private struct State {
    var ended: OutboundError?
    var onEnd: (@Sendable (OutboundError) -> Void)?
    var timer: Scheduled<Void>?
  }

  private let state = Mutex(State())

  /// Creates a deadline that ends with ``OutboundError/timeout`` after some seconds, from 0 to
  /// 3,600.
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

  /// Sets the action for the end of the call, replacing any earlier one.
  ///
  /// Returns the error, and sets nothing, if the call has already ended.
  package func watch(_ onEnd: @escaping @Sendable (OutboundError) -> Void) -> OutboundError? {
    state.withLock { state in
      if state.ended == nil { state.onEnd = onEnd }
      return state.ended
    }
  }

  /// Removes the action set by ``watch(_:)``.
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

  /// Stops the timer of a call that has ended.
  package func stop() {
    let timer = state.withLock { state in
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }
}
