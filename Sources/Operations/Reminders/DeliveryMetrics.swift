// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Reminders
import Storage
import Telemetry
import Web

/// Counts reminders on their way: planned, claimed and sent, and how late they are.
package final class DeliveryMetrics: Sendable {
  /// The doses for which a step of their reminder was planned.
  package static let rung = MetricDefinition(
    "regimen_reminders_rung_total", .counter,
    help: "Doses for which a reminder or a step of its escalation was planned.")
  /// The doses whose reminder could not ring in time.
  package static let missed = MetricDefinition(
    "regimen_reminders_missed_total", .counter,
    help: "Doses whose reminder could not ring in time; a summary names them.")
  /// The delay of a round that finds due reminders.
  package static let lag = MetricDefinition(
    "regimen_reminders_lag_seconds",
    .histogram(bounds: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]),
    help: "Time by which a round of reminders came after the earliest one that was due.")
  /// The deliveries that were put into the queue.
  package static let planned = MetricDefinition(
    "regimen_deliveries_planned_total", .counter, labels: ["channel"],
    help: "Reminders put into the queue, one for each address.")
  /// The deliveries that this node took from the queue.
  package static let claims = MetricDefinition(
    "regimen_delivery_claims_total", .counter, labels: ["channel"],
    help: "Reminders taken from the queue to be sent, with repetitions.")
  /// The results of attempts to send.
  package static let attempts = MetricDefinition(
    "regimen_delivery_attempts_total", .counter, labels: ["channel", "outcome"],
    help: "Attempts to send a reminder by outcome; gone means that the address has expired.")
  /// The time from the moment at which a delivery could be sent until its service took it.
  package static let delays = MetricDefinition(
    "regimen_delivery_delay_seconds",
    .histogram(bounds: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]), labels: ["channel"],
    help: "Time between the moment at which a reminder could be sent and its handover.")
  /// The deliveries that are being sent.
  package static let inProgress = MetricDefinition(
    "regimen_deliveries_in_progress", .gauge, labels: ["channel"],
    help: "Reminders that are being sent.")

  /// All metrics of reminders.
  package static let definitions = [
    rung, missed, lag, planned, claims, attempts, delays, inProgress,
  ]

  /// The counters of one channel.
  private struct Channel {
    let planned: Counter
    let claims: Counter
    let attempts: [String: Counter]
    let delays: CoreMetrics.Timer
    let inProgress: Meter
  }

  private static let outcomes = ["handed-over", "gone", "retry", "failed"]

  private let rungDoses: Counter
  private let missedDoses: Counter
  private let roundLag: CoreMetrics.Timer
  private let channels: [ReminderChannel: Channel]

  /// Creates the counters in a registry.
  package init(factory: any MetricsFactory) {
    rungDoses = factory.counter(Self.rung)
    missedDoses = factory.counter(Self.missed)
    roundLag = factory.timer(Self.lag)
    var channels: [ReminderChannel: Channel] = [:]
    for channel in ReminderChannel.allCases {
      let name = channel.rawValue
      var attempts: [String: Counter] = [:]
      for outcome in Self.outcomes {
        attempts[outcome] = factory.counter(Self.attempts, name, outcome)
      }
      channels[channel] = Channel(
        planned: factory.counter(Self.planned, name), claims: factory.counter(Self.claims, name),
        attempts: attempts, delays: factory.timer(Self.delays, name),
        inProgress: factory.meter(Self.inProgress, name))
    }
    self.channels = channels
  }

  /// Measures how late a round is.
  func late(since moment: Timestamp, at now: Timestamp) {
    roundLag.recordMilliseconds(max(0, now.milliseconds - moment.milliseconds))
  }

  /// Counts what a round of planning did.
  func planned(_ round: ReminderRound) {
    rungDoses.increment(by: round.rungDoses.count)
    missedDoses.increment(by: round.missedDoses)
    for (channel, count) in round.planned { channels[channel]?.planned.increment(by: count) }
  }

  /// Counts a claimed delivery that is being sent from now on.
  func began(_ claim: ClaimedDelivery) {
    channels[claim.channel]?.claims.increment()
    channels[claim.channel]?.inProgress.increment()
  }

  /// Counts the result of an attempt.
  func ended(_ claim: ClaimedDelivery, _ outcome: DeliveryResult.Outcome, at now: Timestamp) {
    guard let channel = channels[claim.channel] else { return }
    channel.inProgress.decrement()
    channel.attempts[Self.name(outcome)]?.increment()
    guard outcome.isHandedOver else { return }
    channel.delays.recordMilliseconds(max(0, now.milliseconds - claim.ready.milliseconds))
  }

  private static func name(_ outcome: DeliveryResult.Outcome) -> String {
    switch outcome {
    case .handedOver: "handed-over"
    case .gone: "gone"
    case .retry: "retry"
    case .failed: "failed"
    }
  }
}

extension DeliveryMetrics: FeatureValue {
  /// Counters that are not kept.
  package static let absent = DeliveryMetrics(factory: NOOPMetricsHandler.instance)
}

extension ServerEnvironment {
  /// The counters of reminders on their way.
  var deliveryMetrics: DeliveryMetrics { features[DeliveryMetrics.self] }
}
