// SPDX-License-Identifier: Apache-2.0

import FHIR
import HomeAutomation
import Identifiers
import Logging
import MQTT
import Storage
import Web

/// The connection of this node to the broker, for as long as it holds the lease.
struct HomeSession {
  private let environment: ServerEnvironment
  private let broker: HomeBroker
  private let client: MQTTClient
  /// The milliseconds after a new connection in which messages may be ones that the broker has kept.
  private static let keptFor: Int64 = 60_000

  /// The handlers of messages by topic.
  private let handlers: [any HomeMessageHandler]
  private var publisher: HomePublisher
  private var connections = 0
  /// When the connection was made.
  private var connected: Timestamp?
  private var published: UInt64 = 0
  private var dropped: UInt64 = 0
  /// The changes of which a failed round has not taken account; nil for any.
  private var changed: Set<PatientID>? = []
  /// When the connection was lost, or the first attempt began.
  private var lost: Timestamp?

  /// Starts connecting.
  init(environment: ServerEnvironment, broker: HomeBroker) {
    let wake = environment.live.followed.wake
    let random = environment.random
    let client = MQTTClient(
      broker.settings, uptime: environment.uptime,
      random: { random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } },
      changed: { wake.ring() })
    let directory = HomeDirectory()
    let presses = HomePresses(
      environment: environment, broker: broker, directory: directory,
      announce: { event, topics in
        try? client.publish(
          MQTTMessage(topic: topics.event, payload: event.json.bytes, isRetained: false))
      })
    self.environment = environment
    self.broker = broker
    self.client = client
    let reports = DeviceMessages(
      environment: environment, prefix: broker.prefix,
      answer: { try? client.publish($0) })
    handlers = [presses, reports]
    publisher = HomePublisher(
      environment: environment, broker: broker, directory: directory,
      send: { (message: MQTTMessage) throws(MQTTError) in try client.publish(message) })
    client.start()
  }

  /// Takes what was received and publishes what has changed; returns true if more is waiting.
  mutating func round() async -> Bool {
    let now = environment.now()
    count()
    guard client.isConnected else {
      lost = lost ?? now
      return false
    }
    lost = nil
    do {
      if client.connections != connections {
        let number = client.connections
        try publisher.reconnect()
        changed = nil
        connections = number
        connected = now
      }
      let hasLoaded = publisher.hasLoaded
      if hasLoaded { await take(at: now) }
      note(environment.live.followed.take())
      let following = changed
      changed = []
      do {
        let hasMore = try await publisher.round(
          changed: following, isIdle: client.waiting == 0, at: now)
        // Messages that came with the connection are taken when the people are known.
        return !hasLoaded || (hasMore && client.waiting < broker.settings.mostWaiting / 2)
      } catch {
        note(following)
        throw error
      }
    } catch is MQTTError {
      // The connection broke meanwhile.
      return false
    } catch {
      environment.logger.error(
        "publishing to the MQTT broker failed", metadata: ["type": .string("\(type(of: error))")])
      return false
    }
  }

  /// The state of the connection.
  func condition(at now: Timestamp) -> HomeBroker.Condition {
    if client.isConnected { return .connected }
    guard let trouble = client.trouble else { return .starting }
    return .down(trouble, since: lost ?? now)
  }

  /// Says that the server goes, and ends the connection.
  ///
  /// - Parameter milliseconds: The most time that the last messages may take.
  func end(within milliseconds: UInt64) async {
    try? client.publish(
      MQTTMessage(
        topic: HomeTopics.availability(broker.prefix), text: HomeTopics.offline, isRetained: true))
    let end = environment.uptime() &+ milliseconds * 1_000_000
    while client.isConnected, client.waiting > 0, environment.uptime() < end {
      try? await Task.sleep(for: .milliseconds(20))
    }
    client.stop()
    while !client.isEnded, environment.uptime() < end {
      try? await Task.sleep(for: .milliseconds(20))
    }
    environment.homeMetrics.note(isConnected: false)
  }

  private mutating func note(_ more: Set<PatientID>?) {
    guard let more, let known = changed else {
      changed = nil
      return
    }
    changed = known.union(more)
  }

  private mutating func take(at now: Timestamp) async {
    let mayHaveWaited = connected.map { now < $0.adding(milliseconds: Self.keptFor) } ?? true
    for message in client.takeReceived() {
      if message.topic == HomeTopics.birth(broker.discoveryPrefix) {
        // Messages published before Home Assistant started may be unknown to it.
        if !message.isRetained, message.payload == Array(HomeTopics.online.utf8) {
          publisher.publishAgain()
        }
        continue
      }
      var isTaken = false
      for handler in handlers where MQTTTopic.matches(message.topic, filter: handler.filter) {
        await handler.take(message, mayHaveWaited: mayHaveWaited)
        isTaken = true
      }
      if !isTaken { environment.homeMetrics.received(.refused) }
    }
  }

  /// Counts what the client has done since the last round.
  private mutating func count() {
    let (acknowledged, refused) = (client.published, client.dropped)
    environment.homeMetrics.published(acknowledged &- published)
    environment.homeMetrics.received(.dropped, refused &- dropped)
    published = acknowledged
    dropped = refused
  }
}
