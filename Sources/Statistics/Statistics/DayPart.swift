// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A part of the day by the clock, which shows when doses are missed.
package enum DayPart: String, Sendable, Hashable, CaseIterable {
  /// From 05:00 to 11:59.
  case morning
  /// From 12:00 to 16:59.
  case noon
  /// From 17:00 to 21:59.
  case evening
  /// From 22:00 to 04:59.
  case night

  /// Creates the part that contains an hour of the clock, from 0 to 23.
  package init(hour: Int) {
    switch hour {
    case 5..<12: self = .morning
    case 12..<17: self = .noon
    case 17..<22: self = .evening
    default: self = .night
    }
  }
}
