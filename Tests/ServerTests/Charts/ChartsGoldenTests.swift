// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Plans
@testable import Presentation
@testable import ReportPages
@testable import Statistics
@testable import Web

/// The charts over all medicines as drawings, in two languages.
@Suite struct ChartsGoldenTests {
  private static func date(_ text: String) throws -> CivilDate {
    try #require(CivilDate(text: text))
  }

  private static func dose(
    _ day: CivilDate, _ outcome: DoseOutcome?, hour: Int = 8, plan: PlanID = "a"
  ) -> StatisticsDose {
    StatisticsDose(
      plan: plan,
      due: Timestamp(
        milliseconds: (Int64(day.daysSinceEpoch) * 24 + Int64(hour)) * 3_600_000),
      date: day, part: DayPart(hour: hour), outcome: outcome)
  }

  /// Returns March 2026, viewed on the 24th, with a day of every kind.
  private static func march(_ first: CivilDate, _ last: CivilDate) throws -> DayStatistics {
    let begin = try date("2026-03-03")
    func day(_ number: Int) -> CivilDate { begin.adding(days: number - 3) }
    var doses: [StatisticsDose] = []
    for number in 3...24 where !(9...12).contains(number) && number != 14 {
      let outcomes: [DoseOutcome?] =
        switch number {
        case 4: [.taken, .late]
        case 5: [.skipped, .taken]
        case 6: [.missed, .refused]
        case 7: [.withheld, .taken]
        case 8: Array(repeating: .taken, count: 6)
        case 13: [.late, .late]
        case 17: [.missed, .taken]
        case 24: [.taken, nil]
        default: [.taken, .taken]
        }
      for (index, outcome) in outcomes.enumerated() {
        doses.append(dose(day(number), outcome, hour: min(7 + index * 13, 23), plan: "p\(index)"))
      }
    }
    doses.append(dose(day(25), nil))
    return DayStatistics(
      from: first, to: last, today: day(24), firstDue: begin, doses: doses,
      paused: [day(9)...day(12), day(16)...day(16)])
  }

  private static func sections(
    _ statistics: DayStatistics, _ fields: [FormPair], weekStart: String? = nil,
    _ language: Language,
    targets: [Int] = [], whenNeeded: [ReportContent.WhenNeeded] = []
  ) -> String {
    ChartsSections(
      model: ChartsModel(
        request: ChartsRequest(fields, weekStart: weekStart, language: language),
        statistics: statistics, targets: targets, medicines: [], whenNeeded: whenNeeded),
      localizer: .of(language)
    ).markup.text
  }

