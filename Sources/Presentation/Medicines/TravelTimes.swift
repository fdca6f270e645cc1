// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Storage

/// At which times of the clock elsewhere the doses of a plan come that keep the hours between them.
package struct TravelTimes: Sendable, Hashable {
  let times: [ClockTime]

  /// - Parameter offset: how far east of UTC, in seconds, the clock stands by which the plan goes on.
  package init(_ plan: Plan, offset: Int, in zone: Zone, at now: Timestamp) {
    let there = zone.offsetSeconds(at: Instant(milliseconds: now.milliseconds))
    let clocks = plan.slots.compactMap { slot in
      if case .clock(let time) = slot.time { time } else { nil }
    }
    // In the order of the plan: what is last at home may be in the morning there.
    let moved = Set(clocks).sorted().compactMap { time in
      let seconds = (time.secondsOfDay - offset + there) % 86_400
      return ClockTime(secondsOfDay: seconds < 0 ? seconds + 86_400 : seconds)
    }
    times = moved
  }

  /// "14:00 and 02:00"; nil where no dose has a time of its own.
  package func text(_ localizer: Localizer) -> String? {
    times.isEmpty
      ? nil : localizer.list(times.map { localizer.time(hour: $0.hour, minute: $0.minute) })
  }
}
