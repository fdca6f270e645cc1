// SPDX-License-Identifier: Apache-2.0

import Presentation

/// The card on Today that leads back to the simple view, for a person who chose it.
package struct SimpleOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}

  /// Returns the card; nothing unless the simple view was chosen.
  package func read(_ today: TodayContext) -> TodayAddition {
    guard today.isSimple else { return .nothing }
    return TodayAddition(
      TodayCard(.top) { SimpleWayBack(localizer: $0.words.localizer).markup })
  }
}
