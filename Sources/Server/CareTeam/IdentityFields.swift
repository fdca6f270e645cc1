// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Localization

/// The questions for whom something is meant, typed anew each time so that it reaches nobody else.
struct IdentityFields: PagePart {
  let input: IdentityInput
  /// Whether the patient's birth date is known here, and so asked for.
  let asksBirthDate: Bool
  var problem: String?
  let localizer: Localizer

  var markup: Markup {
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
struct IdentityInput: Sendable, Hashable {
  static let nameField = "patient-name"
  static let birthDateField = "patient-birth-date"

  var name = ""
  var birthDate = ""

  init() {}

  init(form: FormBody) {
    name = form.text(Self.nameField) ?? ""
    birthDate = form.text(Self.birthDateField) ?? ""
  }

  var identity: PatientIdentity { PatientIdentity(name: name, birthDate: birthDate) }
}
