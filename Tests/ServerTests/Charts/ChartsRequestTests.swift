// SPDX-License-Identifier: Apache-2.0

import Localization
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Presentation
@testable import ReportPages
@testable import Statistics
@testable import Web

@Suite struct ChartsRequestTests {
  private static func date(_ text: String) throws -> CivilDate {
    try #require(CivilDate(text: text))
  }

  private static func request(
    _ query: [String: String], weekStart: String? = nil, _ language: Language = .en
  ) -> ChartsRequest {
    ChartsRequest(
      query.map { FormPair(name: $0.key, value: $0.value) }, weekStart: weekStart,
      language: language)
  }

  @Test(
    arguments: [
      ("week", "2026-03-05", nil, Language.en, "2026-03-02", "2026-03-08"),
      ("week", "2026-03-05", nil, .th, "2026-03-01", "2026-03-07"),
      ("week", "2026-03-01", "1", .th, "2026-02-23", "2026-03-01"),
      ("week", "2026-03-06", "6", .de, "2026-02-28", "2026-03-06"),
      ("week", "2026-03-05", "3", .tr, "2026-03-02", "2026-03-08"),
      ("month", "2024-02-29", nil, .en, "2024-02-01", "2024-02-29"),
      ("quarter", "2026-03-05", nil, .nb, "2026-01-01", "2026-03-31"),
      ("month", "2026-05-01", nil, .en, "2026-03-01", "2026-03-31"),
      ("month", "nonsense", nil, .en, "2026-03-01", "2026-03-31"),
    ] as [(String, String, String?, Language, String, String)])
  func `a range includes its day and ends today`(
    range: String, end: String, weekStart: String?, language: Language, first: String,
    last: String
  ) throws {
    let today = try Self.date("2026-03-20")
    let request = Self.request(["range": range, "to": end], weekStart: weekStart, language)
    #expect(request.first(today: today).text == first)
    #expect(request.last(today: today).text == last)
  }

  @Test func `the default range is the month, an invalid one gives the week`() {
    #expect(Self.request([:]).range == .month)
    #expect(Self.request(["range": "decade"]).range == .week)
    #expect(Self.request(["medicine": ""]).medicine == nil)
  }

  @Test(arguments: ChartsRange.allCases, WeekStart.choices)
  func `paging reaches from the first dose to today without a gap`(
    range: ChartsRange, start: Weekday
  ) throws {
    let today = try Self.date("2026-03-20")
    let firstDue = try Self.date("2024-11-07")
    func page(_ end: CivilDate?) -> ChartsRequest {
      var query = ["range": range.rawValue]
      query["to"] = end?.text
      return Self.request(query, weekStart: WeekStart.code(start))
    }
    var pages = [page(nil)]
    while let end = pages[pages.count - 1].earlier(today: today, firstDue: firstDue) {
      let before = page(end)
      #expect(
        before.last(today: today).adding(days: 1) == pages[pages.count - 1].first(today: today))
      pages.append(before)
    }
    let oldest = pages[pages.count - 1]
    #expect(oldest.first(today: today) <= firstDue && firstDue <= oldest.last(today: today))
    for expected in pages.dropLast().reversed() {
      let end = try #require(pages.last?.later(today: today))
      pages.removeLast()
      #expect(page(end).first(today: today) == expected.first(today: today))
    }
    #expect(page(nil).later(today: today) == nil)
    #expect(page(nil).earlier(today: today, firstDue: nil) == nil)
  }

  @Test(arguments: ["0001-01-01", "9999-12-31", "0001-02-01"])
  func `the limits of the calendar are pages too`(end: String) throws {
    for range in ChartsRange.allCases {
      let request = Self.request(["range": range.rawValue, "to": end])
      let today = try Self.date("2026-03-20")
      #expect(request.first(today: today) <= request.last(today: today))
      _ = request.later(today: today)
      _ = request.earlier(today: today, firstDue: .earliest)
    }
    for edge in [CivilDate.earliest, .latest] {
      #expect(!MonthGrid.weeks(of: edge, startingOn: .sunday).isEmpty)
    }
  }

  @Test(arguments: [
    ("2026-02-01", Weekday.sunday, 4, 0, 6), ("2026-02-01", .monday, 5, 6, 5),
    ("2024-02-01", .monday, 5, 3, 3), ("2026-03-01", .saturday, 5, 1, 3),
  ])
  func `weeks are rows of seven days`(
    month: String, start: Weekday, rows: Int, before: Int, last: Int
  ) throws {
    let weeks = MonthGrid.weeks(of: try Self.date(month), startingOn: start)
    #expect(weeks.count == rows && weeks.allSatisfy { $0.count == 7 })
    #expect(weeks[0].prefix { $0 == nil }.count == before)
    #expect(weeks[rows - 1].lastIndex { $0 != nil } == last)
    let days = weeks.flatMap { $0 }.compactMap(\.self)
    #expect(days.first?.text == month && zip(days, days.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `the sentence names the worst time of day by exact rates`() throws {
    let words = ChartFormatter(localizer: .of(.en))
    let day = try Self.date("2026-03-02")
    func say(_ doses: [(DayPart, DoseOutcome)]) -> String {
      let hours: [DayPart: Int64] = [.morning: 8, .noon: 13, .evening: 19, .night: 23]
      let statistics = DayStatistics(
        from: day, to: day, today: day, firstDue: day,
        doses: doses.map { part, outcome in
          StatisticsDose(
            plan: "p",
            due: .init(
              milliseconds: (Int64(day.daysSinceEpoch) * 24 + (hours[part] ?? 0)) * 3_600_000),
            date: day, part: part, outcome: outcome)
        })
      return words.parts(statistics.total)
    }
    #expect(
      say([(.morning, .taken), (.evening, .late)])
        == "All doses were taken at every time of day.")
    #expect(
      say([(.morning, .taken), (.evening, .missed), (.evening, .taken)])
        == "Taken least often: Evening: 1 of 2 (50%).")
    #expect(
      say([(.morning, .missed), (.evening, .missed), (.noon, .taken)])
        == "Taken least often: Morning: 0 of 1 (0%) and Evening: 0 of 1 (0%).")
    #expect(
      say([(.morning, .missed), (.evening, .skipped)]) == "No time of day stands out.")
    #expect(say([(.night, .missed)]) == "Taken least often: Night: 0 of 1 (0%).")
  }
}
