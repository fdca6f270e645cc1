// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Plans
import Scheduling
import Web

/// Coming doses, with one line for each day.
package struct DosesByDay: PagePart {
  /// The doses to list, in order of time within each day.
  package let doses: [Dose]
  /// The formatter of days and times in the patient's zone.
  package let clock: MedicineClock
  /// True if the doses have pages of their own, to which withheld ones link.
  package var areStored = true

  /// Creates the list.
  package init(doses: [Dose], clock: MedicineClock, areStored: Bool = true) {
    self.doses = doses
    self.clock = clock
    self.areStored = areStored
  }

  /// The days that have doses, with the reason for each withheld dose.
  package var markup: Markup {
    DescriptionList(
      days.map { day, doses in
        .init(
          clock.text(day, .short),
          markup: "<ul class=\"number\" role=\"list\">\(each: doses, line)</ul>")
      }
    ).markup
  }

  /// The days that have doses, in order.
  var days: [(day: CivilDate, doses: [Dose])] {
    Dictionary(grouping: doses) { clock.day(of: $0.due) }
      .sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
  }

  private func line(_ dose: Dose) -> Markup {
    let text = Self.text(dose, clock: clock)
    guard dose.state == .withheld else { return "<li>\(text)</li>" }
    let reason = clock.localizer.text(
      "plans.withheld", ["reason": .text(dose.stateReason ?? "")])
    let words: Markup =
      areStored ? "<a href=\"/doses/\(dose.id.text)\">\(text)</a>" : Markup(text: text)
    return """
      <li>\(words) \(StateChip(.withheld, localizer: clock.localizer))\
      <p class="small">\(reason)</p></li>
      """
  }

  /// Returns a line such as `08:00, 1 tablet`.
  static func text(_ dose: Dose, clock: MedicineClock) -> String {
    let time = clock.time(dose.due)
    guard let amount = dose.amount else { return time }
    return clock.localizer.text(
      "medicines.time-and-amount",
      [
        "time": .text(time),
        "amount": .text(MedicineFormatter(localizer: clock.localizer).amount(amount)),
      ])
  }
}
