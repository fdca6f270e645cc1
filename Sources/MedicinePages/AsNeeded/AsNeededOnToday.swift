// SPDX-License-Identifier: Apache-2.0

import Dosing
import Plans
import Presentation

/// Medicines that are taken when needed.
package struct AsNeededOnToday: TodayContribution {
  package init() {}
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
