// SPDX-License-Identifier: Apache-2.0

import MQTT
import Secrecy
import Storage
import Synchronization

/// The broker that the operator has set up, and the state of the connection to it.
package final class HomeBroker: Sendable, Unprintable {
  /// The state of the connection.
  package enum Condition: Sendable, Hashable {
    /// No attempt has ended yet.
    case starting
    /// Another node of the same database holds the connection.
    case elsewhere
    case connected
    /// There is no connection, since a time, for a reason.
    case down(MQTTTrouble, since: Timestamp)
  }

  /// The settings of the connection.
  package let settings: MQTTSettings
  /// The beginning of all topics of this server.
  package let prefix: String
  /// The beginning of the topics at which Home Assistant looks for devices.
  package let discoveryPrefix: String
  private let state = Mutex(Condition.starting)

  /// The most bytes of a received message: a device's report with the most events.
  private static let largestPayload = 16_384
  /// The most received messages that wait: as many as Mosquitto keeps for a server that is away.
  private static let mostReceived = 1_024

  /// Creates a broker whose connection has not been tried.
  ///
  /// - Parameter settings: The settings; their will and subscriptions are replaced.
  package init(_ settings: MQTTSettings, prefix: String, discoveryPrefix: String) {
    var settings = settings
    settings.will = MQTTMessage(
      topic: HomeTopics.availability(prefix), text: HomeTopics.offline, isRetained: true)
    settings.subscriptions = [
      HomeTopics.commands(prefix), HomeTopics.birth(discoveryPrefix),
      DeviceTopics.allEvents(prefix),
    ]
    settings.largestPayload = Self.largestPayload
    settings.mostReceived = Self.mostReceived
    self.settings = settings
    self.prefix = prefix
    self.discoveryPrefix = discoveryPrefix
  }

  /// The state of the connection.
  package var condition: Condition { state.withLock { $0 } }

  /// Notes the state of the connection; returns true if it has changed.
  ///
  /// One that is down for the same reason stays down since it began.
  package func note(_ condition: Condition) -> Bool {
    state.withLock { state in
      if case .down(let trouble, since: _) = condition, case .down(let known, since: _) = state,
        trouble == known
      {
        return false
      }
      guard state != condition else { return false }
      state = condition
      return true
    }
  }

  /// Returns the topics of an id.
  package func topics(of id: String) -> HomeTopics {
    HomeTopics(prefix: prefix, discoveryPrefix: discoveryPrefix, id: id)
  }
}
