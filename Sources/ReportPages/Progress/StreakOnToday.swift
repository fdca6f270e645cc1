// SPDX-License-Identifier: Apache-2.0

import Dosing
import Localization
import Plans
import Presentation
import Statistics
import Storage
import Web

/// The sentence at the end of a day on which every dose was taken: the number of days in a row.
package struct StreakOnToday: TodayContribution {
  /// The fewest days worth mentioning.
  static let fewest = 3

  /// Creates the contribution.
  package init() {}

  /// Returns the sentence once every dose of the day is taken; reads nothing before.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let model = today.model
    guard model.now.isEmpty, model.later.isEmpty, model.missed.isEmpty, !model.done.isEmpty,
      model.done.allSatisfy({ $0.dose.state == .taken })
    else { return .nothing }
    let days = try StatisticsQueries.coveredDays(
      patient: today.patient.patient, zone: today.zone, now: today.now, in: today.reader)
    guard days >= Self.fewest else { return .nothing }
    var addition = TodayAddition()
    addition.dayDone = { page in
      page.words.localizer.text("today.days-in-a-row", ["count": .number(days)])
    }
    return addition
  }
}
