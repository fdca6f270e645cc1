// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Statistics
import Web

/// How figures are drawn, as the person likes.
package enum ChartStyle: String, Sendable, Hashable, CaseIterable {
  /// A bar for each period, made up of what became of its doses.
  case bars
  /// One line for doses taken and one for those not taken.
  case lines
}

/// Which chart a page was asked for.
package struct ChartRequest: Sendable, Hashable {
  var period: StatisticsPeriod = .day
  /// The day that the last period holds; nil for today.
  var end: CivilDate?
  var style: ChartStyle = .bars

  init() {}

  /// Reads the query (`by`, `to`) and the cookie; what is not understood is left as it is by itself.
  package init(_ call: Call) {
    period = call.queryValue("by").flatMap(StatisticsPeriod.init(rawValue:)) ?? .day
    end = call.queryValue("to").flatMap { CivilDate(text: $0) }
    style = call.cookie(Preferences.chartCookie).flatMap(ChartStyle.init(rawValue:)) ?? .bars
  }

  package func window(today: CivilDate) -> StatisticsWindow {
    StatisticsWindow(period, endingAt: end ?? today, today: today)
  }
}
