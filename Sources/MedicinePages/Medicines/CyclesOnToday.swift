// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Presentation
import Web

/// The breaks of cycles that begin or end tomorrow.
package struct CyclesOnToday: TodayContribution {
  package init() {}
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
