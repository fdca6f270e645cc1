// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans

/// The medicine and its amount as a short text, such as `Metoprolol 50 mg: 1 tablet`.
package enum ReminderMedicineText {
  /// Returns the name and the amount of a medicine; the name only if `value` is nil.
  package static func text(
    name: String, value: String?, unit: String?, code: String?, _ localizer: Localizer
  ) -> String {
    guard let value else { return name }
    return localizer.text(
      "escalation.medicine",
      [
        "name": .text(name),
        "amount": .text(amount(value, unit: unit ?? "", code: code, localizer)),
      ])
  }

  private static func amount(
    _ value: String, unit: String, code: String?, _ localizer: Localizer
  ) -> String {
    guard let number = Amount.decimal(value) else { return value }
    return localizer.amount(number, code: code, unit: unit)
  }
}
