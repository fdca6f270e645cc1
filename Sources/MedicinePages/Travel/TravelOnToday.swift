// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import Plans
import Presentation
import Scheduling

/// On a journey, the question how the medicines adapt; a script shows it.
package struct TravelOnToday: TodayContribution {
  package init() {}
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.mayAct else { return .nothing }
    let putOff =
      today.features.travelPutOff
      ? try TravelQuestion.putOff(
        today.patient.patient, account: today.signedIn.account.id, at: today.now,
        in: today.reader) : nil
    return TodayAddition(
      TodayCard(.afterDueDoses) {
        TravelNotice(
          home: $0.words.zone.identifier, putOff: putOff, token: $0.token,
          localizer: $0.words.localizer
        ).markup
      })
  }
}
