// SPDX-License-Identifier: Apache-2.0

import Plans
import Presentation

/// Shows supplies that run low.
package struct LowStockOnToday: TodayContribution {
  package init() {}
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
