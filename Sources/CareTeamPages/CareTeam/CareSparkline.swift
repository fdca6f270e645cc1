// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Localization
import Web

/// The share of doses taken on each of the last 30 days as small bars, with the weeks in words.
struct CareSparkline: PagePart {
  let adherence: CareAdherence
  let localizer: Localizer

  private static let step = 4
  private static let height = 24

  /// The drawing; empty if there are no planned doses.
  var markup: Markup {
    guard adherence.percent(days: CareAdherence.length) != nil else { return Markup() }
    let width = CareAdherence.length * Self.step
    return """
      <svg class="sparkline" role="img" width="\(width)" height="\(Self.height)" \
      viewBox="0 0 \(width) \(Self.height)" aria-label="\(words)">\
      \(each: Array(adherence.days.enumerated()), { bar($0.offset, $0.element) })</svg>
      """
  }

  /// The last four weeks, the earliest first.
  private var words: String {
    let weeks = (0..<4).reversed().map { weeksAgo -> String in
      let first = CareAdherence.length - 7 * (weeksAgo + 1)
      let days = adherence.days[first..<first + 7]
      let sum = CareAdherence.Day(
        taken: days.reduce(0) { $0 + $1.taken }, planned: days.reduce(0) { $0 + $1.planned })
      return sum.percent.map { Self.percent($0, localizer) }
        ?? localizer.text("care-desk.no-doses")
    }
    return localizer.text("care-desk.sparkline", ["weeks": .text(localizer.list(weeks))])
  }

  /// Returns a percentage as text, `93%`.
  static func percent(_ value: Int, _ localizer: Localizer) -> String {
    localizer.text("care-desk.percent", ["percent": .number(value)])
  }

  /// Returns a bar; a day without planned doses is a gap, and a day with none taken is a line at
  /// the bottom.
  private func bar(_ index: Int, _ day: CareAdherence.Day) -> Markup {
    guard let percent = day.percent else { return Markup() }
    let height = max(2, percent * Self.height / 100)
    return """
      <rect class="spark\(if: percent < 100, " spark-less")" x="\(index * Self.step)" \
      y="\(Self.height - height)" width="3" height="\(height)"/>
      """
  }
}
