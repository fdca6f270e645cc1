// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Scheduling
import Statistics
import Web

/// Statistics as a section of a page: a sentence, the drawing with its key, links to other periods,
/// a table.
package struct ChartSection: PagePart {
  static let id = "chart"
  private static let sentenceID = "chart-sentence"

  /// The statistics to show.
  package let statistics: AdherenceStatistics
  /// The period, the last day and the kind of drawing that were requested.
  package let request: ChartRequest
  /// The language of the page.
  package let localizer: Localizer
  /// The current day in the patient's zone.
  package let today: CivilDate
  /// The path of the page, to which the links lead.
  package let path: String
  /// The other query fields of the page's address, which links keep.
  package var otherQuery: [(name: String, value: String)] = []

  /// Creates a section for a page.
  ///
  /// - Parameters:
  ///   - path: The path of the page, to which the links lead.
  ///   - otherQuery: The other query fields of the page's address, which links keep.
  package init(
    statistics: AdherenceStatistics, request: ChartRequest, localizer: Localizer, today: CivilDate,
    path: String,
    otherQuery: [(name: String, value: String)] = []
  ) {
    self.statistics = statistics
    self.request = request
    self.localizer = localizer
    self.today = today
    self.path = path
    self.otherQuery = otherQuery
  }

  private var words: ChartFormatter { ChartFormatter(localizer: localizer) }

  /// The section with all its parts; the drawing is left out if there is nothing to draw.
  package var markup: Markup {
    Section(
      localizer.text("chart.title"), id: Self.id,
      """
      <div class="stack">\(periods)\(figure)\(steps)\(table)</div>
      """
    ).markup
  }

  // MARK: Drawing

  private var figure: Markup {
    let total = statistics.total
    let sentences =
      words.sentences(
        total, from: statistics.window.first, to: min(statistics.window.last, today))
      + words.paused(statistics.pausedDays)
    let isDrawn = total.planned > 0 || statistics.pausedDays > 0
    let drawing = AdherenceChart(
      statistics: statistics, style: request.style, words: words, labelledBy: Self.sentenceID,
      today: today)
    return """
      <figure class="chart-figure"><figcaption id="\(Self.sentenceID)">\
      <p>\(sentences.joined(separator: " "))</p></figcaption>\
      \(if: isDrawn, "\(drawing)\(key(total))")</figure>
      """
  }

  private func key(_ total: DoseCounts) -> Markup {
    let items: [Markup] =
      switch request.style {
      case .bars:
        ChartSeries.allCases.filter { $0.count(total) > 0 }.map { series in
          item(
            series.block("x=\"2\" y=\"2\" width=\"20\" height=\"20\" rx=\"3\""),
            series.name(localizer), series.count(total))
        }
      case .lines:
        ChartLine.allCases.map { line in
          item(
            """
            <line class="chart-line chart-line-\(line.rawValue)" x1="0" x2="24" y1="12" y2="12"/>\
            \(line.mark(x: "12", y: "12"))
            """, line.name(localizer), line.count(total))
        }
      }
    let paused = statistics.pausedDays
    let band: Markup? =
      paused > 0
      ? item(
        PausedBand.block("x=\"2\" y=\"2\" width=\"20\" height=\"20\" rx=\"3\""),
        localizer.text("chart.paused-days"), paused) : nil
    return "<ul class=\"chart-key\" role=\"list\">\(items)\(band)</ul>"
  }

  private func item(_ drawing: Markup, _ name: String, _ count: Int) -> Markup {
    """
    <li><svg class="chart-sample" width="24" height="24" aria-hidden="true" focusable="false">\
    \(drawing)</svg><span>\(name)</span> <strong class="number">\(localizer.number(count))</strong></li>
    """
  }

  // MARK: Links

  private var periods: Markup {
    let tabs = StatisticsPeriod.allCases.map { period in
      SegmentedTabs.Tab(
        localizer.text("chart.period", ["period": .text(period.rawValue)]),
        address: address(period, end: request.end), isCurrent: period == request.period)
    }
    let styles = ChartStyle.allCases.map { style in
      SegmentedTabs.Tab(
        localizer.text("chart.style", ["style": .text(style.rawValue)]),
        address: PreferenceAddress.link(
          PreferenceAddress.chart, style.rawValue, from: address(request.period, end: request.end)),
        isCurrent: style == request.style)
    }
    return """
      <div class="chart-choices">\
      \(SegmentedTabs(label: localizer.text("chart.periods-label"), tabs))\
      \(SegmentedTabs(label: localizer.text("chart.styles-label"), styles))</div>
      """
  }

  private var steps: Markup {
    let window = statistics.window
    let earlier = window.earlier(than: statistics.firstDue).map { end in
      LinkButton(
        localizer.text("chart.earlier"), address: address(window.period, end: end),
        icon: .arrowLeft, object: words.range(window.first, window.last))
    }
    let later = window.later(today: today).map { end in
      LinkButton(
        localizer.text("chart.later"),
        address: address(window.period, end: end == today ? nil : end), icon: .chevron,
        object: words.range(window.first, window.last))
    }
    guard earlier != nil || later != nil else { return Markup() }
    return ButtonRow("\(earlier)\(later)").markup
  }

  private func address(_ period: StatisticsPeriod, end: CivilDate?) -> String {
    var query = otherQuery
    if period != .day { query.append(("by", period.rawValue)) }
    if let end { query.append(("to", end.text)) }
    let text = query.map { "\(QueryText.encode($0.name))=\(QueryText.encode($0.value))" }
      .joined(separator: "&")
    return text.isEmpty ? "\(path)#\(Self.id)" : "\(path)?\(text)#\(Self.id)"
  }

  // MARK: Table

  private var table: Markup {
    guard !statistics.total.isEmpty || statistics.pausedDays > 0 else { return Markup() }
    return Disclosure(
      localizer.text("chart.table"), ChartTable(statistics: statistics, words: words).markup
    ).markup
  }
}

