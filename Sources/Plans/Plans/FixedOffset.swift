// SPDX-License-Identifier: Apache-2.0

import Localization
import People
import Scheduling
import Storage
import TimeZones

/// A clock with a constant offset from UTC, independent of any place.
///
/// A plan that keeps the hours between its doses during travel follows it. As the zone of an era it
/// is written "UTC+05:45", which is the name of no place.
package struct FixedOffset: Sendable, Hashable {
  /// The offset from UTC in seconds; negative west of Greenwich.
  package let seconds: Int

  /// Creates a clock.
  package init(seconds: Int) { self.seconds = seconds }

  /// Reads the identifier of an era's zone; nil for the zone of a place.
  package init?(identifier: String) {
    let bytes = Array(identifier.utf8)
    guard bytes.count >= 9, bytes.starts(with: "UTC".utf8) else { return nil }
    let isWest = bytes[3] == UInt8(ascii: "-")
    guard isWest || bytes[3] == UInt8(ascii: "+") else { return nil }
    var clock = String(decoding: bytes[4...], as: UTF8.self)
    if clock.utf8.count == 5 { clock += ":00" }
    guard let distance = ClockTime(text: clock) else { return nil }
    seconds = isWest ? -distance.secondsOfDay : distance.secondsOfDay
  }

  /// The identifier as the zone of an era, such as "UTC+05:45"; seconds are appended only if there
  /// are any.
  package var identifier: String {
    let distance = Int(seconds.magnitude)
    let clock = ClockText.text(minuteOfDay: distance / 60)
    let rest = distance % 60 == 0 ? "" : ":\(ClockText.twoDigits(distance % 60))"
    return "UTC\(seconds < 0 ? "-" : "+")\(clock)\(rest)"
  }

  var zone: Zone {
    Zone(
      identifier: identifier, transitions: [], initialOffsetSeconds: seconds, rule: nil)
  }

  /// Returns true if the zone of an era is a fixed offset rather than a place.
  package static func isFixed(_ identifier: String) -> Bool {
    FixedOffset(identifier: identifier) != nil
  }
}

extension ZoneCatalog {
  /// Returns the zone of an era: that of a place, or a fixed offset.
  ///
  /// - Throws: `ZoneError` if the place is not among the system's zone files.
  package func zone(ofEra identifier: String) throws(ZoneError) -> Zone {
    if let fixed = FixedOffset(identifier: identifier) { return fixed.zone }
    return try zone(identifier)
  }
}

extension PlanChange {
  /// Sets the zone that a plan follows from now on, and its policy.
  ///
  /// A plan that keeps its hours follows a fixed offset, that of its zone when the person left;
  /// back home it follows the person again.
  func settleZone(_ row: inout PlanRow, _ rules: [PlanRule], person: Person) throws {
    let isCalendar = PlanKind(rules) == .calendar
    switch row.policy {
    case .follow:
      if isCalendar || rules.contains(where: \.hasWakingHours) { row.zone = person.zone }
    case .home:
      guard isCalendar, FixedOffset.isFixed(row.zone) else { return }
      row.zone = try home(of: row)
    case .elapsed:
      guard isCalendar else { return }
      if row.activeFrom == PlanRow.never {
        row.zone = person.zone
      } else if FixedOffset.isFixed(row.zone) {
        guard try home(of: row) == person.zone else { return }
        row.policy = .follow
        row.zone = person.zone
      } else if row.zone != person.zone {
        let offset = try zones.zone(row.zone).offsetSeconds(at: Instant(now))
        row.zone = FixedOffset(seconds: offset).identifier
      }
    }
  }

  private func home(of row: PlanRow) throws(StorageError) -> String {
    try PlanStore.home(row.plan, patient: row.patient, in: writer) ?? row.firstZone
  }

  /// Returns true if a new zone of the person changes the zone that a plan follows.
  package static func follows(_ row: PlanRow, to zone: String) -> Bool {
    switch row.policy {
    case .follow: row.zone != zone
    case .home: row.kind == .calendar && FixedOffset.isFixed(row.zone)
    case .elapsed: row.kind == .calendar && row.zone != zone
    }
  }
}
