// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Statistics
import Web

/// The kind of drawing that a person prefers for statistics.
package enum ChartStyle: String, Sendable, Hashable, CaseIterable {
  /// A bar for each period, divided by the outcomes of its doses.
  case bars
  /// One line for doses taken and one for those not taken.
  case lines
}

/// The requested chart.
package struct ChartRequest: Sendable, Hashable {
  var period: StatisticsPeriod = .day
  /// A day in the last period; nil for today.
  var end: CivilDate?
  var style: ChartStyle = .bars

  init() {}

  /// Reads the query (`by`, `to`) and the cookie; invalid values get their defaults.
  package init(_ call: Call) {
    period = call.queryValue("by").flatMap(StatisticsPeriod.init(rawValue:)) ?? .day
    end = call.queryValue("to").flatMap { CivilDate(text: $0) }
    style = call.cookie(Preferences.chartCookie).flatMap(ChartStyle.init(rawValue:)) ?? .bars
  }

  /// Returns the periods to show, of which the last contains the requested day, or today.
  package func window(today: CivilDate) -> StatisticsWindow {
    StatisticsWindow(period, endingAt: end ?? today, today: today)
  }
}
