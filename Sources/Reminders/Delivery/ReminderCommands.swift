// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A reason why a command on deliveries or devices failed.
package enum ReminderError: Error, Sendable, Equatable {
  /// There is no such delivery or device, or it belongs to another account.
  case notFound
  case storage(StorageError)
}

/// The commands by which devices and their owners report on deliveries.
package enum ReminderCommands {
  /// The time for which a test is sent, in milliseconds.
  static let testMilliseconds: Int64 = 5 * 60_000

  /// Records that a device showed a delivery; the first time is kept.
  package static func shown(
    _ delivery: DeliveryID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(ReminderError) {
    try reminding { () throws(StorageError) in
      guard let place = try DeliveryStore.place(of: delivery, in: writer),
        place.recipient == account
      else { return false }
      try DeliveryStore.shown(delivery, patient: place.patient, at: now, in: writer)
      if place.channel == .push {
        try PushSubscriptions.shown(DeviceID(place.address), at: now, in: writer)
      }
      return true
    }
  }

  /// Plans a push that tests a device, and returns the id of its delivery.
  ///
  /// `patient` is the account's own.
  package static func test(
    _ subscription: String, account: AccountID, patient: PatientID, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(ReminderError) -> DeliveryID {
    let now = context.now
    let delivery: DeliveryID = context.newID()
    try reminding { () throws(StorageError) in
      let known = try writer.first(
        """
        SELECT 1 FROM push_subscriptions WHERE subscription = $1 AND account = $2 AND gone IS NULL
        """, [.text(subscription), .text(account)])
      guard known != nil else { return false }
      var row = ReminderRow(
        patient: patient, subject: context.newID(), kind: .test, starts: now, due: now,
        ends: now.adding(milliseconds: testMilliseconds), opened: now)
      row.step = 1
      row.nextAt = row.ends
      try ReminderStore.insert(row, in: writer)
      try DeliveryStore.plan(
        delivery, row: row, step: 0,
        to: EscalationAddress(recipient: account, channel: .push, address: subscription), doses: "",
        now: now, in: writer)
      return true
    }
    return delivery
  }

  /// Plans a notification to everyone who acts for a patient, sent at once and for at most 24 hours.
  package static func notify(
    _ kind: ReminderKind, patient: PatientID, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) {
    let now = context.now
    try ReminderStore.insert(
      ReminderRow(
        patient: patient, subject: context.newID(), kind: kind, starts: now, due: now,
        ends: now.adding(milliseconds: noticeMilliseconds), opened: now), in: writer)
  }

  /// The time for which a notice is sent, in milliseconds.
  private static let noticeMilliseconds: Int64 = 24 * 3_600_000

  /// Records that the person confirmed the test on the device.
  package static func confirm(
    _ subscription: String, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(ReminderError) {
    try reminding { () throws(StorageError) in
      try PushSubscriptions.confirm(DeviceID(subscription), account: account, at: now, in: writer)
    }
  }

  private static func reminding(_ work: () throws(StorageError) -> Bool) throws(ReminderError) {
    do {
      if try work() { return }
    } catch {
      throw .storage(error)
    }
    throw .notFound
  }
}
