// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Presentation
import Web

/// The head of Today: the number of doses taken, in words and as a ring.
struct TodayHead: PagePart {
  let progress: TodayProgress
  let localizer: Localizer

  /// Returns the greeting for a local hour, with the name of the person who reads their own page.
  static func greeting(_ name: String, hour: Int, _ localizer: Localizer) -> String {
    let part =
      switch hour {
      case 4..<12: "morning"
      case 12..<17: "afternoon"
      case 17..<22: "evening"
      default: "night"
      }
    return localizer.text("today.greeting", ["part": .text(part), "name": .text(name)])
  }

  var markup: Markup {
    guard progress.planned > 0 else { return Markup() }
    let share = min(100, progress.taken * 100 / progress.planned)
    let text = localizer.text(
      "today.progress",
      ["taken": .number(progress.taken), "planned": .number(progress.planned)])
    return """
      <div class="today-progress" id="progress" data-part>\
      <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true" focusable="false">\
      <circle class="ring-ground" cx="20" cy="20" r="16"/>\
      <circle class="ring-share" cx="20" cy="20" r="16" pathLength="100" \
      stroke-dasharray="\(String(share)) 100"/></svg><p>\(text)</p></div>
      """
  }
}
