// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A new row of `push_subscriptions`.
struct NewSubscriptionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case subscription, account, session, endpointSealed, endpointIndex, keysSealed, host, label
    case created, handedOver, unshown
  }

  static let columns = SQLColumns<Column>()

  let subscription: DeviceID
  let account: AccountID
  let details: PushSubscriptionDetails
  let endpointSealed: [UInt8]
  let endpointIndex: [UInt8]
  let keysSealed: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .subscription: .text(subscription)
    case .account: .text(account)
    case .session: SQLValue(details.session)
    case .endpointSealed: .blob(endpointSealed)
    case .endpointIndex: .blob(endpointIndex)
    case .keysSealed: .blob(keysSealed)
    case .host: .text(details.host)
    case .label: SQLValue(details.label)
    case .created: SQLValue(created)
    case .handedOver, .unshown: 0
    }
  }
}

/// The device of an endpoint, which may belong to another account or have been removed.
struct KnownSubscriptionRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case subscription, account, gone
  }

  static let columns = SQLColumns<Column>()

  let subscription: DeviceID
  let account: AccountID
  let gone: Timestamp?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    subscription = try columns.id(.subscription)
    account = try columns.id(.account)
    gone = try columns.optionalTimestamp(.gone)
  }
}

/// The columns of a ``PushSubscription``.
enum SubscriptionRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case subscription, account, host, label, created, confirmed, lastShown, unshown, firstUnshown
  }

  static let columns = SQLColumns<Column>()
}

extension PushSubscription {
  init(_ row: ColumnReader<SubscriptionRow.Column>, now: Timestamp) throws(StorageError) {
    id = try row.id(.subscription)
    account = try row.id(.account)
    host = try row.text(.host)
    label = try row.optionalText(.label)
    created = try row.timestamp(.created)
    confirmed = try row.optionalTimestamp(.confirmed)
    lastShown = try row.optionalTimestamp(.lastShown)
    unshown = try row.integer(.unshown)
    silentSince = try row.optionalTimestamp(.firstUnshown)
    isBroken = ReminderRecipient.Device(
      subscription: id.text, unshown: unshown, firstUnshown: silentSince
    ).isBroken(at: now)
  }
}

/// A device with the digest of a token that may have added it.
struct TokenDeviceRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case subscription, session, digest
  }

  static let columns = SQLColumns<Column>(of: "s", [.digest: "t.digest"])

  let subscription: DeviceID
  let session: SessionID?
  let digest: [UInt8]

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    subscription = try columns.id(.subscription)
    session = try columns.optionalID(.session)
    digest = try columns.blob(.digest)
  }
}
