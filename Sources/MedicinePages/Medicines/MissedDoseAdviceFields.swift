// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Web

/// The question about missed doses in a medicine form.
struct MissedDoseAdviceFields: PagePart {
  let input: MedicineInput
  let errors: [String: String]
  let localizer: Localizer

  var markup: Markup {
    let choices =
      [FieldChoice("", text("none"), hint: text("none-hint"))]
      + ["take-until", "skip", "shift"].map { code in
        FieldChoice(code, localizer.text("missed-dose-advice.form.rule", ["rule": .text(code)]))
      }
    return """
      <div data-schedule="times every-hours every-days meals cycle steps varying \
      spread after-intake">\
      \(FieldGroup(
        text("title"), hint: text("hint"),
        """
        \(FormField(
          "after-miss", label: text("question"), kind: .radios(choices), value: input.missedDoseAdvice,
          error: errors["after-miss"], localizer: localizer))\
        \(FormField(
          "after-miss-hours", label: text("hours"), kind: .integer, value: input.missedDoseAdviceHours,
          hint: text("hours-hint"), error: errors["after-miss-hours"], isRequired: false,
          unit: localizer.text("medicines.form.hours-unit"), maximumLength: 3,
          localizer: localizer))
        """))</div>
      """
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("missed-dose-advice.form.\(name)"))
  }
}
