// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Scheduling
import Storage

/// Where a delivery stands.
package enum DeliveryOutcome: String, Sendable, Hashable, CaseIterable {
  /// Waits to be sent for the first time.
  case planned
  case handedOver
  /// Was tried, and will be tried again.
  case retrying
  /// The address is no more.
  case gone
  /// It cannot get through as things are.
  case failed
  /// Came to nothing before it was sent: superseded, put off, called off or too late.
  case stale
  /// Its doses were answered; `handedOver` tells whether it had been sent before.
  case answered
}

/// One reminder to one address, with the proof of what became of it.
package struct Delivery: Sendable, Hashable {
  package let id: DeliveryID
  package let patient: PatientID
  /// As last named, by due time, then by id.
  package let doses: [DoseID]
  package let subject: String
  package let due: Timestamp
  package let rung: Int
  package let channel: ReminderChannel
  package let recipient: AccountID
  /// The address without what makes it secret.
  package let maskedAddress: String
  package let attempts: Int64
  package let planned: Timestamp
  package let handedOver: Timestamp?
  package let shown: Timestamp?
  package let answered: Timestamp?
  package let outcome: DeliveryOutcome
  /// What went wrong last, in a word of the channel.
  package let trouble: String?
  package let generation: Int64
  package let kind: ReminderKind
  /// Grows with each change that a reader can see.
  package let changed: Timestamp
}

extension Delivery {
  /// A row of the queries in ``DeliveryQueries``.
  init(_ row: SQLRow, accounts: AccountStore) throws(StorageError) {
    id = try row.id(0)
    patient = try row.id(1)
    doses = try row.text(2).split(separator: "\n").compactMap { DoseID(text: String($0)) }
    subject = try row.text(3)
    due = try row.timestamp(4)
    rung = Int(clamping: try row.integer(5))
    channel = try row.named(6)
    let address = try row.text(7)
    attempts = try row.integer(8)
    planned = try row.timestamp(9)
    handedOver = try row.optionalTimestamp(10)
    shown = try row.optionalTimestamp(11)
    answered = try row.optionalTimestamp(12)
    trouble = try row.optionalText(14)
    let stored = try row.optionalText(13).flatMap(DeliveryOutcome.init(rawValue:))
    outcome =
      stored == .handedOver && answered != nil
      ? .answered : stored ?? (trouble == nil ? .planned : .retrying)
    generation = try row.integer(15)
    changed = try row.timestamp(16)
    recipient = try row.id(17)
    kind = try row.named(20)
    switch channel {
    case .push:
      let host = try row.optionalText(18) ?? ""
      maskedAddress = PushSubscription.masked(host: host, id: DeviceID(address))
    case .sms, .call: maskedAddress = try row.optionalText(18) ?? ""
    case .ntfy, .webhook:
      let host = try row.optionalText(18) ?? ""
      maskedAddress = ChannelAddress.masked(host: host, id: address)
    case .mail:
      let sealed = try row.optionalBlob(19)
      let email = try sealed.map { bytes throws(StorageError) in
        try accounts.email(sealed: bytes, of: row.id(17))
      }
      maskedAddress = email.map(Self.masked) ?? ""
    }
  }

  /// The first letter and the domain of an e-mail address.
  static func masked(email: String) -> String {
    guard let at = email.lastIndex(of: "@"), let first = email.first else { return "" }
    return "\(first)…\(email[at...])"
  }
}
