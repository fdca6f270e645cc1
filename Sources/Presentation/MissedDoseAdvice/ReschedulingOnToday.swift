// SPDX-License-Identifier: Apache-2.0

import Dosing

/// The questions on Today about moving the next doses after one was taken late.
package struct ReschedulingOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}
  /// Reads the open proposals; their cards come before the doses that are due.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let list = today.environment.interactions.list
    let proposals = try DoseRescheduler.open(of: today.patient, list: list)
    if proposals.isEmpty { return .nothing }
    return TodayAddition(
      TodayCard(.beforeDoses) {
        ReschedulingCards(
          proposals: proposals, words: $0.words, list: list, token: $0.token, returnPath: "/"
        ).markup
      })
  }
}
