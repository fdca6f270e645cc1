// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Web

/// The notices on Today that a break in a cycle begins or ends tomorrow.
package struct CyclesOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns one notice for each cycle that changes tomorrow.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.features.cycles else { return .nothing }
    let turns = try CycleRows.turns(
      patient: today.patient.patient, after: today.date, in: today.reader)
    return TodayAddition(
      TodayCard(.afterDueDoses) { page in
        "\(each: turns, { Self.notice($0, page.words.localizer) })"
      })
  }

  private static func notice(_ turn: CycleTurn, _ localizer: Localizer) -> Markup {
    Notice(
      .information,
      title: localizer.text(
        "patterns.turn",
        ["kind": .text(turn.kind.rawValue), "name": .text(turn.medicineName)])
    ).markup
  }
}
