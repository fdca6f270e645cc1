// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// A kind of event that programs can be notified of.
package enum EventTopic: String, Sendable, Hashable, CaseIterable {
  /// A prescription was created or changed.
  case prescription
  /// A dose was recorded, or its record was changed.
  case administration
  /// A dose can no longer be taken.
  case missedDose = "missed-dose"
  /// The program asks about the heart rate.
  case heartRateWarning = "heart-rate-warning"
}

/// A FHIR Subscription with the progress of its notifications.
package struct EventSubscription: Sendable, Hashable {
  /// The state of a subscription, as in `Subscription.status`.
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// The endpoint has not accepted a notification yet.
    case requested
    case active
    /// The endpoint failed repeatedly: events are kept, but not sent.
    case error
    case off
  }

  /// The logical id.
  package let id: EventSubscriptionID
  /// The account that made it.
  package let account: AccountID
  /// The access that decides about each notification.
  package var access: StandingAccess
  /// The kind of event.
  package var topic: EventTopic
  /// The version of the resource.
  package var version: Int64
  /// The time of the version.
  package var changed: Timestamp
  /// The state.
  package var state: State
  /// The code of the last failure; nil after a success.
  package var trouble: String?
  /// The JSON of the resource as it was sent.
  package var body: String
  /// The secret that signs notifications.
  package var secret: String
  /// The end; nil for none.
  package var ends: Timestamp?
  /// The seconds without a notification after which an empty one is sent; nil for none.
  package var heartbeat: Int64?
  /// The number of the latest event, from 1.
  package var events: Int64
  /// The number of the latest event that was sent.
  package var delivered: Int64
  /// The time up to which doses and warnings were looked for.
  package var looked: Timestamp
  /// The time of the next notification, or of the end of the subscription.
  package var nextTry: Timestamp
  /// The number of the latest attempt, by which late results are told apart.
  package var attempt: Int64
  /// The number of failures since the last success.
  package var failures: Int64

  /// Creates a subscription that waits for its first notification.
  package init(
    id: EventSubscriptionID, account: AccountID, access: StandingAccess, topic: EventTopic,
    body: String, secret: String, ends: Timestamp?, heartbeat: Int64?, at now: Timestamp
  ) {
    self.id = id
    self.account = account
    self.access = access
    self.topic = topic
    version = 1
    changed = now
    state = .requested
    self.body = body
    self.secret = secret
    self.ends = ends
    self.heartbeat = heartbeat
    events = 0
    delivered = 0
    looked = now
    nextTry = now
    attempt = 0
    failures = 0
  }
}

/// The rules by which a subscription follows the results of its notifications.
extension EventSubscription {
  /// The failures in a row after which a subscription is in error, if they are not temporary.
  package static let mostPermanentFailures: Int64 = 3
  /// The pauses after the first failures, in seconds; after one more, the subscription is in error.
  package static let pauses: [Int64] = [10, 30, 60, 300, 900, 1_800, 3_600, 7_200]
  /// The longest time in the state of error, in milliseconds; then the subscription is off.
  package static let longestError: Int64 = 7 * 86_400_000
  /// A time that never comes: the end of the year 9999.
  package static let never = Timestamp(milliseconds: 253_402_300_799_000)

  /// True if events are sent, or will be once the endpoint has accepted the first notification.
  package var isDelivering: Bool { state == .requested || state == .active }

  /// Changes the state, as a new version of the resource.
  package mutating func enter(_ state: State, at now: Timestamp) {
    guard state != self.state else { return }
    self.state = state
    version += 1
    changed = now
    if !isDelivering { nextTry = Self.never }
  }

  /// Records that the endpoint accepted a notification.
  ///
  /// - Parameter number: The number of the last event in it; nil without events.
  package mutating func accept(upTo number: Int64?, at now: Timestamp) {
    failures = 0
    trouble = nil
    enter(.active, at: now)
    if let number { delivered = max(delivered, number) }
    guard delivered >= events else {
      nextTry = now
      return
    }
    let beat = heartbeat.map { now.adding(milliseconds: $0 * 1_000) } ?? Self.never
    nextTry = min(beat, ends ?? Self.never)
  }

  /// Records that a notification did not arrive.
  ///
  /// - Parameters:
  ///   - trouble: The code of the failure.
  ///   - isPermanent: True if the endpoint refused it, so that a retry is unlikely to help.
  ///   - pause: The pause that the endpoint asked for, in seconds; nil for none.
  package mutating func fail(
    _ trouble: String, isPermanent: Bool, pause: Int?, at now: Timestamp
  ) {
    failures += 1
    self.trouble = trouble
    let isLast =
      isPermanent
      ? state == .requested || failures >= Self.mostPermanentFailures
      : failures > Self.pauses.count
    guard !isLast else {
      enter(.error, at: now)
      return
    }
    let seconds = Self.pauses[min(Int(failures), Self.pauses.count) - 1]
    nextTry = now.adding(milliseconds: max(seconds, Int64(pause ?? 0)) * 1_000)
  }

  /// Ends the subscription for a reason that its owner should know.
  package mutating func fail(finally trouble: String, at now: Timestamp) {
    self.trouble = trouble
    enter(.error, at: now)
  }
}
