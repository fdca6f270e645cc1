// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling
import Storage

/// Says instants as the clock and calendar of the patient show them.
struct MedicineClock: Sendable {
  let zone: Zone
  let localizer: Localizer

  /// The local date.
  func day(of timestamp: Timestamp) -> CivilDate {
    zone.date(at: Instant(milliseconds: timestamp.milliseconds))
  }

  /// The local time, `08:00`.
  func time(_ timestamp: Timestamp) -> String {
    let time = zone.local(at: Instant(milliseconds: timestamp.milliseconds)).time
    return localizer.time(hour: time.hour, minute: time.minute)
  }

  /// A date in words.
  func text(_ day: CivilDate, _ style: DateStyle) -> String {
    localizer.date(
      LocalDay(
        year: day.year, month: day.month, day: day.day, isoWeekday: day.weekday.rawValue), style)
  }

  /// Date and time, `Sun 1 Mar, 08:00`.
  func text(_ timestamp: Timestamp) -> String {
    localizer.text(
      "medicines.day-and-time",
      ["day": .text(text(day(of: timestamp), .short)), "time": .text(time(timestamp))])
  }

  /// The first instant of the day some days after the one of an instant.
  func startOfDay(_ timestamp: Timestamp, days: Int) -> Timestamp {
    Timestamp(
      milliseconds: zone.startOfDay(day(of: timestamp).adding(days: days)).milliseconds)
  }
}

/// The places by which people know zones: `Europe/Oslo` is the clock of Oslo.
enum ZonePlace {
  static func name(_ identifier: String) -> String {
    let place = identifier.split(separator: "/").last.map(String.init) ?? identifier
    return place.replacing("_", with: " ")
  }
}
