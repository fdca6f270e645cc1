// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Storage

/// The local times in another zone of a plan that keeps the hours between its doses.
package struct TravelTimes: Sendable, Hashable {
  let times: [ClockTime]

  /// Creates the times for a zone.
  ///
  /// - Parameter offset: The fixed offset of the plan's clock, in seconds east of UTC.
  package init(_ plan: Plan, offset: Int, in zone: Zone, at now: Timestamp) {
    let there = zone.offsetSeconds(at: Instant(milliseconds: now.milliseconds))
    let clocks = plan.slots.compactMap { slot in
      if case .clock(let time) = slot.time { time } else { nil }
    }
    // In the plan's order: the last dose at home may be in the morning there.
    let moved = Set(clocks).sorted().compactMap { time in
      let seconds = (time.secondsOfDay - offset + there) % 86_400
      return ClockTime(secondsOfDay: seconds < 0 ? seconds + 86_400 : seconds)
    }
    times = moved
  }

  /// Returns a list such as "14:00 and 02:00"; nil if no dose has a time of day.
  package func text(_ localizer: Localizer) -> String? {
    times.isEmpty
      ? nil : localizer.list(times.map { localizer.time(hour: $0.hour, minute: $0.minute) })
  }
}
