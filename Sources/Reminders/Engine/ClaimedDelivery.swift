// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Secrecy
import Storage

/// Where a push goes, with the keys as the browser gave them.
package struct PushAddress: Sendable, Hashable, Unprintable {
  package let subscription: String
  package let endpoint: String
  package let p256dh: String
  package let auth: String

  package init(subscription: String, endpoint: String, p256dh: String, auth: String) {
    self.subscription = subscription
    self.endpoint = endpoint
    self.p256dh = p256dh
    self.auth = auth
  }
}

/// A delivery that this process alone may send until its lease ends.
package struct ClaimedDelivery: Sendable, Unprintable {
  package let delivery: DeliveryID
  package let patient: PatientID
  /// The account.
  package let recipient: AccountID
  package let channel: ReminderChannel
  /// Fences the result: one with another attempt changes nothing.
  package let attempt: Int64
  /// Attempts before this one.
  package let attemptsSoFar: Int64
  package let subject: String
  package let kind: ReminderKind
  package let generation: Int64
  package let rung: Int
  /// From when on it is worth nothing to anybody.
  package let expires: Timestamp
  package let push: PushAddress?
  package let mailAddress: String?
  /// How the other channels' messages are put.
  package let form: ChannelForm?
  /// Where the other channels' messages go.
  package let settings: ChannelSettings?
  package internal(set) var content: ReminderContent
}

/// What became of a claimed delivery.
package struct DeliveryResult: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    /// The service took it.
    case handedOver
    /// The address is no more.
    case gone
    /// It may work later; the service may have said when. `trouble` names the cause in a word.
    case retry(afterSeconds: Int?, trouble: String)
    /// It will not work by trying again.
    case failed(trouble: String)
  }

  package let delivery: DeliveryID
  package let patient: PatientID
  package let attempt: Int64
  package let outcome: Outcome
  /// From 0 to 1; spreads the next tries of many deliveries.
  package let jitter: Double

  package init(
    delivery: DeliveryID, patient: PatientID, attempt: Int64, outcome: Outcome, jitter: Double
  ) {
    self.delivery = delivery
    self.patient = patient
    self.attempt = attempt
    self.outcome = outcome
    self.jitter = jitter
  }
}
