// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Prescriptions
import Web

/// The questions for whom something is meant, typed anew each time so that it reaches nobody else.
package struct IdentityFields: PagePart {
  package let input: IdentityInput
  /// Whether the patient's birth date is known here, and so asked for.
  package let asksBirthDate: Bool
  package var problem: String?
  package let localizer: Localizer

  package init(
    input: IdentityInput, asksBirthDate: Bool, problem: String? = nil, localizer: Localizer
  ) {
    self.input = input
    self.asksBirthDate = asksBirthDate
    self.problem = problem
    self.localizer = localizer
  }

  package var markup: Markup {
    FieldGroup(
      localizer.text("care-team.identity.title"),
      hint: localizer.text(
        "care-team.identity.hint", ["known": .text(asksBirthDate ? "yes" : "no")]),
      """
      \(FormField(
        IdentityInput.nameField, label: localizer.text("care-team.identity.name"),
        value: input.name, error: problem, autocomplete: "off", maximumLength: 200,
        localizer: localizer))\
      \(if: asksBirthDate, FormField(
        IdentityInput.birthDateField, label: localizer.text("details.form.birth-date"),
        kind: .date(), value: input.birthDate, autocomplete: "off", localizer: localizer).markup)
      """
    ).markup
  }
}

/// What was typed into them.
package struct IdentityInput: Sendable, Hashable {
  package static let nameField = "patient-name"
  package static let birthDateField = "patient-birth-date"

  var name = ""
  var birthDate = ""

  package init() {}

  package init(form: FormBody) {
    name = form.text(Self.nameField) ?? ""
    birthDate = form.text(Self.birthDateField) ?? ""
  }

  package var identity: PatientIdentity { PatientIdentity(name: name, birthDate: birthDate) }
}
