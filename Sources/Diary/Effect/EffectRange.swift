// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Statistics

/// The length of time that is shown, which ends today.
package enum EffectRange: String, Sendable, Hashable, CaseIterable {
  case month = "4-weeks"
  case quarter = "3-months"
  case year = "1-year"
  case decade = "10-years"

  /// The period of which values and doses are put together.
  package var period: StatisticsPeriod {
    switch self {
    case .month, .quarter: .day
    case .year: .week
    case .decade: .month
    }
  }

  /// Returns the periods that end with the one of today.
  package func window(today: CivilDate) -> StatisticsWindow {
    let first =
      switch self {
      case .month: today.adding(days: -27)
      case .quarter: today.adding(months: -3)
      case .year: today.adding(months: -12)
      case .decade: today.adding(months: -119)
      }
    return StatisticsWindow(period, from: first, through: today)
  }
}
