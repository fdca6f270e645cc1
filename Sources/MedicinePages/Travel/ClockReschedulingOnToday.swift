// SPDX-License-Identifier: Apache-2.0

import Calendar
import Dosing
import Presentation
import Scheduling
import Storage

/// The notice on Today about doses moved by a clock change today, or from 18:00 on also tomorrow.
package struct ClockReschedulingOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns the notice, or nothing if there is no clock change in that time.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let (zone, now) = (today.zone, today.now)
    let local = zone.local(at: Instant(milliseconds: now.milliseconds))
    let days = local.time.hour >= 18 ? 2 : 1
    let until = Timestamp(
      milliseconds: zone.startOfDay(local.date.adding(days: days)).milliseconds)
    guard try DoseQueries.isClockSet(of: today.patient, from: now, until: until) else {
      return .nothing
    }
    let moves = try DoseQueries.movedByClock(of: today.patient, from: now, until: until)
    return TodayAddition(
      TodayCard(.afterDueDoses) {
        ClockReschedulingNotice(
          moves: moves, clock: MedicineClock(zone: zone, localizer: $0.words.localizer)
        ).markup
      })
  }
}
