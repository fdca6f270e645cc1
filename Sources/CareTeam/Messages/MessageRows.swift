// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The columns of a ``MessageRecipient``, with the account's own choices.
enum MessageRecipientRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case account, agreed, place, most, says, mayNudge, displayName, zone, digestMinute, mutedUntil
  }

  static let columns = SQLColumns<Column>(
    of: "m",
    [
      .displayName: "a.display_name", .zone: "u.zone", .digestMinute: "p.digest_minute",
      .mutedUntil: "p.muted_until",
    ])
}

/// A new row of `message_recipients`.
struct NewMessageRecipientRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, account, offeredBy, offered, place, most, says, mayNudge
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let choice: MessageRecipient
  let offeredBy: AccountID
  let offered: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .account: .text(choice.account)
    case .offeredBy: .text(offeredBy)
    case .offered: SQLValue(offered)
    case .place: SQLValue(choice.place)
    case .most: SQLValue(choice.most)
    case .says: SQLValue(choice.says)
    case .mayNudge: SQLValue(choice.mayNudge)
    }
  }
}

/// The columns of a ``MessageOffer``.
enum MessageOfferRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, displayName, agreed, mayNudge
  }

  static let columns = SQLColumns<Column>(of: "m", [.displayName: "u.display_name"])
}

/// The columns of a ``MessageRule``, with the recipient's account.
enum MessageRuleRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case account, topic, way, number, days, minute, since
  }

  static let columns = SQLColumns<Column>()
}

/// A new row of `message_rules`.
struct NewMessageRuleRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, account, topic, way, number, days, minute, since
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let account: AccountID
  let rule: MessageRule
  let since: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .account: .text(account)
    case .topic: .text(rule.topic.rawValue)
    case .way: .text(rule.way.rawValue)
    case .number: SQLValue(rule.number)
    case .days: SQLValue(rule.days)
    case .minute: SQLValue(rule.minute)
    case .since: SQLValue(since)
    }
  }
}

/// A row of `message_preferences`.
struct MessagePreferencesRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case account, digestMinute, mutedUntil, phoneSealed
  }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let digestMinute: Int
  let mutedUntil: Timestamp?
  let phoneSealed: [UInt8]?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .account: .text(account)
    case .digestMinute: SQLValue(digestMinute)
    case .mutedUntil: SQLValue(mutedUntil)
    case .phoneSealed: SQLValue(phoneSealed)
    }
  }
}

extension MessagePreferencesRow {
  init(_ row: ColumnReader<Column>) throws(StorageError) {
    self.init(
      account: try row.id(.account), digestMinute: Int(clamping: try row.integer(.digestMinute)),
      mutedUntil: try row.optionalTimestamp(.mutedUntil),
      phoneSealed: try row.optionalBlob(.phoneSealed))
  }
}

/// The columns of a ``MessageDose``: the dose `d`, and the answer `a` in force.
enum MessageDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence, due, onTimeUntil, lateUntil, state, recorded, reason, byName
  }

  static let columns = SQLColumns<Column>(
    of: "d", [.recorded: "a.recorded", .reason: "a.reason", .byName: "a.by_name"])
}
