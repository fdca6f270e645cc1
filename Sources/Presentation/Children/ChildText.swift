// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Observations
import Scheduling

/// Words that several pages for children share.
package enum ChildText {
  package static func weight(_ weight: BodyWeight, _ localizer: Localizer) -> String {
    localizer.text(
      "children.weight.line",
      [
        "kilograms": .text(
          localizer.text("health-profile.weights.value", ["kilograms": .text(number(weight, localizer))])),
        "day": .text(day(weight.date, localizer)),
      ])
  }

  package static func day(_ date: CivilDate, _ localizer: Localizer) -> String {
    let (year, month, day) = date.parts
    return localizer.date(
      LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue), .medium)
  }

  private static func number(_ weight: BodyWeight, _ localizer: Localizer) -> String {
    decimal(weight.kilograms).map { localizer.number($0) } ?? weight.kilograms
  }

  /// `120 mg`, as the language writes numbers.
  package static func milligrams(_ text: String, _ localizer: Localizer) -> String {
    decimal(text).map { localizer.amount($0, .milligram) } ?? text
  }

  package static func millilitres(_ text: String, _ localizer: Localizer) -> String {
    decimal(text).map { localizer.amount($0, .milliliter) } ?? text
  }

  private static func decimal(_ text: String) -> Decimal? {
    Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
