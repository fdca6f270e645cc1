// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Statistics

/// A part of each bar in a chart.
///
/// Each has its own pattern, so that colour is never the only difference.
package enum ChartSeries: String, Sendable, CaseIterable {
  case taken, late, leftOut = "left-out", missed

  /// Returns the number of doses that belong to this series.
  package func count(_ counts: DoseCounts) -> Int {
    switch self {
    case .taken: counts[.taken]
    case .late: counts[.late]
    case .leftOut: counts.leftOut
    case .missed: counts[.missed]
    }
  }

  /// Creates the series that an outcome belongs to; nil for a dose that a rule withheld.
  package init?(_ outcome: DoseOutcome) {
    switch outcome {
    case .taken: self = .taken
    case .late: self = .late
    case .skipped, .refused: self = .leftOut
    case .missed: self = .missed
    case .withheld: return nil
    }
  }

  /// Returns the name for the key of the chart.
  package func name(_ localizer: Localizer) -> String {
    localizer.text("chart.series", ["series": .text(rawValue)])
  }

  /// Returns a block of this series; `place` holds the SVG attributes of its position and size.
  package func block(_ place: Markup) -> Markup {
    switch self {
    case .taken: "<rect class=\"chart-block chart-block-taken\" \(place)/>"
    case .late: "<rect class=\"chart-block chart-block-late\" fill=\"url(#chart-late)\" \(place)/>"
    case .leftOut:
      "<rect class=\"chart-block chart-block-left-out\" fill=\"url(#chart-left-out)\" \(place)/>"
    case .missed:
      "<rect class=\"chart-block chart-block-missed\" fill=\"url(#chart-missed)\" \(place)/>"
    }
  }

  /// The SVG patterns that blocks refer to: stripes, dots, crosses; needed once on a page.
  package static let patterns: Markup = """
    <defs><pattern id="chart-late" width="8" height="8" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(45)"><rect class="chart-ground-late" width="8" height="8"/>\
    <rect class="chart-ink-late" width="2.5" height="8"/></pattern>\
    <pattern id="chart-left-out" width="8" height="8" patternUnits="userSpaceOnUse">\
    <rect class="chart-ground-left-out" width="8" height="8"/>\
    <circle class="chart-ink-left-out" cx="4" cy="4" r="1.4"/></pattern>\
    <pattern id="chart-missed" width="9" height="9" patternUnits="userSpaceOnUse">\
    <rect class="chart-ground-missed" width="9" height="9"/>\
    <path class="chart-ink-missed" d="m2.5 2.5 4 4m0-4-4 4"/></pattern></defs>
    """
}

/// The hatched background of days on which the medicine was on hold, in either kind of drawing.
package enum PausedBand {
  /// Returns a block; `place` holds the SVG attributes of its position and size.
  package static func block(_ place: Markup) -> Markup {
    "<rect class=\"chart-paused\" fill=\"url(#chart-paused)\" \(place)/>"
  }

  /// The SVG pattern that blocks refer to; needed once on a page.
  package static let pattern: Markup = """
    <defs><pattern id="chart-paused" width="7" height="7" patternUnits="userSpaceOnUse" \
    patternTransform="rotate(-45)"><rect class="chart-ink-paused" width="1.5" height="7"/>\
    </pattern></defs>
    """
}

/// One of the two lines.
enum ChartLine: String, Sendable, CaseIterable {
  case taken, notTaken = "not-taken"

  func count(_ counts: DoseCounts) -> Int {
    switch self {
    case .taken: counts.takenInAll
    case .notTaken: counts.notTaken
    }
  }

  func name(_ localizer: Localizer) -> String {
    localizer.text("chart.line", ["line": .text(rawValue)])
  }

  /// The mark at a point: a disc, or a square on its corner.
  func mark(x: String, y: String) -> Markup {
    switch self {
    case .taken: "<circle class=\"chart-mark chart-mark-taken\" cx=\"\(x)\" cy=\"\(y)\" r=\"5\"/>"
    case .notTaken:
      """
      <svg x="\(x)" y="\(y)" overflow="visible"><path class="chart-mark chart-mark-not-taken" \
      d="M0-6 6 0 0 6-6 0z"/></svg>
      """
    }
  }
}
