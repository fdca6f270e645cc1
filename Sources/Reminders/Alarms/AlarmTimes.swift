// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// The times at which an alarm rings, on the clock of the patient.
package struct AlarmTimes: Sendable, Hashable {
  /// The time of day, in whole minutes.
  package var time: ClockTime
  /// The weekdays; empty for an alarm that rings once, on the day of `starts`.
  package var days: Set<Weekday>
  /// The first day on which the alarm can ring.
  package var starts: CivilDate
  /// The last day; nil for no end.
  package var ends: CivilDate?

  /// Creates times; seconds of `time` are dropped.
  package init(time: ClockTime, days: Set<Weekday>, starts: CivilDate, ends: CivilDate? = nil) {
    // Alarms have no seconds.
    self.time = ClockTime(secondsOfDay: time.secondsOfDay / 60 * 60) ?? time
    self.days = days
    self.starts = starts
    self.ends = ends
  }

  /// True if the alarm rings on some weekdays, rather than once.
  package var isRepeating: Bool { !days.isEmpty }

  /// One time at which the alarm rings: the day and the instant in a zone.
  package struct Moment: Sendable, Hashable {
    /// The day on which the alarm rings, by the date in the zone.
    package let date: CivilDate
    /// The instant at which the alarm rings.
    package let instant: Timestamp
  }

  /// Returns the first time after an instant; nil if the alarm has ended.
  ///
  /// A time skipped when the clocks go forward rings right after the change, a time that occurs
  /// twice rings the first time, and a day that the zone skipped has no alarm.
  package func next(after instant: Timestamp, in zone: Zone) -> Moment? {
    // The zone's day may begin before the instant's.
    let today = zone.date(at: Instant(instant)).adding(days: -1)
    guard isRepeating else { return moment(on: starts, after: instant, in: zone) }
    var date = max(today, starts)
    // Two weeks, in case the zone skipped a day.
    for _ in 0...15 {
      if let ends, date > ends { return nil }
      if days.contains(date.weekday), let moment = moment(on: date, after: instant, in: zone) {
        return moment
      }
      date = date.adding(days: 1)
    }
    return nil
  }

  private func moment(on date: CivilDate, after instant: Timestamp, in zone: Zone) -> Moment? {
    guard let result = zone.instant(of: date, at: time) else { return nil }
    let found = Timestamp(result.instant)
    return found > instant ? Moment(date: date, instant: found) : nil
  }

  /// The weekdays as bits, Monday first.
  var mask: Int {
    days.reduce(0) { $0 | 1 << ($1.rawValue - 1) }
  }

  static func days(mask: Int) -> Set<Weekday> {
    Set(Weekday.allCases.filter { mask & 1 << ($0.rawValue - 1) != 0 })
  }
}
