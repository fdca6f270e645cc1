// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Scheduling
import Web

/// The drawing with its sentence, its key and its table.
struct HeartRateFigure: PagePart {
  let series: HeartRateSeries
  let clock: MedicineClock
  let id: String

  private var localizer: Localizer { clock.localizer }

  var markup: Markup {
    guard series.hasValues else {
      return "<p>\(localizer.text("heart-rate-monitoring.no-values"))</p>"
    }
    return """
      <figure class="chart-figure"><figcaption id="\(id)"><p>\(sentence)</p></figcaption>\
      \(HeartRateChart(series: series, clock: clock, labelledBy: id))\(key)\
      \(missedDays)<p class="muted">\(localizer.text("heart-rate-monitoring.linked"))</p></figure>\
      \(Disclosure(localizer.text("heart-rate-monitoring.table"), table))
      """
  }

  private var sentence: String {
    let values = series.points.compactMap(\.value)
    return localizer.text(
      "heart-rate-monitoring.graph-sentence",
      [
        "low": .number(Int((values.min() ?? 0).rounded())),
        "high": .number(Int((values.max() ?? 0).rounded())),
        "missed": .number(series.points.reduce(0) { $0 + $1.missed }),
        "warnings": .number(series.points.reduce(0) { $0 + $1.warnings }),
      ])
  }

  /// The days with missed doses in words, if there are few.
  private var missedDays: Markup {
    let days = series.points.filter { $0.missed > 0 }.map { clock.text($0.day, .short) }
    guard series.step == 1, !days.isEmpty, days.count <= Self.mostNamed else { return Markup() }
    let text = localizer.text(
      "chart.column",
      [
        "name": .text(localizer.text("heart-rate-monitoring.key", ["what": "missed"])),
        "rate": .text(localizer.list(days)),
      ])
    return "<p>\(text)</p>"
  }

  private static let mostNamed = 7

  private var key: Markup {
    let line: (String) -> Markup = { name in
      """
      <svg class="chart-sample" width="24" height="24" aria-hidden="true" focusable="false">\
      <line class="heart-\(name)" x1="0" x2="24" y1="12" y2="12"/></svg>
      """
    }
    let sign: (String, String) -> Markup = { name, sign in
      """
      <svg class="chart-sample" width="24" height="24" aria-hidden="true" focusable="false">\
      <text class="heart-\(name)" x="12" y="12" dy="0.35em" text-anchor="middle">\(sign)</text></svg>
      """
    }
    let items: [(Markup, String)] = [
      (line("value"), "value"), (line("average"), "average"), (line("boundary"), "boundary"),
      (sign("missed", "×"), "missed"), (sign("warned", "▲"), "warned"),
    ]
    return """
      <ul class="chart-key" role="list">\(each: items, { drawing, name in
        """
        <li>\(drawing)<span>\(localizer.text("heart-rate-monitoring.key", ["what": .text(name)]))</span></li>
        """ as Markup
      })</ul>
      """
  }

  private var table: Markup {
    let head = ["day", "value", "average", "boundary", "missed", "warned"]
    let caption = localizer.text("heart-rate-monitoring.graph")
    return """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\(each: head, { name in
        "<th scope=\"col\">\(localizer.text("heart-rate-monitoring.key", ["what": .text(name)]))</th>" as Markup
      })</tr></thead><tbody>\(each: series.points.reversed(), row)</tbody></table></div>
      """
  }

  private func row(_ point: HeartRateSeries.Point) -> Markup {
    func number(_ value: Double?) -> String {
      value.map { localizer.number(Int($0.rounded())) } ?? "–"
    }
    func count(_ value: Int) -> String { value == 0 ? "–" : localizer.number(value) }
    return """
      <tr><th scope="row">\(clock.text(point.day, .short))</th><td>\(number(point.value))</td>\
      <td>\(number(point.average))</td><td>\(number(point.boundary))</td>\
      <td>\(count(point.missed))</td><td>\(count(point.warnings))</td></tr>
      """
  }
}
