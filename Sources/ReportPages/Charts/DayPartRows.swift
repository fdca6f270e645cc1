// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Statistics
import Web

/// The outcomes of doses by time of day: a row for each part, its length proportional to its doses.
struct DayPartRows: PagePart {
  let statistics: PlanStatistics
  let words: ChartFormatter
  let labelledBy: String

  private var localizer: Localizer { words.localizer }

  // Heights in hundredths of the text size.
  private static let row = 350
  private static let bar = 130

  /// Returns the parts of the day that had planned doses.
  static func parts(_ statistics: PlanStatistics) -> [DayPart] {
    DayPart.allCases.filter { statistics.counts(in: $0).planned > 0 }
  }

  var markup: Markup {
    """
    <svg class="chart part-rows" role="img" aria-labelledby="\(labelledBy)" focusable="false" \
    height="\(Self.rem(Self.row * DayPart.allCases.count))">\
    \(each: Array(DayPart.allCases.enumerated()), row)</svg>
    """
  }

  private static func rem(_ hundredths: Int) -> String {
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)rem"
  }

  private func row(_ index: Int, _ part: DayPart) -> Markup {
    let counts = statistics.counts(in: part)
    let top = index * Self.row
    let name = localizer.text("charts.part", ["part": .text(part.rawValue)])
    return """
      <text class="part-name" x="0" y="\(Self.rem(top + 110))">\(name)</text>\
      <text class="part-rate" x="100%" y="\(Self.rem(top + 110))" text-anchor="end">\
      \(words.rate(counts))</text>\
      <rect class="part-ground" x="0" y="\(Self.rem(top + 150))" width="100%" \
      height="\(Self.rem(Self.bar))" rx="4"/>\(bars(counts, top + 150))
      """
  }

  private func bars(_ counts: DoseCounts, _ top: Int) -> Markup {
    guard counts.planned > 0 else { return Markup() }
    var blocks = Markup()
    var before = 0
    for series in ChartSeries.allCases {
      let count = series.count(counts)
      guard count > 0 else { continue }
      // Positions are shares of all doses, so that rounding leaves no gap.
      let left = 10_000 * before / counts.planned
      before += count
      let width = 10_000 * before / counts.planned - left
      blocks += series.block(
        """
        x="\(AdherenceChart.share(left))" y="\(Self.rem(top))" \
        width="\(AdherenceChart.share(width))" height="\(Self.rem(Self.bar))" rx="3"
        """)
      if width >= 700 {
        blocks += DayMark.letter(
          localizer.number(count), series.rawValue, x: AdherenceChart.share(left + width / 2),
          y: Self.rem(top + Self.bar / 2))
      }
    }
    return blocks
  }
}

/// The same outcomes by time of day as a table.
struct DayPartTable: PagePart {
  let statistics: PlanStatistics
  let words: ChartFormatter

  var markup: Markup {
    let localizer = words.localizer
    let total = statistics.counts
    let outcomes = DoseOutcome.allCases.filter { outcome in
      switch outcome {
      case .taken, .late, .skipped, .missed: true
      case .refused, .withheld: total[outcome] > 0
      }
    }
    func row(_ name: String, _ counts: DoseCounts) -> Markup {
      """
      <tr><th scope="row">\(name)</th><td>\(words.rate(counts))</td>\
      \(each: outcomes, { "<td class=\"number\">\(localizer.number(counts[$0]))</td>" })</tr>
      """
    }
    let caption = localizer.text("charts.by-part")
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\
      <th scope="col">\(localizer.text("chart.table-period"))</th>\
      <th scope="col">\(localizer.text("chart.table-rate"))</th>\
      \(each: outcomes, { "<th scope=\"col\" class=\"number\">\(words.name(of: $0))</th>" })\
      </tr></thead><tbody>\(each: DayPart.allCases, { part in
        row(
          localizer.text("report.part", ["part": .text(part.rawValue)]), statistics.counts(in: part))
      })</tbody><tfoot>\(row(localizer.text("chart.table-total"), total))</tfoot></table></div>
      """
  }
}
