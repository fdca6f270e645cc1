// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Plans
import Presentation
import Web

/// A card on Today about unanswered doses of earlier days.
package struct MissedOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns the card; nothing if every earlier dose is answered, or if the viewer may not act.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct, today.features.missedDoses,
      let unanswered = try MissedDoses.summary(
        of: today.patient.patient, dueBefore: MissedPage.today(today.zone, today.now),
        now: today.now, in: today.reader)
    else { return .nothing }
    return TodayAddition(
      TodayCard(.afterDueDoses) { page in
        let localizer = page.words.localizer
        let link = LinkButton(
          localizer.text("missed.answer"), address: MissedPage.path, icon: .pencil)
        return Notice(
          .information,
          title: localizer.text(
            "missed.since",
            [
              "count": .number(unanswered.count),
              "since": .text(page.words.moment(unanswered.first)),
            ]), "\(link)"
        ).markup
      })
  }
}
