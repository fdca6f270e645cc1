// SPDX-License-Identifier: Apache-2.0

import Dosing
import Plans
import Presentation

/// The card on Today that lists the medicines taken as needed.
package struct AsNeededOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns the card, or nothing if the patient takes no medicine as needed.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.model.unplanned.contains(where: { $0.reason == .asNeeded }) else {
      return .nothing
    }
    let (medicines, now) = (try AsNeededQueries.all(of: today.patient), today.now)
    return TodayAddition(
      TodayCard(.afterLaterDoses) {
        AsNeededToday(medicines: medicines, words: $0.words, now: now).markup
      })
  }
}
