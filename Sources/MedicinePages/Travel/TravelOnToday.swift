// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import Plans
import Presentation
import Scheduling

/// The question on Today how medicines should adapt to travel; a script shows it if the device is
/// in another time zone.
package struct TravelOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns the question, or nothing if the viewer does not act for the patient.
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
