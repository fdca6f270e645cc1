// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Presentation
import Scheduling
import Statistics
import Web

/// The part of the calendar that the charts over all medicines show.
enum ChartsRange: String, Sendable, Hashable, CaseIterable {
  case week, month, quarter

  /// The number of months shown; none for a week.
  var months: Int {
    switch self {
    case .week: 0
    case .month: 1
    case .quarter: 3
    }
  }
}

/// The requested charts; invalid values are replaced by defaults.
struct ChartsRequest: Sendable, Hashable {
  let range: ChartsRange
  /// A day in the period shown; nil for today.
  let end: CivilDate?
  /// A plan; nil for all medicines.
  var medicine: PlanID?
  let weekStart: Weekday

  /// - Parameter weekStart: The choice of the device; nil for the language's usual one.
  init(_ fields: [FormPair], weekStart: String?, language: Language) {
    func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    range = value("range").map { ChartsRange(rawValue: $0) ?? .week } ?? .month
    end = value("to").flatMap { CivilDate(text: $0) }
    medicine = value("medicine").flatMap { $0.isEmpty ? nil : PlanID($0) }
    self.weekStart =
      weekStart.flatMap { code in WeekStart.choices.first { WeekStart.code($0) == code } }
      ?? WeekStart.usual(language)
  }

  init(_ call: Call) {
    self.init(
      call.queryFields, weekStart: call.cookie(Preferences.weekStartCookie),
      language: call.language)
  }

  // MARK: Days

  private func lastDay(today: CivilDate) -> CivilDate { min(end ?? today, today) }

  func first(today: CivilDate) -> CivilDate {
    let day = lastDay(today: today)
    switch range {
    case .week:
      return day.adding(days: -((day.weekday.rawValue - weekStart.rawValue + 7) % 7))
    case .month, .quarter:
      return StatisticsPeriod.month.start(
        1 - range.months, after: StatisticsPeriod.month.start(of: day))
    }
  }

  func last(today: CivilDate) -> CivilDate {
    switch range {
    case .week: first(today: today).adding(days: 6)
    case .month, .quarter:
      StatisticsPeriod.month.start(range.months, after: first(today: today)).adding(days: -1)
    }
  }

  /// Returns the first days of the months shown.
  func months(today: CivilDate) -> [CivilDate] {
    (0..<range.months).map { StatisticsPeriod.month.start($0, after: first(today: today)) }
  }

  /// Returns a day in the previous period; nil if there were no doses then.
  func earlier(today: CivilDate, firstDue: CivilDate?) -> CivilDate? {
    let first = first(today: today)
    guard let firstDue, firstDue < first, CivilDate.earliest < first else { return nil }
    return first.adding(days: -1)
  }

  /// Returns a day in the next period; nil if it is in the future.
  func later(today: CivilDate) -> CivilDate? {
    let next = last(today: today).adding(days: 1)
    guard next <= today, last(today: today) < next else { return nil }
    switch range {
    case .week: return min(next.adding(days: 6), today)
    case .month, .quarter:
      return min(StatisticsPeriod.month.start(range.months, after: next).adding(days: -1), today)
    }
  }

  // MARK: Addresses

  /// The address of the same charts with another range or another day.
  func address(_ path: String, range: ChartsRange? = nil, end: CivilDate?) -> String {
    var query = ["range=\((range ?? self.range).rawValue)"]
    if let end { query.append("to=\(end.text)") }
    if let medicine { query.append("medicine=\(QueryText.encode(medicine.text))") }
    return "\(path)?\(query.joined(separator: "&"))"
  }
}
