// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Plans
import Presentation

/// A question about the heart rate that has no answer yet.
package struct WarningOnToday: TodayContribution {
  package init() {}
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
