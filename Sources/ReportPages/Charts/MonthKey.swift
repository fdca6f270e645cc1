// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Scheduling
import Statistics
import Web

/// The key to the marks and backgrounds of a month, limited to those that occur.
struct MonthKey: PagePart {
  let statistics: DayStatistics
  let first: CivilDate
  let last: CivilDate
  let words: ChartFormatter

  private var localizer: Localizer { words.localizer }

  private var days: [CivilDate] {
    (first.daysSinceEpoch...max(first, last).daysSinceEpoch).map(CivilDate.init(daysSinceEpoch:))
  }

  var markup: Markup {
    let marks = days.flatMap(statistics.marks(on:)).map(DayMark.init)
    let counts = Dictionary(grouping: marks) { $0 }.mapValues(\.count)
    let items = DayMark.allCases.compactMap { mark -> Markup? in
      counts[mark].map { count in
        item(
          mark.block("x=\"2\" y=\"2\" width=\"20\" height=\"20\""), mark.name(words), count)
      }
    }
    let kinds = Dictionary(grouping: days, by: statistics.kind(of:)).mapValues(\.count)
    let paused = days.count { statistics.isPaused($0) && $0 <= statistics.today }
    let cells: [(String, Markup, Int?)] = [
      (
        "all",
        "<svg x=\"3\" y=\"3\" width=\"18\" height=\"18\" viewBox=\"0 0 16 16\">\(MonthGrid.checkShape)</svg>",
        days.count { statistics.isCovered($0) }
      ),
      ("paused", PausedBand.block(Self.place), paused),
      ("free", Self.cell("free"), kinds[.free]), ("before", Self.cell("before"), kinds[.before]),
      ("ahead", Self.cell("ahead"), kinds[.ahead]),
    ]
    let grounds = cells.compactMap { name, drawing, count -> Markup? in
      guard let count, count > 0 else { return nil }
      return item(drawing, localizer.text("charts.key", ["what": .text(name)]), count)
    }
    let today: Markup? =
      first <= statistics.today && statistics.today <= last
      ? item(
        "<rect class=\"day-today\" \(Self.place)/>",
        localizer.text("charts.key", ["what": "today"]), nil) : nil
    return "<ul class=\"chart-key\" role=\"list\">\(items)\(grounds)\(today)</ul>"
  }

  private static let place: Markup = "x=\"3\" y=\"3\" width=\"18\" height=\"18\" rx=\"4\""

  private static func cell(_ kind: Markup) -> Markup {
    "<rect class=\"day-cell day-cell-\(kind)\" \(place)/>"
  }

  private func item(_ drawing: Markup, _ name: String, _ count: Int?) -> Markup {
    let number: Markup? = count.map {
      " <strong class=\"number\">\(localizer.number($0))</strong>"
    }
    return """
      <li><svg class="chart-sample" width="24" height="24" aria-hidden="true" focusable="false">\
      \(drawing)</svg><span>\(name)</span>\(number)</li>
      """
  }
}
