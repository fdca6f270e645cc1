// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A device in a person's home that reports events.
package struct HomeDevice: Sendable, Hashable {
  /// The kind of a device.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case pillBox = "pill-box"
    case drawer, button, dispenser, scale, camera
    case rfidReader = "rfid-reader"
  }

  /// The most characters of a name.
  package static let longestName = 60
  /// The most devices of a person, with revoked ones.
  package static let most = 50

  /// The person whose device it is.
  package let patient: PatientID
  /// The identifier of the device.
  package let id: HomeDeviceID
  /// The kind of device.
  package let kind: Kind
  /// The name that the person gave it.
  package let name: String
  /// The name that is kept with its answers.
  package let byName: String
  /// The account that added it, with whose rights it answers.
  package let account: AccountID
  /// The digest of its token; nil once that was revoked.
  let tokenDigest: [UInt8]?
  /// The time at which it was added.
  package let created: Timestamp
  /// The time at which its token was revoked; nil while it is in use.
  package let revoked: Timestamp?
  /// The time of its last report; nil before the first.
  package let seen: Timestamp?
  /// The charge of its battery in percent; nil if it never reported it.
  package let battery: Int?
  /// The last comparison of its clock; nil if there was none.
  let clock: DeviceClock.Comparison?
  /// The last minute with a report, counted from 1970.
  let minute: Int64
  /// The events in that minute.
  let minuteEvents: Int

  /// Creates a device that is added now.
  init(
    patient: PatientID, id: HomeDeviceID, kind: Kind, name: String, byName: String,
    account: AccountID, tokenDigest: [UInt8], at now: Timestamp
  ) {
    self.patient = patient
    self.id = id
    self.kind = kind
    self.name = name
    self.byName = byName
    self.account = account
    self.tokenDigest = tokenDigest
    created = now
    revoked = nil
    seen = nil
    battery = nil
    clock = nil
    minute = 0
    minuteEvents = 0
  }

  /// True if the device reports its battery as nearly empty.
  package var isBatteryLow: Bool { battery.map { $0 <= 15 } ?? false }

  /// Returns true if a device in use has not reported for a day.
  package func isSilent(at now: Timestamp) -> Bool {
    guard revoked == nil else { return false }
    return (seen ?? created) < now.adding(milliseconds: -24 * 3_600_000)
  }
}

extension HomeDevice: SQLReadableRow, SQLWritableRow {
  /// The columns of `home_devices`.
  package enum Column: Int, SQLColumn {
    case patient, device, kind, name, byName, account, tokenDigest, created, revoked, seen
    case battery, skew, skewBoot, skewAt, minute, minuteEvents
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a device from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    patient = try columns.id(.patient)
    id = try columns.id(.device)
    kind = try columns.named(.kind)
    name = try columns.text(.name)
    byName = try columns.text(.byName)
    account = try columns.id(.account)
    tokenDigest = try columns.optionalBlob(.tokenDigest)
    created = try columns.timestamp(.created)
    revoked = try columns.optionalTimestamp(.revoked)
    seen = try columns.optionalTimestamp(.seen)
    battery = try columns.optionalInteger(.battery).map(Int.init(clamping:))
    if let skew = try columns.optionalInteger(.skew),
      let boot = try columns.optionalText(.skewBoot),
      let at = try columns.optionalTimestamp(.skewAt)
    {
      clock = DeviceClock.Comparison(boot: boot, skew: skew, at: at)
    } else {
      clock = nil
    }
    minute = try columns.integer(.minute)
    minuteEvents = Int(clamping: try columns.integer(.minuteEvents))
  }

  /// Returns the value of a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .device: .text(id)
    case .kind: .text(kind.rawValue)
    case .name: .text(name)
    case .byName: .text(byName)
    case .account: .text(account)
    case .tokenDigest: SQLValue(tokenDigest)
    case .created: SQLValue(created)
    case .revoked: SQLValue(revoked)
    case .seen: SQLValue(seen)
    case .battery: SQLValue(battery)
    case .skew: SQLValue(clock?.skew)
    case .skewBoot: SQLValue(clock?.boot)
    case .skewAt: SQLValue(clock?.at)
    case .minute: .integer(minute)
    case .minuteEvents: SQLValue(minuteEvents)
    }
  }
}
