// SPDX-License-Identifier: Apache-2.0

import Adherence

/// Today's doses that were already past when their medicines were added.
struct PassedDosesOnToday: TodayContribution {
  func read(_ today: TodayContext) throws -> TodayAddition {
    let passed = try PassedDoses.today(of: today.patient)
    if passed.isEmpty { return .nothing }
    return TodayAddition(
      TodayCard(.afterDueDoses) {
        PassedDosesPart(passed: passed, words: $0.words, token: $0.token).markup
      })
  }
}
