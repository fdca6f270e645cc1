// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Localization
import Plans
import Presentation
import Web

/// The cards on Today that ask whether as-needed doses helped.
package struct FollowUpsOnToday: TodayContribution {
  /// The questions that are shown at once.
  private static let most = 3

  /// Creates the contribution; it keeps nothing between requests.
  package init() {}

  /// Returns the cards, or nothing if no question waits for an answer.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.features.followUps, today.mayAct else { return .nothing }
    let open = try FollowUpQueries.open(
      patient: today.patient.patient, at: today.now, in: today.reader)
    guard !open.isEmpty else { return .nothing }
    let shown = Array(open.prefix(Self.most))
    return TodayAddition(
      TodayCard(.afterDueDoses, fillsPage: true) { rendering in
        Section(
          rendering.words.localizer.text("follow-ups.title"), id: "follow-ups",
          """
          <div class="stack">\(each: shown, {
            FollowUpCard($0, on: .today, words: rendering.words, token: rendering.token).markup
          })</div>
          """
        ).markup
      })
  }
}
