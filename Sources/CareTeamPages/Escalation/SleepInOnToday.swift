// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Presentation
import Reminders
import Web

/// The line on Today that says until when reminders for due doses are held back.
package struct SleepInOnToday: TodayContribution {
  /// Creates the contribution.
  package init() {}
  /// Returns a card with the latest time until which a due dose is held back; nothing if none is.
  package func read(_ today: TodayContext) throws -> TodayAddition {
    let due = today.doses.filter { $0.state == .due }
    guard today.features.sleepIn, !due.isEmpty else { return .nothing }
    let patient = today.patient.patient
    let sleepIn = try SleepIn.of(
      [patient], zones: today.environment.zones, in: today.reader)[patient]
    let now = today.now
    guard let until = due.compactMap({ sleepIn?.rings($0) }).filter({ $0 > now }).max() else {
      return .nothing
    }
    return TodayAddition(
      TodayCard(.reminders) { page in
        Notice(
          .information,
          title: page.words.localizer.text(
            "alarms.holds", ["time": .text(page.words.moment(until))])
        ).markup
      })
  }
}
