// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTML
import Localization
import Scheduling
import Testing

@testable import Plans
@testable import Presentation
@testable import Statistics

@Suite struct ChartTests {
  private static let today = CivilDate(year: 2026, month: 3, day: 4) ?? .earliest

  /// Returns columns with every outcome of a dose, one without doses and one that is incomplete.
  static func statistics(_ period: StatisticsPeriod, times: Int = 1) -> AdherenceStatistics {
    let window = StatisticsWindow(period, endingAt: today, today: today)
    let patterns: [[DoseOutcome: Int]] = [
      [.taken: 2], [.taken: 1, .late: 1], [.taken: 1, .skipped: 1], [:], [.taken: 1, .missed: 1],
      [.refused: 1, .missed: 1], [.taken: 2, .withheld: 1], [.late: 2],
    ]
    let columns = window.starts.enumerated().map { index, start in
      AdherenceStatistics.Column(
        start: start,
        counts: DoseCounts(patterns[index % patterns.count].mapValues { $0 * times }))
    }
    // On hold from within the fourth to within the fifth period, and now.
    let (fourth, fifth) = (window.bounds[3], window.bounds[4])
    let days = fifth.daysSinceEpoch - fourth.daysSinceEpoch
    return AdherenceStatistics(
      window: window, columns: columns, firstDue: CivilDate(year: 2016, month: 4, day: 7),
      paused: [fourth.adding(days: days / 2)...fifth, today...today])
  }

  @Test func `overlapping year labels keep the second one`() throws {
    let november = try #require(CivilDate(year: 2026, month: 11, day: 22))
    func years(endingAt date: CivilDate) -> [Substring] {
      let window = StatisticsWindow(.month, endingAt: date, today: november)
      let statistics = AdherenceStatistics(
        window: window,
        columns: window.starts.map {
          AdherenceStatistics.Column(start: $0, counts: DoseCounts([.taken: 1]))
        },
        firstDue: nil)
      return AdherenceChart(
        statistics: statistics, style: .bars, words: ChartFormatter(localizer: .of(.en)),
        labelledBy: "sentence", today: november
      ).markup.text.matches(of: /class="chart-under"[^>]*>([0-9]+)</).map { $0.output.1 }
    }
    #expect(years(endingAt: november) == ["2026"], "December and January stand side by side")
    #expect(years(endingAt: november.adding(days: -60)) == ["2025", "2026"])
  }

  @Test func `paused days are hatched, named in the key, and stand in sentence and table`() {
    func section(_ style: ChartStyle, _ paused: [ClosedRange<CivilDate>], doses: Bool = true)
      -> String
    {
      let window = StatisticsWindow(.day, endingAt: Self.today, today: Self.today)
      var request = ChartRequest()
      request.style = style
      return ChartSection(
        statistics: AdherenceStatistics(
          window: window,
          columns: window.starts.map {
            AdherenceStatistics.Column(start: $0, counts: DoseCounts(doses ? [.taken: 1] : [:]))
          }, firstDue: nil, paused: paused),
        request: request, localizer: .of(.en), today: Self.today, path: "/medicines/m"
      ).markup.text
    }
    let three = Self.today.adding(days: -4)...Self.today.adding(days: -2)
    for style in ChartStyle.allCases {
      let text = section(style, [three, Self.today...Self.today])
      #expect(text.contains("Paused on 4 days."))
      #expect(text.contains("<th scope=\"col\" class=\"number\">Days paused</th>"))
      #expect(text.components(separatedBy: "class=\"chart-paused\"").count == 4, "two and a key")
      #expect(text.contains("pattern id=\"chart-paused\""))
    }
    let none = section(.bars, [])
    #expect(!none.contains("chart-paused") && !none.contains("aused"))
    let alone = section(.bars, [three], doses: false)
    #expect(alone.contains("no doses to count") && alone.contains("class=\"chart-paused\""))
    let outside = Self.today.adding(days: -60)...Self.today.adding(days: -50)
    #expect(!section(.bars, [outside]).contains("chart-paused"))
  }