/// The statistics of a chart as a table.
package struct ChartTable: PagePart {
  /// The statistics to show.
  package let statistics: AdherenceStatistics
  /// The formatter of periods and rates.
  package let words: ChartFormatter

  /// Creates a table of statistics.
  package init(statistics: AdherenceStatistics, words: ChartFormatter) {
    self.statistics = statistics
    self.words = words
  }

  private var localizer: Localizer { words.localizer }

  /// The outcomes in the table; refused and withheld only if there are any.
  private var outcomes: [DoseOutcome] {
    let total = statistics.total
    return DoseOutcome.allCases.filter { outcome in
      switch outcome {
      case .taken, .late, .skipped, .missed: true
      case .refused, .withheld: total[outcome] > 0
      }
    }
  }

  /// The table in a region that scrolls sideways, with a row for each period and a total.
  package var markup: Markup {
    let caption = words.range(statistics.window.first, statistics.window.last)
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\
      <th scope="col">\(localizer.text("chart.table-period"))</th>\
      <th scope="col">\(localizer.text("chart.table-rate"))</th>\
      \(each: outcomes, { "<th scope=\"col\" class=\"number\">\(words.name(of: $0))</th>" })\
      \(pausedTitle)</tr></thead><tbody>\(each: Array(statistics.columns.enumerated()), column)\
      </tbody><tfoot>\(row(localizer.text("chart.table-total"), statistics.total, statistics.pausedDays))\
      </tfoot></table></div>
      """
  }

  /// The title of the column of paused days; nil if there are none.
  private var pausedTitle: Markup? {
    guard statistics.pausedDays > 0 else { return nil }
    return "<th scope=\"col\" class=\"number\">\(localizer.text("chart.paused-days"))</th>"
  }

  private func column(_ index: Int, _ column: AdherenceStatistics.Column) -> Markup {
    row(
      words.name(of: column.start, statistics.window.period), column.counts,
      statistics.pausedDays(from: column.start, until: statistics.window.bounds[index + 1]))
  }

  private func row(_ name: String, _ counts: DoseCounts, _ paused: Int) -> Markup {
    let days: Markup? =
      pausedTitle == nil ? nil : "<td class=\"number\">\(localizer.number(paused))</td>"
    return """
      <tr><th scope="row">\(name)</th><td>\(words.rate(counts))</td>\
      \(each: outcomes, { "<td class=\"number\">\(localizer.number(counts[$0]))</td>" })\
      \(days)</tr>
      """
  }
}
