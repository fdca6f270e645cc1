// SPDX-License-Identifier: Apache-2.0

import Dosing
import HTML
import Localization
import Plans
import Presentation
import Web

/// A gentle question about doses of earlier days that nobody answered.
package struct MissedOnToday: TodayContribution {
  package init() {}
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct,
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
