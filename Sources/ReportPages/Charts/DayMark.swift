// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Statistics

/// A dose in a day of the calendar: a small block with the pattern and letter of its state.
enum DayMark: Sendable, Hashable, CaseIterable {
  case taken, late, skipped, refused, missed, withheld, open

  init(_ dose: StatisticsDose) {
    self =
      switch dose.outcome {
      case .taken: .taken
      case .late: .late
      case .skipped: .skipped
      case .refused: .refused
      case .missed: .missed
      case .withheld: .withheld
      case nil: .open
      }
  }

  private var outcome: DoseOutcome? {
    switch self {
    case .taken: .taken
    case .late: .late
    case .skipped: .skipped
    case .refused: .refused
    case .missed: .missed
    case .withheld: .withheld
    case .open: nil
    }
  }

  func name(_ words: ChartFormatter) -> String {
    outcome.map(words.name(of:)) ?? words.localizer.text("charts.key", ["what": "open"])
  }

  private func letter(_ localizer: Localizer) -> String? {
    outcome.map { localizer.text("charts.letter", ["state": .text($0.rawValue)]) }
  }

  private var id: String { outcome?.rawValue ?? "open" }

  /// Returns the block; `place` holds its position and size.
  func block(_ place: Markup) -> Markup { "<use href=\"#day-\(id)\" \(place)/>" }

  /// Returns each kind of block once, as months contain hundreds of them.
  static func symbols(_ localizer: Localizer) -> Markup {
    "\(each: allCases, { $0.symbol(localizer) })"
  }

  private func symbol(_ localizer: Localizer) -> Markup {
    let series = outcome.flatMap(ChartSeries.init)
    let place: Markup = "width=\"100%\" height=\"100%\" rx=\"3\""
    let ground =
      series?.block(place) ?? "<rect class=\"chart-block chart-block-open\" \(place)/>"
    let letter = letter(localizer).map {
      Self.letter($0, series?.rawValue ?? "open", x: "50%", y: "50%")
    }
    return "<symbol id=\"day-\(id)\" overflow=\"visible\">\(ground)\(letter)</symbol>"
  }

  static func letter(_ letter: String, _ style: String, x: String, y: String) -> Markup {
    """
    <text class="chart-letter chart-letter-\(style)" x="\(x)" y="\(y)" dy="0.35em" \
    text-anchor="middle">\(letter)</text>
    """
  }
}
