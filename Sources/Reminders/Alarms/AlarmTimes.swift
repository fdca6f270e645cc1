// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// When an alarm rings, on the clock of whoever it is for.
package struct AlarmTimes: Sendable, Hashable {
  package var time: ClockTime
  /// Empty for an alarm that rings once, on the day of `starts`.
  package var days: Set<Weekday>
  package var starts: CivilDate
  /// The last day, if there is one.
  package var ends: CivilDate?

  package init(time: ClockTime, days: Set<Weekday>, starts: CivilDate, ends: CivilDate? = nil) {
    // Alarms know no seconds.
    self.time = ClockTime(secondsOfDay: time.secondsOfDay / 60 * 60) ?? time
    self.days = days
    self.starts = starts
    self.ends = ends
  }

  package var isRepeating: Bool { !days.isEmpty }

  /// One time at which it rings: the day by its name, and the instant in a zone.
  package struct Moment: Sendable, Hashable {
    package let date: CivilDate
    package let instant: Timestamp
  }

  /// The first time after an instant; nil where it is over.
  ///
  /// A time that the clocks skip rings when they have been put forward, one that comes twice the first
  /// time, and on a day that the zone never had it does not ring.
  package func next(after instant: Timestamp, in zone: Zone) -> Moment? {
    // The zone's day may have begun before the instant's.
    let today = zone.date(at: Instant(instant)).adding(days: -1)
    guard isRepeating else { return moment(on: starts, after: instant, in: zone) }
    var date = max(today, starts)
    // A week, and another where the zone skipped a day of it.
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

  /// A bit for each weekday, Monday first.
  var mask: Int {
    days.reduce(0) { $0 | 1 << ($1.rawValue - 1) }
  }

  static func days(mask: Int) -> Set<Weekday> {
    Set(Weekday.allCases.filter { mask & 1 << ($0.rawValue - 1) != 0 })
  }
}
