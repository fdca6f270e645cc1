// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Plans
import Scheduling
import Storage

/// The outcome of a delivery, or its state until then.
package enum DeliveryOutcome: String, Sendable, Hashable, CaseIterable {
  /// It waits for the first attempt.
  case planned
  case handedOver
  /// An attempt failed, and another will follow.
  case retrying
  /// The address no longer exists.
  case gone
  /// It cannot be delivered.
  case failed
  /// It was not sent: superseded, postponed, cancelled or too late.
  case stale
  /// Its doses were answered; ``Delivery/handedOver`` says if it had been sent before.
  case answered
}

/// A reminder to one address, with its outcome.
package struct Delivery: Sendable, Hashable {
  /// The identifier of the delivery.
  package let id: DeliveryID
  /// The patient whom the reminder is about.
  package let patient: PatientID
  /// The doses that it last named, by due time, then by id.
  package let doses: [DoseID]
  /// The identifier of the reminder.
  package let subject: ReminderID
  /// The due time of the reminder when the delivery was planned.
  package let due: Timestamp
  /// The number of the escalation step that planned it, from 0.
  package let step: Int
  /// The channel on which it goes.
  package let channel: ReminderChannel
  /// The account that it goes to.
  package let recipient: AccountID
  /// The address without its secret part.
  package let maskedAddress: String
  /// The number of attempts.
  package let attempts: Int64
  /// The time at which it was planned.
  package let planned: Timestamp
  /// The time at which the channel's server accepted it; nil if it has not.
  package let handedOver: Timestamp?
  /// The time at which the device showed it; nil if that is not known.
  package let shown: Timestamp?
  /// The time at which its doses were answered; nil without an answer.
  package let answered: Timestamp?
  /// The outcome so far.
  package let outcome: DeliveryOutcome
  /// The last problem, as a short code of the channel; nil for none.
  package let trouble: String?
  /// The generation of the reminder for which it was planned.
  package let generation: Int64
  /// The kind of the reminder.
  package let kind: ReminderKind
  /// The time of the last change that a reader can see.
  package let changed: Timestamp
}

extension Delivery {
  /// Creates a delivery.
  ///
  /// - Parameter accounts: decrypts the address of a mailbox.
  init(
    _ row: ColumnReader<DeliveryRow.Column>, accounts: AccountStore
  ) throws(StorageError) {
    id = try row.id(.delivery)
    patient = try row.id(.patient)
    doses = try row.text(.doses).split(separator: "\n").compactMap { DoseID(text: String($0)) }
    subject = try row.id(.subject)
    due = try row.timestamp(.due)
    step = Int(clamping: try row.integer(.step))
    channel = try row.named(.channel)
    let address = try row.text(.address)
    attempts = try row.integer(.attempt)
    planned = try row.timestamp(.planned)
    handedOver = try row.optionalTimestamp(.handedOver)
    shown = try row.optionalTimestamp(.shown)
    answered = try row.optionalTimestamp(.answered)
    trouble = try row.optionalText(.trouble)
    let stored = try row.optionalText(.outcome).flatMap(DeliveryOutcome.init(rawValue:))
    outcome =
      stored == .handedOver && answered != nil
      ? .answered : stored ?? (trouble == nil ? .planned : .retrying)
    generation = try row.integer(.generation)
    changed = try row.timestamp(.changed)
    recipient = try row.id(.recipient)
    kind = try row.named(.kind)
    let host = try row.optionalText(.host) ?? ""
    switch channel {
    case .push: maskedAddress = PushSubscription.masked(host: host, id: DeviceID(address))
    case .sms, .call: maskedAddress = host
    case .ntfy, .webhook: maskedAddress = ChannelAddress.masked(host: host, id: address)
    case .mail:
      let sealed = try row.optionalBlob(.emailSealed)
      let email = try sealed.map { bytes throws(StorageError) in
        try accounts.email(sealed: bytes, of: row.id(.recipient))
      }
      maskedAddress = email.map(Self.masked) ?? ""
    }
  }

  /// Returns the first letter and the domain of an e-mail address.
  static func masked(email: String) -> String {
    guard let at = email.lastIndex(of: "@"), let first = email.first else { return "" }
    return "\(first)…\(email[at...])"
  }
}

/// A delivery with the host of its address and the kind of its reminder: the row behind each
/// ``Delivery``.
enum DeliveryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case delivery, patient, doses, subject, due, step, channel, address, attempt, planned
    case handedOver, shown, answered, outcome, trouble, generation, changed, recipient
    case host, emailSealed, kind
  }

  static let columns = SQLColumns<Column>(
    of: "d",
    [
      .host: "COALESCE(s.host, c.host)", .emailSealed: "a.email_sealed", .kind: "r.kind",
    ])

  /// The tables that the columns come from.
  static let tables: SQLText = """
    deliveries d
    JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
    LEFT JOIN push_subscriptions s ON s.subscription = d.address
    LEFT JOIN channel_addresses c ON c.address = d.address
    LEFT JOIN accounts a ON a.account = d.recipient
    """
}
