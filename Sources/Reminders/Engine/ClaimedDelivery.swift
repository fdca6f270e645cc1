// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Secrecy
import Storage

/// The address of a push message, with the keys as the browser gave them.
package struct PushAddress: Sendable, Hashable, Unprintable {
  /// The identifier of the device.
  package let subscription: String
  /// The address at the push service, which is secret.
  package let endpoint: String
  /// The browser's public key, base64url.
  package let p256dh: String
  /// The browser's authentication secret, base64url.
  package let auth: String

  /// Creates the address of a device.
  package init(subscription: String, endpoint: String, p256dh: String, auth: String) {
    self.subscription = subscription
    self.endpoint = endpoint
    self.p256dh = p256dh
    self.auth = auth
  }
}

/// A delivery that only this process may send until its lease ends.
package struct ClaimedDelivery: Sendable, Unprintable {
  /// The identifier of the delivery.
  package let delivery: DeliveryID
  /// The patient whom the reminder is about.
  package let patient: PatientID
  /// The account that it goes to.
  package let recipient: AccountID
  /// The channel on which it goes.
  package let channel: ReminderChannel
  /// The number of this attempt; a result with another number changes nothing.
  package let attempt: Int64
  /// The number of attempts before this one.
  package let attemptsSoFar: Int64
  /// The identifier of the reminder.
  package let subject: ReminderID
  /// The kind of the reminder.
  package let kind: ReminderKind
  /// The generation of the reminder for which it was planned.
  package let generation: Int64
  /// The number of the escalation step that planned it, from 0.
  package let step: Int
  /// The time since which it could be sent.
  package let ready: Timestamp
  /// The time after which it is no longer sent.
  package let expires: Timestamp
  /// The device; nil unless the channel is push.
  package let push: PushAddress?
  /// The e-mail address of the recipient; nil unless the channel is mail.
  package let mailAddress: String?
  /// The form of the message; nil for push and mail.
  package let form: ChannelForm?
  /// The address and credentials; nil for push and mail.
  package let settings: ChannelSettings?
  /// The content of the message.
  package internal(set) var content: ReminderContent
}

/// The result of an attempt to send a claimed delivery.
package struct DeliveryResult: Sendable, Hashable {
  /// The outcome of an attempt.
  package enum Outcome: Sendable, Hashable {
    /// The service accepted it.
    case handedOver
    /// The address no longer exists.
    case gone
    /// It may work later; `afterSeconds` is the pause that the service asked for, and `trouble` a
    /// short code for the cause.
    case retry(afterSeconds: Int?, trouble: String)
    /// Trying again does not help; `trouble` is a short code for the cause.
    case failed(trouble: String)
  }

  /// The identifier of the delivery.
  package let delivery: DeliveryID
  /// The patient whom the reminder is about.
  package let patient: PatientID
  /// The attempt that this is the result of.
  package let attempt: Int64
  /// The outcome of the attempt.
  package let outcome: Outcome
  /// A random number from 0 to 1 that spreads the next attempts of many deliveries.
  package let jitter: Double

  /// Creates the result of an attempt.
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
