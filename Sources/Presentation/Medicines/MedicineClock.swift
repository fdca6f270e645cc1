// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling
import Storage

/// Says instants as the clock and calendar of the patient show them.
package struct MedicineClock: Sendable {
  package let zone: Zone
  package let localizer: Localizer

  package init(zone: Zone, localizer: Localizer) {
    self.zone = zone
    self.localizer = localizer
  }

  /// The local date.
  package func day(of timestamp: Timestamp) -> CivilDate {
    zone.date(at: Instant(milliseconds: timestamp.milliseconds))
  }

  /// The local time, `08:00`.
  package func time(_ timestamp: Timestamp) -> String {
    let time = zone.local(at: Instant(milliseconds: timestamp.milliseconds)).time
    return localizer.time(hour: time.hour, minute: time.minute)
  }

  /// A date in words.
  package func text(_ day: CivilDate, _ style: DateStyle) -> String {
    localizer.date(
      LocalDay(
        year: day.year, month: day.month, day: day.day, isoWeekday: day.weekday.rawValue), style)
  }

  /// Date and time, `Sun 1 Mar, 08:00`.
  package func text(_ timestamp: Timestamp) -> String {
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
package enum ZonePlace {
  package static func name(_ identifier: String) -> String {
    let place = identifier.split(separator: "/").last.map(String.init) ?? identifier
    return place.replacing("_", with: " ")
  }
}
