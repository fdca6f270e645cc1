// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import Foundation
import Secrecy
import Synchronization

/// A connection to a broker (MQTT 3.1.1), which is set up again whenever it breaks.
///
/// Everything is published with quality of service 1, and the broker keeps the session while the client is away.
/// libmosquitto works on a thread of its own. Its own loop is not used: it ends at a certificate that is not
/// trusted, and all clients would return to a restarted broker at the same moment.
package final class MQTTClient: Sendable {
  /// The library's client.
  ///
  /// Only the thread that connects destroys it, under the lock.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  /// The most milliseconds for which the thread waits for the network.
  private static let patience: Int32 = 250
  /// The most milliseconds of one part of a pause, so that stopping takes no longer.
  private static let pausePart: Int32 = 100
  /// The certificates that Debian trusts.
  private static let systemAuthorities = "/etc/ssl/certs/ca-certificates.crt"
  /// The most messages on their way at the same time.
  private static let mostInFlight: UInt32 = 100

  private let settings: MQTTSettings
  private let inbox: MQTTInbox
  private let uptime: @Sendable () -> UInt64
  private let random: @Sendable () -> UInt64
  private let handle = Mutex<Handle?>(nil)
  private let isStopped = Atomic(false)
  private let hasEnded = Atomic(false)

  /// True if the library is installed.
  package static var isAvailable: Bool { mosquitto_load() }

  /// Creates a client that is not connected yet.
  ///
  /// - Parameters:
  ///   - uptime: A monotonic clock, in nanoseconds.
  ///   - random: Returns any number.
  ///   - changed: Called from the library's thread after every change.
  package init(
    _ settings: MQTTSettings, uptime: @escaping @Sendable () -> UInt64,
    random: @escaping @Sendable () -> UInt64, changed: @escaping @Sendable () -> Void
  ) {
    self.settings = settings
    self.uptime = uptime
    self.random = random
    inbox = MQTTInbox(settings, changed: changed)
  }

  // MARK: State

  /// True if the broker has accepted the connection and it is not known to be broken.
  package var isConnected: Bool { inbox.read(\.isConnected) }
  /// The number of connections that the broker has accepted; it grows with each new one.
  package var connections: Int { inbox.read(\.connections) }
  /// The reason why there is no connection; nil while there is one, or before the first attempt has ended.
  package var trouble: MQTTTrouble? { inbox.read(\.trouble) }
  /// The number of published messages that wait for the broker's acknowledgement.
  package var waiting: Int { inbox.read(\.waiting) }
  /// The number of messages that the broker has acknowledged.
  package var published: UInt64 { inbox.read(\.published) }
  /// The number of received messages that were too large or too many.
  package var dropped: UInt64 { inbox.read(\.dropped) }

  /// Returns the messages that were received since the last call.
  package func takeReceived() -> [MQTTMessage] {
    inbox.take()
  }

  // MARK: Work

  /// Starts connecting; the library must be there (``isAvailable``).
  package func start() {
    let thread = Thread { self.work() }
    thread.name = "mqtt"
    thread.start()
  }

  /// Ends the connection in the orderly way, so that the broker does not send the will.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
  }

  /// True once the thread has ended.
  package var isEnded: Bool { hasEnded.load(ordering: .acquiring) }

  /// Publishes a message.
  ///
  /// - Throws: If it can't be sent now; nothing is kept for later.
  package func publish(_ message: MQTTMessage) throws(MQTTError) {
    guard message.payload.count <= Int(Int32.max) else { throw .invalid }
    try inbox.reserve()
    let result = handle.withLock { handle -> Int32 in
      guard let handle else { return MQTTResult.notConnected }
      return mosquitto_publish(
        handle.pointer, nil, message.topic, Int32(message.payload.count), message.payload, 1,
        message.isRetained)
    }
    if result == MQTTResult.success { return }
    inbox.release()
    throw result == MQTTResult.notConnected ? MQTTError.notConnected : MQTTError.invalid
  }

  private func work() {
    defer { hasEnded.store(true, ordering: .releasing) }
    guard let made = make() else {
      inbox.refuseSettings()
      return
    }
    handle.withLock { $0 = made }
    var failures = 0
    while !isStopped.load(ordering: .relaxed) {
      let began = uptime()
      inbox.begin()
      var result = mosquitto_connect(
        made.pointer, settings.address.host, Int32(settings.address.port),
        Int32(settings.keepAlive))
      while result == MQTTResult.success, !isStopped.load(ordering: .relaxed) {
        result = mosquitto_loop(made.pointer, Self.patience, 1)
      }
      if isStopped.load(ordering: .relaxed) { break }
      let wasStable =
        isConnected && (uptime() &- began) / 1_000_000 >= MQTTBackoff.stable
      inbox.end(result)
      failures = wasStable ? 1 : failures + 1
      pause(MQTTBackoff.pause(afterFailures: failures, random: random()))
    }
    if isConnected { sayGoodbye(made) }
    inbox.end(MQTTResult.success)
    handle.withLock { $0 = nil }
    mosquitto_destroy(made.pointer)
  }

  /// Sends what is still waiting in the library, and that the connection ends.
  private func sayGoodbye(_ made: Handle) {
    mosquitto_disconnect(made.pointer)
    var rounds = 0
    while rounds < 4, mosquitto_loop(made.pointer, Self.pausePart, 1) == MQTTResult.success {
      rounds += 1
    }
  }

  private func pause(_ milliseconds: Int) {
    var left = Int32(clamping: milliseconds)
    while left > 0, !isStopped.load(ordering: .relaxed) {
      _ = poll(nil, 0, min(left, Self.pausePart))
      left -= Self.pausePart
    }
  }

  // MARK: The library's client

  /// Creates the library's client; nil if the certificate files cannot be used.
  private func make() -> Handle? {
    // The inbox lives as long as this object, which the thread holds until the client is destroyed.
    let context = Unmanaged.passUnretained(inbox).toOpaque()
    guard let pointer = mosquitto_new(settings.clientID, false, context) else { return nil }
    guard set(pointer) else {
      mosquitto_destroy(pointer)
      return nil
    }
    mosquitto_connect_callback_set(pointer) { client, context, code in
      guard let inbox = MQTTClient.inbox(context) else { return }
      if code == 0 {
        for filter in inbox.filters { mosquitto_subscribe(client, nil, filter, 1) }
      }
      inbox.answered(code)
    }
    mosquitto_publish_callback_set(pointer) { _, context, _ in
      MQTTClient.inbox(context)?.acknowledged()
    }
    mosquitto_message_callback_set(pointer) { _, context, message in
      guard let found = message?.pointee, let topic = found.topic else { return }
      MQTTClient.inbox(context)?.receive(
        topic: String(cString: topic),
        payload: UnsafeRawBufferPointer(start: found.payload, count: Int(found.payloadlen)),
        isRetained: found.retain)
    }
    return Handle(pointer: pointer)
  }

  private func set(_ pointer: OpaquePointer) -> Bool {
    var results = [
      mosquitto_threaded_set(pointer, true),
      mosquitto_max_inflight_messages_set(pointer, Self.mostInFlight),
    ]
    if let user = settings.user {
      results.append(mosquitto_username_pw_set(pointer, user, settings.password?.revealed))
    }
    if settings.address.isSecure {
      results.append(
        mosquitto_tls_set(
          pointer, settings.authorities ?? Self.systemAuthorities, nil, settings.certificate,
          settings.key, nil))
    }
    if let will = settings.will {
      results.append(
        mosquitto_will_set(
          pointer, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained))
    }
    return results.allSatisfy { $0 == MQTTResult.success }
  }

  fileprivate static func inbox(_ context: UnsafeMutableRawPointer?) -> MQTTInbox? {
    context.map { Unmanaged<MQTTInbox>.fromOpaque($0).takeUnretainedValue() }
  }
}
