// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling
import Storage

/// Formats instants by the clock and calendar of the patient.
package struct MedicineClock: Sendable {
  /// The patient's time zone.
  package let zone: Zone
  /// The language of dates and times.
  package let localizer: Localizer

  /// Creates a formatter for one zone and language.
  package init(zone: Zone, localizer: Localizer) {
    self.zone = zone
    self.localizer = localizer
  }

  /// Returns the local date.
  package func day(of timestamp: Timestamp) -> CivilDate {
    zone.date(at: Instant(milliseconds: timestamp.milliseconds))
  }

  /// Returns the local time, `08:00`.
  package func time(_ timestamp: Timestamp) -> String {
    let time = zone.local(at: Instant(milliseconds: timestamp.milliseconds)).time
    return localizer.time(hour: time.hour, minute: time.minute)
  }

  /// Returns a date in the given length.
  package func text(_ day: CivilDate, _ style: DateStyle) -> String {
    localizer.date(
      LocalDay(
        year: day.year, month: day.month, day: day.day, isoWeekday: day.weekday.rawValue), style)
  }

  /// Returns the date and time, `Sun 1 Mar, 08:00`.
  package func text(_ timestamp: Timestamp) -> String {
    localizer.text(
      "medicines.day-and-time",
      ["day": .text(text(day(of: timestamp), .short)), "time": .text(time(timestamp))])
  }

  /// Returns the first instant of a day, counted from the day of an instant.
  func startOfDay(_ timestamp: Timestamp, days: Int) -> Timestamp {
    Timestamp(
      milliseconds: zone.startOfDay(day(of: timestamp).adding(days: days)).milliseconds)
  }
}

/// The places after which time zones are named: `Europe/Oslo` is shown as Oslo.
package enum ZonePlace {
  /// Returns the place in a zone identifier, with spaces for underscores.
  package static func name(_ identifier: String) -> String {
    let place = identifier.split(separator: "/").last.map(String.init) ?? identifier
    return place.replacing("_", with: " ")
  }
}
