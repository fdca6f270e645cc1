// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Prescriptions
import Web

/// The fields that identify a patient, typed each time so that nothing reaches the wrong person.
package struct IdentityFields: PagePart {
  /// The values to show in the fields.
  package let input: IdentityInput
  /// True if the patient's birth date is known here, and so must be entered.
  package let asksBirthDate: Bool
  /// The error message of the name field; nil if there is none.
  package var problem: String?
  /// The language of the fields.
  package let localizer: Localizer

  /// Creates the fields.
  package init(
    input: IdentityInput, asksBirthDate: Bool, problem: String? = nil, localizer: Localizer
  ) {
    self.input = input
    self.asksBirthDate = asksBirthDate
    self.problem = problem
    self.localizer = localizer
  }

  /// The group of fields, without autocompletion.
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

/// A patient's identity as typed by a practitioner.
package struct IdentityInput: Sendable, Hashable {
  /// The form field of the name.
  package static let nameField = "patient-name"
  /// The form field of the birth date.
  package static let birthDateField = "patient-birth-date"

  var name = ""
  var birthDate = ""

  /// Creates empty input.
  package init() {}

  /// Reads the input from a form.
  package init(form: FormBody) {
    name = form.text(Self.nameField) ?? ""
    birthDate = form.text(Self.birthDateField) ?? ""
  }

  /// The input as an identity to compare with the patient's.
  package var identity: PatientIdentity { PatientIdentity(name: name, birthDate: birthDate) }
}
