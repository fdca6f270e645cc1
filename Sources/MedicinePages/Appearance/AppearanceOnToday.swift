// SPDX-License-Identifier: Apache-2.0

import Plans
import Presentation

/// Shows the look of each medicine in the rows of doses still to be taken.
package struct AppearanceOnToday: TodayContribution {
  package init() {}
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
