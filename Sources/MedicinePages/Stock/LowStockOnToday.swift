// SPDX-License-Identifier: Apache-2.0

import Plans
import Presentation

/// The card on Today with supplies that are running low.
package struct LowStockOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns the card, or nothing if no supply that the viewer may see is running low.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.features.stock else { return .nothing }
    let low = try StockReading(call: today.call, signedIn: today.signedIn).low(of: today.patient)
    if low.isEmpty { return .nothing }
    return TodayAddition(
      TodayCard(.afterNextDoses) {
        StockToday(low: low, localizer: $0.words.localizer).markup
      })
  }
}
