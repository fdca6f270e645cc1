// SPDX-License-Identifier: Apache-2.0

import Foundation
import Localization
import Observations
import Scheduling

/// Text shared by several pages for children.
package enum ChildText {
  /// Returns a body weight with its date.
  package static func weight(_ weight: BodyWeight, _ localizer: Localizer) -> String {
    localizer.text(
      "children.weight.line",
      [
        "kilograms": .text(
          localizer.text(
            "health-profile.weights.value", ["kilograms": .text(number(weight, localizer))])),
        "day": .text(day(weight.date, localizer)),
      ])
  }

  /// Returns a date in medium length, such as `1 March 2026`.
  package static func day(_ date: CivilDate, _ localizer: Localizer) -> String {
    let (year, month, day) = date.parts
    return localizer.date(
      LocalDay(year: year, month: month, day: day, isoWeekday: date.weekday.rawValue), .medium)
  }

  private static func number(_ weight: BodyWeight, _ localizer: Localizer) -> String {
    decimal(weight.kilograms).map { localizer.number($0) } ?? weight.kilograms
  }

  /// Returns milligrams such as `120 mg`; the text unchanged if it is not a decimal number.
  package static func milligrams(_ text: String, _ localizer: Localizer) -> String {
    decimal(text).map { localizer.amount($0, .milligram) } ?? text
  }

  /// Returns millilitres such as `5 mL`; the text unchanged if it is not a decimal number.
  package static func millilitres(_ text: String, _ localizer: Localizer) -> String {
    decimal(text).map { localizer.amount($0, .milliliter) } ?? text
  }

  private static func decimal(_ text: String) -> Decimal? {
    Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
  }
}
