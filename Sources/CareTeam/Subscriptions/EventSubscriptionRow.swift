// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// A row of `fhir_subscriptions`.
struct EventSubscriptionRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case subscription, account, credential, topic, version, changed, state, trouble, bodySealed
    case secretSealed, ends, heartbeat, events, delivered, looked, nextTry, leasedUntil, attempt
    case failures
  }

  static let columns = SQLColumns<Column>()

  /// The subscription; its body and secret are empty, because the row has them encrypted.
  var subscription: EventSubscription
  let bodySealed: [UInt8]
  let secretSealed: [UInt8]
  let leasedUntil: Timestamp?

  init(
    _ subscription: EventSubscription, bodySealed: [UInt8], secretSealed: [UInt8],
    leasedUntil: Timestamp? = nil
  ) {
    self.subscription = subscription
    self.bodySealed = bodySealed
    self.secretSealed = secretSealed
    self.leasedUntil = leasedUntil
  }

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    var subscription = EventSubscription(
      id: try row.id(.subscription), account: try row.id(.account),
      access: StandingAccess(text: try row.text(.credential)), topic: try row.named(.topic),
      body: "", secret: "",
      ends: try row.optionalTimestamp(.ends), heartbeat: try row.optionalInteger(.heartbeat),
      at: try row.timestamp(.changed))
    subscription.version = try row.integer(.version)
    subscription.state = try row.named(.state)
    subscription.trouble = try row.optionalText(.trouble)
    subscription.events = try row.integer(.events)
    subscription.delivered = try row.integer(.delivered)
    subscription.looked = try row.timestamp(.looked)
    subscription.nextTry = try row.timestamp(.nextTry)
    subscription.attempt = try row.integer(.attempt)
    subscription.failures = try row.integer(.failures)
    self.subscription = subscription
    bodySealed = try row.blob(.bodySealed)
    secretSealed = try row.blob(.secretSealed)
    leasedUntil = try row.optionalTimestamp(.leasedUntil)
  }

  func value(of column: Column) -> SQLValue {
    switch column {
    case .subscription: .text(subscription.id)
    case .account: .text(subscription.account)
    case .credential: .text(subscription.access.text)
    case .topic: .text(subscription.topic.rawValue)
    case .version: .integer(subscription.version)
    case .changed: SQLValue(subscription.changed)
    case .state: .text(subscription.state.rawValue)
    case .trouble: SQLValue(subscription.trouble)
    case .bodySealed: .blob(bodySealed)
    case .secretSealed: .blob(secretSealed)
    case .ends: SQLValue(subscription.ends)
    case .heartbeat: SQLValue(subscription.heartbeat)
    case .events: .integer(subscription.events)
    case .delivered: .integer(subscription.delivered)
    case .looked: SQLValue(subscription.looked)
    case .nextTry: SQLValue(subscription.nextTry)
    case .leasedUntil: SQLValue(leasedUntil)
    case .attempt: .integer(subscription.attempt)
    case .failures: .integer(subscription.failures)
    }
  }
}
