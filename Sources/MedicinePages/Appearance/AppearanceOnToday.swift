// SPDX-License-Identifier: Apache-2.0

import Plans
import Presentation

/// The appearance of each medicine, shown in Today's rows of doses still to be taken.
package struct AppearanceOnToday: TodayContribution {
  /// Creates the contribution; it keeps nothing between requests.
  package init() {}
  /// Returns the picture for each row, or nothing if the patient has no recorded appearance.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    guard today.features.looks else { return .nothing }
    let looks = try MedicineAppearances(of: today.patient.patient, in: today.reader)
    var addition = TodayAddition()
    addition.row = { dose, page -> TodayRowAddition? in
      guard let look = looks.row(dose.plan, dose.medicineName, page.words.localizer) else {
        return nil
      }
      return TodayRowAddition(picture: look.markup)
    }
    return addition
  }
}
