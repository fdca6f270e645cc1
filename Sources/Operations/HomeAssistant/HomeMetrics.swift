// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import MQTT
import Telemetry
import Web

/// Counts the messages to and from the MQTT broker.
package final class HomeMetrics: Sendable {
  /// The outcome of a received message.
  package enum Outcome: String, Sendable, CaseIterable {
    /// It answered the due doses.
    case answered
    /// It was a device's report, whose events are kept.
    case reported
    /// It was a report from a device that is not known, or whose signature is not right.
    case unsigned
    /// It was a report of a device that sends too many events.
    case throttled
    /// It was for doses that no longer wait.
    case stale
    /// The app asks a question first.
    case question
    /// It was neither a press nor a report, not from this server's topics, or retained from before.
    case refused
    /// It could not be processed.
    case failed
    /// It was too large, or one of too many.
    case dropped
  }

  /// 1 while this node is connected.
  package static let connected = MetricDefinition(
    "regimen_mqtt_connected", .gauge,
    help: "1 while this node is connected to the MQTT broker, else 0.")
  /// The messages that the broker has acknowledged.
  package static let published = MetricDefinition(
    "regimen_mqtt_published_total", .counter,
    help: "Messages that the MQTT broker has acknowledged.")
  /// The received messages.
  package static let received = MetricDefinition(
    "regimen_mqtt_received_total", .counter, labels: ["outcome"],
    help: "Messages received from the MQTT broker, by what became of them.")
  /// The connections that failed or broke.
  package static let errors = MetricDefinition(
    "regimen_mqtt_errors_total", .counter, labels: ["reason"],
    help: "Times that the connection to the MQTT broker failed or broke, by reason.")

  /// All metrics of the broker.
  package static let definitions = [connected, published, received, errors]

  private let isConnected: Meter
  private let acknowledged: Counter
  private let outcomes: [Outcome: Counter]
  private let troubles: [MQTTTrouble: Counter]

  /// Creates the counters in a registry.
  package init(factory: any MetricsFactory) {
    isConnected = factory.meter(Self.connected)
    acknowledged = factory.counter(Self.published)
    var outcomes: [Outcome: Counter] = [:]
    for outcome in Outcome.allCases {
      outcomes[outcome] = factory.counter(Self.received, outcome.rawValue)
    }
    self.outcomes = outcomes
    var troubles: [MQTTTrouble: Counter] = [:]
    for trouble in MQTTTrouble.allCases {
      troubles[trouble] = factory.counter(Self.errors, trouble.rawValue)
    }
    self.troubles = troubles
  }

  /// Notes that there is a connection, or that there is none.
  func note(isConnected: Bool) {
    self.isConnected.set(isConnected ? 1.0 : 0.0)
  }

  /// Counts acknowledged messages.
  func published(_ count: UInt64) {
    if count > 0 { acknowledged.increment(by: Int64(clamping: count)) }
  }

  /// Counts received messages.
  func received(_ outcome: Outcome, _ count: UInt64 = 1) {
    if count > 0 { outcomes[outcome]?.increment(by: Int64(clamping: count)) }
  }

  /// Counts a connection that failed or broke.
  func failed(_ trouble: MQTTTrouble) {
    troubles[trouble]?.increment()
  }
}

extension HomeMetrics: FeatureValue {
  /// Counters that are not kept.
  package static let absent = HomeMetrics(factory: NOOPMetricsHandler.instance)
}

extension ServerEnvironment {
  /// The counters of the MQTT broker.
  var homeMetrics: HomeMetrics { features[HomeMetrics.self] }
}
