// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The state of a connection, shared by the library's callbacks and the rest of the program.
///
/// The library never waits for it: what does not fit is dropped and counted.
final class MQTTInbox: Sendable {
  struct State {
    var isConnected = false
    /// The connections that the broker has accepted so far.
    var connections = 0
    /// The broker's refusal of the current attempt.
    var refusal: MQTTTrouble?
    /// The reason why there is no connection; kept until there is one.
    var trouble: MQTTTrouble?
    var received: [MQTTMessage] = []
    var waiting = 0
    var published: UInt64 = 0
    var dropped: UInt64 = 0
  }

  private let state = Mutex(State())
  private let settings: MQTTSettings
  private let changed: @Sendable () -> Void

  init(_ settings: MQTTSettings, changed: @escaping @Sendable () -> Void) {
    self.settings = settings
    self.changed = changed
  }

  /// The filters of the topics to receive.
  var filters: [String] { settings.subscriptions }

  func read<Value: Sendable>(_ part: (State) -> Value) -> Value {
    state.withLock { part($0) }
  }

  /// Takes everything that was received.
  func take() -> [MQTTMessage] {
    state.withLock { state in
      let received = state.received
      state.received = []
      return received
    }
  }

  // MARK: Publishing

  /// Reserves the place of a message that waits for its acknowledgement.
  func reserve() throws(MQTTError) {
    let mistake = state.withLock { state -> MQTTError? in
      guard state.isConnected else { return .notConnected }
      guard state.waiting < settings.mostWaiting else { return .full }
      state.waiting += 1
      return nil
    }
    if let mistake { throw mistake }
  }

  /// Gives the place back, because the library did not take the message.
  func release() {
    state.withLock { $0.waiting = max(0, $0.waiting - 1) }
  }

  // MARK: Callbacks

  func answered(_ code: Int32) {
    state.withLock { state in
      state.refusal = MQTTTrouble.answer(code)
      state.trouble = state.refusal
      guard state.refusal == nil else { return }
      state.isConnected = true
      state.connections += 1
    }
    changed()
  }

  func acknowledged() {
    let isEmpty = state.withLock { state in
      state.waiting = max(0, state.waiting - 1)
      state.published += 1
      return state.waiting == 0
    }
    if isEmpty { changed() }
  }

  func receive(topic: String, payload: UnsafeRawBufferPointer, isRetained: Bool) {
    state.withLock { state in
      guard state.received.count < settings.mostReceived, payload.count <= settings.largestPayload
      else {
        state.dropped += 1
        return
      }
      state.received.append(
        MQTTMessage(topic: topic, payload: Array(payload), isRetained: isRetained))
    }
    changed()
  }

  /// Begins an attempt to connect.
  func begin() {
    state.withLock { $0.refusal = nil }
  }

  /// Notes the end of a connection, or of an attempt.
  func end(_ code: Int32) {
    state.withLock { state in
      // The broker's own answer says more than the end of the connection after it.
      if state.isConnected || state.refusal == nil {
        state.trouble = MQTTTrouble.result(
          code, isSecure: settings.address.isSecure, wasConnected: state.isConnected)
      }
      state.isConnected = false
    }
    changed()
  }

  /// Notes that the files of the settings cannot be used.
  func refuseSettings() {
    state.withLock { $0.trouble = .settings }
    changed()
  }
}
