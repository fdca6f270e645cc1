// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Scheduling
import Statistics
import Web

/// The charts over all medicines as sections: by day, by time of day, as needed, and what the
/// numbers mean.
struct ChartsSections: PagePart {
  let model: ChartsModel
  let localizer: Localizer

  private var statistics: DayStatistics { model.statistics }
  private var words: ChartFormatter { ChartFormatter(localizer: localizer) }

  var markup: Markup {
    """
    \(ChartPatterns(localizer: localizer))\(days)\(dayParts)\(whenNeeded)\
    \(Section(localizer.text("report.meanings"), id: "meanings", """
      <ul>\(each: ["taken", "late", "not-counted"], { term in
        "<li>\(localizer.text("report.meaning", ["term": .text(term)]))</li>" as Markup
      })</ul>
      """))
    """
  }

  // MARK: Day by day

  private var days: Markup {
    let months = model.request.months(today: statistics.today)
    guard !months.isEmpty else {
      return Section(words.range(model.first, model.last), id: "days", week).markup
    }
    return "<div class=\"chart-months\">\(each: months, month)</div>"
  }

  private func month(_ first: CivilDate) -> Markup {
    let last = StatisticsPeriod.month.start(1, after: first).adding(days: -1)
    let id = "month-\(first.text)"
    let grid = MonthGrid(
      statistics: statistics, month: first, weekStart: model.request.weekStart, words: words,
      labelledBy: id)
    let name = localizer.month(first.month, year: first.year)
    return Section(
      name,
      """
      <div class="stack">\(figure(
        id, sentences(from: first, to: last), scroll(id, grid.markup),
        MonthKey(statistics: statistics, first: first, last: last, words: words).markup))\
      \(table(from: first, to: last))</div>
      """
    ).markup
  }

  private var week: Markup {
    let statistics = statistics.statistics(from: model.first, to: model.last)
    let isDrawn = statistics.total.planned > 0 || model.targets.contains { $0 > 0 }
    // A band means that there were no doses, so it is left out if another medicine had some.
    let drawn = AdherenceStatistics(
      window: statistics.window, columns: statistics.columns, firstDue: statistics.firstDue,
      paused: self.statistics.days(of: .paused))
    let chart = AdherenceChart(
      statistics: drawn, style: .bars, words: words, labelledBy: "week-sentence",
      today: self.statistics.today, targets: model.targets, isWeek: true, hasPatterns: true)
    return """
      <div class="stack">\(figure(
        "week-sentence", sentences(from: model.first, to: model.last),
        isDrawn ? chart.markup : Markup(), isDrawn ? weekKey(drawn) : Markup()))\
      \(if: isDrawn, table(from: model.first, to: model.last))</div>
      """
  }

  private func weekKey(_ statistics: AdherenceStatistics) -> Markup {
    let series = ChartSeries.allCases.filter { $0.count(statistics.total) > 0 }.map { series in
      item(
        series.block("x=\"2\" y=\"2\" width=\"20\" height=\"20\" rx=\"3\""),
        series.name(localizer), series.count(statistics.total))
    }
    let target = item(
      "<line class=\"chart-target\" x1=\"0\" x2=\"24\" y1=\"12\" y2=\"12\"/>",
      localizer.text("charts.key", ["what": "target"]), model.targets.reduce(0, +))
    let paused: Markup? =
      statistics.pausedDays > 0
      ? item(
        PausedBand.block("x=\"2\" y=\"2\" width=\"20\" height=\"20\" rx=\"3\""),
        localizer.text("chart.paused-days"), statistics.pausedDays) : nil
    return "<ul class=\"chart-key\" role=\"list\">\(series)\(target)\(paused)</ul>"
  }

  private func sentences(from first: CivilDate, to last: CivilDate) -> [String] {
    let statistics = statistics.statistics(from: first, to: last)
    let end = max(first, min(last, self.statistics.today))
    return words.sentences(statistics.total, from: first, to: end)
      + words.missed(on: self.statistics.days(with: .missed, from: first, to: last))
      + paused(statistics.pausedDays)
  }

  /// Returns the paused days; of several medicines, one may be on hold while the others are taken.
  private func paused(_ days: Int) -> [String] {
    guard model.request.medicine == nil, days > 0 else { return words.paused(days) }
    return [localizer.text("charts.paused", ["count": .number(days)])]
  }

  private func table(from first: CivilDate, to last: CivilDate) -> Markup {
    Disclosure(
      localizer.text("chart.table"), object: words.range(first, last),
      ChartTable(statistics: statistics.statistics(from: first, to: last), words: words).markup
    ).markup
  }

  // MARK: By time of day

  private var dayParts: Markup {
    let id = "parts-sentence"
    let rows = DayPartRows(statistics: statistics.total, words: words, labelledBy: id)
    let title = localizer.text("charts.by-part")
    guard statistics.total.counts.planned > 0 else { return Markup() }
    let series = ChartSeries.allCases.filter { $0.count(statistics.total.counts) > 0 }
    let key: Markup = """
      <ul class="chart-key" role="list">\(each: series, { series in
        item(
          series.block("x=\"2\" y=\"2\" width=\"20\" height=\"20\" rx=\"3\""),
          series.name(localizer), series.count(statistics.total.counts))
      })</ul>
      """
    return Section(
      title, id: "parts",
      """
      <div class="stack">\(figure(
        id, [words.parts(statistics.total)], scroll(id, rows.markup), key))\
      \(Disclosure(
        localizer.text("chart.table"), object: title,
        DayPartTable(statistics: statistics.total, words: words).markup))</div>
      """
    ).markup
  }

  // MARK: As needed

  private var whenNeeded: Markup {
    guard !model.whenNeeded.isEmpty else { return Markup() }
    return Section(
      localizer.text("report.when-needed"), id: "when-needed",
      """
      <div class="stack-small"><ul>\(each: model.whenNeeded, { medicine in
        """
        <li>\(localizer.text(
          "charts.when-needed",
          [
            "name": .text(medicine.name), "days": .number(medicine.days),
            "times": .number(medicine.times),
          ]))</li>
        """ as Markup
      })</ul><p class="muted">\(localizer.text("charts.when-needed-note"))</p></div>
      """
    ).markup
  }

  // MARK: Parts

  private func figure(
    _ id: String, _ sentences: [String], _ drawing: Markup, _ key: Markup
  ) -> Markup {
    """
    <figure class="chart-figure"><figcaption id="\(id)"><p>\(sentences.joined(separator: " "))</p>\
    </figcaption>\(drawing)\(key)</figure>
    """
  }

  /// Returns a scrollable region: large text needs more room than a phone has.
  private func scroll(_ id: String, _ drawing: Markup) -> Markup {
    """
    <div class="chart-scroll" role="region" aria-labelledby="\(id)" tabindex="0">\(drawing)</div>
    """
  }

  private func item(_ drawing: Markup, _ name: String, _ count: Int) -> Markup {
    """
    <li><svg class="chart-sample" width="24" height="24" aria-hidden="true" focusable="false">\
    \(drawing)</svg><span>\(name)</span> <strong class="number">\(localizer.number(count))</strong></li>
    """
  }
}