  @Test(arguments: StatisticsPeriod.allCases, ChartStyle.allCases)
  func `the drawing matches its recording`(period: StatisticsPeriod, style: ChartStyle) throws {
    let chart = AdherenceChart(
      statistics: Self.statistics(period, times: period == .day ? 1 : 40), style: style,
      words: ChartFormatter(localizer: .of(.en)), labelledBy: "sentence", today: Self.today)
    try GoldenFile.check(chart.markup.text, "chart-\(period.rawValue)-\(style.rawValue).svg")
  }

  @Test(arguments: Language.allCases)
  func `the section matches its recording`(language: Language) throws {
    let section = ChartSection(
      statistics: Self.statistics(.week, times: 7), request: ChartRequest(),
      localizer: .of(language), today: Self.today, path: "/medicines/m",
      otherQuery: [("until", "2026-01-01")])
    try GoldenFile.check(section.markup.text, "chart-section-\(language.rawValue).html")
  }

  @Test func `the drawing is a self-contained XML document`() throws {
    for style in ChartStyle.allCases {
      let chart = AdherenceChart(
        statistics: Self.statistics(.day), style: style, words: ChartFormatter(localizer: .of(.th)),
        labelledBy: "sentence", today: Self.today)
      let text = chart.markup.text
      #expect(!text.contains("style=") && !text.contains("<script"))
      #expect(
        text.components(separatedBy: "<g>").count == text.components(separatedBy: "</g>").count)
      #expect(text.contains("role=\"img\"") && text.contains("aria-labelledby=\"sentence\""))
    }
  }

  @Test(arguments: [
    (0, 1), (1, 1), (2, 2), (3, 4), (14, 14), (15, 16), (21, 30), (99, 100), (101, 120), (730, 800),
  ])
  func `the scale ends at an even number`(largest: Int, top: Int) {
    #expect(AdherenceChart.highest(largest) == top)
  }

  @Test(arguments: [
    (0, "0%"), (1, "0.01%"), (1234, "12.34%"), (10_000, "100%"), (-50, "-0.50%"), (905, "9.05%"),
  ])
  func `ratios are written in SVG number format`(hundredths: Int, text: String) {
    #expect(AdherenceChart.share(hundredths) == text)
  }

  @Test func `a sentence gives counts with the rate and skips missing values`() throws {
    let words = ChartFormatter(localizer: .of(.en))
    let first = try #require(CivilDate(year: 2026, month: 2, day: 19))
    func say(_ counts: [DoseOutcome: Int]) -> String {
      words.sentences(DoseCounts(counts), from: first, to: Self.today).joined(separator: " ")
    }
    let range = "19 February 2026 – 4 March 2026"
    #expect(say([:]) == "\(range): no doses to count.")
    #expect(say([.taken: 14]) == "\(range): 14 of 14 doses taken (100%).")
    #expect(
      say([.taken: 18, .late: 2, .skipped: 1, .missed: 2])
        == "\(range): 20 of 23 doses taken (87%), 2 of them late. "
        + "Not taken: 1 skipped and 2 missed.")
    #expect(
      say([.withheld: 1])
        == "\(range): no doses to count. 1 dose waited for your decision and isn’t counted.")
  }

  @Test func `without doses there is a sentence instead of a chart`() {
    let window = StatisticsWindow(.month, endingAt: Self.today, today: Self.today)
    let empty = AdherenceStatistics(
      window: window,
      columns: window.starts.map { AdherenceStatistics.Column(start: $0, counts: DoseCounts()) },
      firstDue: nil)
    let section = ChartSection(
      statistics: empty, request: ChartRequest(), localizer: .of(.en), today: Self.today,
      path: "/medicines/m"
    ).markup.text
    #expect(section.contains("no doses to count"))
    #expect(!section.contains("class=\"chart\"") && !section.contains("<table"))
  }
}
