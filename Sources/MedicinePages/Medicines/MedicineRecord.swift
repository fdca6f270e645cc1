// SPDX-License-Identifier: Apache-2.0

import Dosing
import Plans
import Presentation
import Statistics
import Storage

/// What the page of one medicine shows.
struct MedicineRecord: Sendable {
  let plan: Plan
  /// The request in the form's terms, where the form can say it.
  let draft: PlanDraft?
  /// Doses still to come within seven days.
  let upcoming: [Dose]
  /// The first dose after those days, where there are none within.
  let firstDue: Timestamp?
  /// Counts for the chart.
  let statistics: AdherenceStatistics
  /// What became of the doses up to today, and what was taken besides.
  let history: HistoryPart
  /// What it looks like.
  var looks = MedicineAppearances()

  var hasEnded: Bool { plan.unplanned.map { !$0.standsOnToday } ?? false }
}

extension Plan {
  /// Whether a person may enter times here: the request asks for the medicine to be taken, and what
  /// it lacks, if anything, is a schedule that can be followed.
  var takesTimes: Bool {
    switch unplanned {
    case nil, .textOnly, .asNeeded, .unsupportedTiming, .invalidTiming, .nothingToExpand,
      .neverFires, .severalIntervals, .sequence, .tooFrequent, .tooOften:
      true
    case .status, .intent, .doNotPerform, .unknownModifier, .unknownZone: false
    }
  }
}
