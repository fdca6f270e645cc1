// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// A calendar period over which doses are counted together.
package enum StatisticsPeriod: String, Sendable, Hashable, CaseIterable {
  case day
  /// Monday to Sunday, numbered by ISO 8601.
  case week
  case month, year

  /// Returns the first day of the period that contains a date.
  package func start(of date: CivilDate) -> CivilDate {
    switch self {
    case .day: date
    case .week: date.adding(days: 1 - date.weekday.rawValue)
    case .month: CivilDate(year: date.year, month: date.month, day: 1) ?? date
    case .year: CivilDate(year: date.year, month: 1, day: 1) ?? date
    }
  }

  /// Returns the first day of the period a number of periods after the one that begins on a date; earlier if
  /// negative.
  package func start(_ periods: Int, after start: CivilDate) -> CivilDate {
    switch self {
    case .day: start.adding(days: periods)
    case .week: start.adding(days: periods.multipliedReportingOverflow(by: 7).partialValue)
    case .month: start.adding(months: periods)
    case .year: start.adding(months: periods.multipliedReportingOverflow(by: 12).partialValue)
    }
  }

  /// The number of periods that a page shows.
  package var perPage: Int {
    switch self {
    case .day: 14
    case .week, .month: 12
    case .year: 10
    }
  }
}

/// A week by ISO 8601, which belongs to the year that contains its Thursday.
package struct CalendarWeek: Sendable, Hashable {
  /// The year of the week, which can differ from the year of the date.
  package let year: Int
  /// The number of the week in its year, from 1 to 53.
  package let number: Int

  /// Creates the week that contains a date.
  package init(of date: CivilDate) {
    let thursday = date.adding(days: 4 - date.weekday.rawValue)
    let year = thursday.year
    let first = CivilDate(year: year, month: 1, day: 1) ?? thursday
    self.year = year
    number = (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
  }
}
