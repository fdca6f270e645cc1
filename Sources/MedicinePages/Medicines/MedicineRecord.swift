// SPDX-License-Identifier: Apache-2.0

import Dosing
import Plans
import Presentation
import Statistics
import Storage

/// The content of the page of one medicine.
struct MedicineRecord: Sendable {
  let plan: Plan
  /// The request as form fields, if the form can represent it.
  let draft: PlanDraft?
  /// Doses due within seven days.
  let upcoming: [Dose]
  /// The first dose after those seven days, if there is none within them.
  let firstDue: Timestamp?
  /// The counts for the chart.
  let statistics: AdherenceStatistics
  /// The outcome of all doses up to today, and extra doses.
  let history: HistoryPart
  /// The appearance of the medicine.
  var looks = MedicineAppearances()

  var hasEnded: Bool { plan.unplanned.map { !$0.standsOnToday } ?? false }
}

extension Plan {
  /// True if times can be entered here: the request is an active order whose only possible gap is a
  /// usable schedule.
  var takesTimes: Bool {
    switch unplanned {
    case nil, .textOnly, .asNeeded, .unsupportedTiming, .invalidTiming, .nothingToExpand,
      .neverFires, .ended, .severalIntervals, .sequence, .tooFrequent, .tooOften:
      true
    case .status, .intent, .doNotPerform, .unknownModifier, .unknownZone: false
    }
  }
}
