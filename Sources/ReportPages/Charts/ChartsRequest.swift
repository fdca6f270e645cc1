// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Presentation
import Scheduling
import Statistics
import Web

/// How much of the calendar the charts over all medicines show.
enum ChartsRange: String, Sendable, Hashable, CaseIterable {
  case week, month, quarter

  /// The months that are shown; a week shows none.
  var months: Int {
    switch self {
    case .week: 0
    case .month: 1
    case .quarter: 3
    }
  }
}

/// Which charts were asked for: what is not understood falls back to what can be shown.
struct ChartsRequest: Sendable, Hashable {
  let range: ChartsRange
  /// A day of what is shown; nil for today.
  let end: CivilDate?
  /// A plan; nil for all medicines.
  var medicine: PlanID?
  let weekStart: Weekday

  /// - Parameter weekStart: as chosen for the device; nil for what is usual in the language.
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

  /// The first days of the months that are shown.
  func months(today: CivilDate) -> [CivilDate] {
    (0..<range.months).map { StatisticsPeriod.month.start($0, after: first(today: today)) }
  }

  /// A day of what lies before; nil where nothing was to be taken then.
  func earlier(today: CivilDate, firstDue: CivilDate?) -> CivilDate? {
    let first = first(today: today)
    guard let firstDue, firstDue < first, CivilDate.earliest < first else { return nil }
    return first.adding(days: -1)
  }

  /// A day of what comes after; nil where that lies ahead of today.
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
