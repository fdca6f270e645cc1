// SPDX-License-Identifier: Apache-2.0

import Dosing
import Presentation

/// The card on Today with doses that were already past when their medicines were added.
package struct PassedDosesOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns the card, or nothing if there are no such doses.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let passed = try PassedDoses.today(of: today.patient)
    if passed.isEmpty { return .nothing }
    return TodayAddition(
      TodayCard(.afterDueDoses) {
        PassedDosesPart(passed: passed, words: $0.words, token: $0.token).markup
      })
  }
}