  @Test(arguments: [Language.en, .th])
  func `a month with every state matches its recording`(language: Language) throws {
    let statistics = try Self.march(Self.date("2026-03-01"), Self.date("2026-03-31"))
    let text = Self.sections(
      statistics,
      [FormPair(name: "range", value: "month"), FormPair(name: "to", value: "2026-03-24")],
      weekStart: "1", language,
      whenNeeded: [
        .init(name: "Ibuprofen", days: 2, times: 3, last: Timestamp(milliseconds: 0))
      ])
    try GoldenFile.check(text, "charts-month-\(language.rawValue).html")
    #expect(!text.contains("style=") && !text.contains("<script"))
    #expect(
      text.components(separatedBy: "<svg").count == text.components(separatedBy: "</svg>").count)
  }

  @Test(arguments: [Language.en, .th])
  func `a week matches its recording`(language: Language) throws {
    let statistics = try Self.march(Self.date("2026-03-23"), Self.date("2026-03-29"))
    let text = Self.sections(
      statistics,
      [FormPair(name: "range", value: "week"), FormPair(name: "to", value: "2026-03-24")],
      weekStart: "1", language, targets: [2, 2, 2, 2, 2, 2, 2])
    try GoldenFile.check(text, "charts-week-\(language.rawValue).html")
  }

  @Test(arguments: [Language.en, .th])
  func `a February with weeks from Sunday matches its recording`(language: Language) throws {
    let first = try Self.date("2026-02-01")
    let doses = (0..<28).flatMap { offset in
      (0..<12).map { Self.dose(first.adding(days: offset), .taken, hour: $0 * 2) }
    }
    let statistics = DayStatistics(
      from: first, to: first.adding(days: 27), today: first.adding(days: 60), firstDue: first,
      doses: doses)
    let grid = MonthGrid(
      statistics: statistics, month: first, weekStart: .sunday,
      words: ChartFormatter(localizer: .of(language)), labelledBy: "sentence")
    try GoldenFile.check(grid.markup.text, "charts-february-\(language.rawValue).svg")
  }

  @Test(arguments: [Language.en, .th])
  func `a month with a clock change matches its recording`(language: Language) throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    // Every eight hours, regardless of the clock.
    let start = zone.startOfDay(try Self.date("2026-03-01"))
    let doses = (0..<93).map { number in
      let due = Timestamp(milliseconds: start.milliseconds + Int64(number) * 8 * 3_600_000)
      let local = zone.local(at: Instant(milliseconds: due.milliseconds))
      return StatisticsDose(
        plan: "p", due: due, date: local.date, part: DayPart(hour: local.time.hour),
        outcome: .taken)
    }
    let statistics = DayStatistics(
      from: try Self.date("2026-03-01"), to: try Self.date("2026-03-31"),
      today: try Self.date("2026-06-01"), firstDue: try Self.date("2026-03-01"), doses: doses)
    let grid = MonthGrid(
      statistics: statistics, month: try Self.date("2026-03-01"), weekStart: .monday,
      words: ChartFormatter(localizer: .of(language)), labelledBy: "sentence")
    try GoldenFile.check(grid.markup.text, "charts-clock-change-\(language.rawValue).svg")
  }

  @Test(arguments: [Language.en, .th])
  func `rows by time of day match their recording`(language: Language) throws {
    let statistics = try Self.march(Self.date("2026-03-01"), Self.date("2026-03-31"))
    let rows = DayPartRows(
      statistics: statistics.total, words: ChartFormatter(localizer: .of(language)),
      labelledBy: "sentence")
    try GoldenFile.check(rows.markup.text, "charts-parts-\(language.rawValue).svg")
  }

  @Test(arguments: [Language.en, .th])
  func `a month without data matches its recording`(language: Language) throws {
    let first = try Self.date("2026-04-01")
    let statistics = DayStatistics(
      from: first, to: first.adding(days: 29), today: first.adding(days: 40), firstDue: nil,
      doses: [])
    let text = Self.sections(
      statistics,
      [FormPair(name: "range", value: "month"), FormPair(name: "to", value: "2026-04-24")],
      language)
    try GoldenFile.check(text, "charts-empty-\(language.rawValue).html")
  }

  @Test(arguments: [Language.en, .th])
  func `the resting heart rate matches its recording`(language: Language) throws {
    let first = try Self.date("2026-03-01")
    let points = (0..<28).map { (day: Int) -> HeartRateSeries.Point in
      let value: Double? = (10...12).contains(day) ? nil : Double(60 + day % 7)
      let average: Double? = day < 2 ? nil : 62 + Double(day) / 10
      let limit: Double = day < 15 ? 72 : 70
      return HeartRateSeries.Point(
        day: first.adding(days: day), value: value, average: average,
        boundary: day < 5 ? nil : limit, missed: [13, 14, 20].contains(day) ? 1 : 0,
        warnings: day == 21 ? 1 : 0)
    }
    let figure = HeartRateFigure(
      series: HeartRateSeries(points: points),
      clock: MedicineClock(zone: .utc, localizer: .of(language)), id: "heart")
    let text = figure.markup.text
    try GoldenFile.check(text, "charts-heart-\(language.rawValue).html")
    #expect(text.components(separatedBy: "class=\"heart-value\"").count == 4, "a gap and a key")
  }
}
