// SPDX-License-Identifier: Apache-2.0

import Presentation

/// The way back to the simple page, for a person who chose it.
package struct SimpleOnToday: TodayContribution {
  package init() {}
  package func read(_ today: TodayContext) -> TodayAddition {
    guard today.isSimple else { return .nothing }
    return TodayAddition(
      TodayCard(.top) { SimpleWayBack(localizer: $0.words.localizer).markup })
  }
}
