// SPDX-License-Identifier: Apache-2.0

import CareTeam
import HTML
import Localization
import Plans
import Presentation
import Storage
import Web

/// The cards on Today about caregivers' replies: who is taking care of it, and who sent a nudge.
package struct MessagesOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}
  /// Returns up to three recent replies and the latest nudge; nothing for an account that may only
  /// look.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct, today.features.careMessages else { return .nothing }
    let since = today.now.adding(milliseconds: -FeaturesInUse.careMessagesReach)
    let patient = today.patient.patient
    let caring = try CaregiverMessageQueries.caring(for: patient, since: since, in: today.reader)
      .prefix(3)
    let nudges = try Nudges.lately(to: patient, since: since, in: today.reader).prefix(1)
    return TodayAddition(
      TodayCard(.top) { page in
        """
        \(each: caring, { Self.notice("caregiver-messages.taken", $0, page.words) })\
        \(each: nudges, { Self.notice("caregiver-messages.nudged-by", $0, page.words) })
        """
      })
  }

  private static func notice(
    _ key: MessageKey, _ one: (name: String, at: Timestamp), _ words: DoseFormatter
  ) -> Markup {
    let title = words.localizer.text(
      key, ["name": .text(one.name), "when": .text(words.moment(one.at))])
    return Notice(.information, title: title).markup
  }
}
