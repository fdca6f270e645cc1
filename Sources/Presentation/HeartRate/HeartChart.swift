// SPDX-License-Identifier: Apache-2.0

import Access
import HTML
import Identifiers
import Localization
import Observations
import Scheduling
import Storage
import Web

/// The resting heart rate by day as a line with its average, and optionally a table of the same
/// values.
package struct HeartChart: PagePart {
  /// The daily values, in any order.
  package let values: [VitalDayValue]
  /// The formatter of days.
  package let clock: MedicineClock
  /// True to add a table of the values, for pages without another one.
  package var hasTable = false

  /// Creates the chart of daily values.
  package init(values: [VitalDayValue], clock: MedicineClock, hasTable: Bool = false) {
    self.values = values
    self.clock = clock
    self.hasTable = hasTable
  }

  private static let id = "heart-sentence"
  /// The number of days that the chart shows.
  private static let shownDays = 28

  /// Reads the resting heart rates of the last 28 days, from the preferred source.
  ///
  /// - Parameter part: The Observations that may be seen.
  package static func values(
    of patient: PatientID, until today: CivilDate, part: ObservationPart = .either,
    in reader: any SQLReader
  ) throws -> [VitalDayValue] {
    // A traveller's watch may be a day ahead.
    try VitalQueries.days(
      .restingHeartRate, of: patient, from: today.adding(days: 1 - shownDays).text,
      to: today.adding(days: 1).text, part: part, in: reader)
  }

  private var localizer: Localizer { clock.localizer }

  /// The figure; empty if there are fewer than two values.
  package var markup: Markup {
    let days = values.compactMap { CivilDate(text: $0.day) }
    guard values.count > 1, let first = days.min(), let last = days.max(),
      let low = values.map(\.thousandths).min(), let high = values.map(\.thousandths).max()
    else { return Markup() }
    let sentence = localizer.text(
      "heart-rate.chart",
      [
        "low": .text(HeartRateFormatter.amount(low, .restingHeartRate, localizer)),
        "high": .text(HeartRateFormatter.amount(high, .restingHeartRate, localizer)),
        "days": .number(values.count),
      ])
    let series = HeartRateSeries(values, from: first, to: last)
    let chart = HeartRateChart(
      series: series, clock: clock, labelledBy: Self.id, hasLanes: false)
    return """
      <figure class="chart-figure"><figcaption id="\(Self.id)"><p>\(sentence)</p></figcaption>\
      \(chart)<ul class="chart-key" role="list">\(each: ["value", "average"], key)</ul></figure>\
      \(if: hasTable, table(series))
      """
  }

  private func table(_ series: HeartRateSeries) -> Markup {
    func number(_ value: Double?) -> String {
      value.map { localizer.number(Int($0.rounded())) } ?? "–"
    }
    let caption = localizer.text("heart-rate.resting")
    return Disclosure(
      localizer.text("heart-rate-monitoring.table"),
      """
      <div class="table-scroll" role="region" aria-label="\(caption)" tabindex="0">\
      <table class="table"><caption>\(caption)</caption><thead><tr>\
      \(each: ["day", "value", "average"], { name in
        "<th scope=\"col\">\(localizer.text("heart-rate-monitoring.key", ["what": .text(name)]))</th>" as Markup
      })</tr></thead><tbody>\(each: series.points.reversed(), { point in
        """
        <tr><th scope="row">\(clock.text(point.day, .short))</th><td>\(number(point.value))</td>\
        <td>\(number(point.average))</td></tr>
        """ as Markup
      })</tbody></table></div>
      """
    ).markup
  }

  private func key(_ name: String) -> Markup {
    """
    <li><svg class="chart-sample" width="24" height="24" aria-hidden="true" focusable="false">\
    <line class="heart-\(name)" x1="0" x2="24" y1="12" y2="12"/></svg>\
    <span>\(localizer.text("heart-rate-monitoring.key", ["what": .text(name)]))</span></li>
    """
  }
}
