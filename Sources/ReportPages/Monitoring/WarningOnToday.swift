// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Plans
import Presentation

/// The card on Today with an unanswered heart rate warning.
package struct WarningOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns the card of today's latest open warning; nothing if there is none, or if the viewer
  /// may not act.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct, today.features.heartQuestion,
      let warning = try HeartRateQueries.open(
        of: today.patient.patient, on: today.date, in: today.reader)
    else { return .nothing }
    return TodayAddition(
      TodayCard(.top) {
        WarningNotice(warning: warning, localizer: $0.words.localizer).markup
      })
  }
}
