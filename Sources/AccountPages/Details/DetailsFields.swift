// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import People
import Web

/// The fields of a page for personal details.
struct DetailsFields: PagePart {
  let section: DetailsSection
  let input: DetailsInput
  /// Messages by field name.
  let errors: [String: String]
  let zones: [String]
  let localizer: Localizer
  var isOwn = true
  var asksForLabel = false

  var markup: Markup {
    switch section {
    case .healthProfile: birthDate
    case .contacts:
      FieldGroup(
        localizer.text("missed-dose-advice.contacts"),
        hint: localizer.text("missed-dose-advice.contacts-hint"),
        "\(contact(input.practitioner))\(contact(input.pharmacy))"
      ).markup
    case .routine:
      """
      \(zone)\
      \(FieldGroup(text("section-rhythm"), hint: text("rhythm-hint"), rhythm))
      """
    case .account:
      """
      \(FieldGroup(text("section-you"), "\(names)\(if: asksForLanguage, language)"))\
      \(FieldGroup(text("section-contact"), reaching))\(if: asksForLabel, label)
      """
    case .appearance: "\(if: asksForLanguage, language)"
    }
  }

  private var asksForLanguage: Bool { section.asksForLanguage(isOwn: isOwn) }

  private var birthDate: Markup {
    FormField(
      "birth-date", label: text("birth-date"), kind: .date(), value: input.birthDate,
      error: errors["birth-date"], isRequired: false, autocomplete: "bday", localizer: localizer
    ).markup
  }

  private var names: Markup {
    """
    <div class="field-row">\
    \(FormField(
      "given-name", label: text("given-name"), value: input.givenName,
      error: errors["given-name"], autocomplete: "given-name", maximumLength: 100,
      localizer: localizer))\
    \(FormField(
      "family-name", label: text("family-name"), value: input.familyName,
      error: errors["family-name"], isRequired: false, autocomplete: "family-name",
      maximumLength: 100, localizer: localizer))</div>
    """
  }

  private var label: Markup {
    LabelFields(
      input: input.label ?? LabelInput(PersonLabel()), errors: errors, localizer: localizer
    ).markup
  }

  private var reaching: Markup {
    """
    \(FormField(
      "phone", label: text("phone"), kind: .telephone, value: input.phone,
      error: errors["phone"], isRequired: false, autocomplete: "tel", maximumLength: 40,
      localizer: localizer))\
    \(FormField(
      "email", label: text("email"), kind: .email, value: input.email, hint: text("email-hint"),
      error: errors["email"], isRequired: false, autocomplete: "email", maximumLength: 254,
      localizer: localizer))
    """
  }

  /// Returns the fields of a contact who can be asked about medicines.
  private func contact(_ contact: CareContact) -> Markup {
    let role = contact.role.rawValue
    let arguments: MessageArguments = ["role": .text(role)]
    return """
      <div class="field-row">\
      \(FormField(
        "\(role)-name", label: localizer.text("missed-dose-advice.contact-name", arguments),
        value: contact.name, error: errors["\(role)-name"], isRequired: false, maximumLength: 100,
        localizer: localizer))\
      \(FormField(
        "\(role)-phone", label: localizer.text("missed-dose-advice.contact-phone", arguments),
        kind: .telephone, value: contact.phone, error: errors["\(role)-phone"], isRequired: false,
        maximumLength: 40, localizer: localizer))</div>
      """
  }

  private var language: Markup {
    FormField(
      "language", label: text("language"),
      kind: .select(Language.allCases.map { FieldChoice($0.rawValue, $0.nativeName) }),
      value: input.language, hint: text("language-hint"), error: errors["language"],
      localizer: localizer
    ).markup
  }

  private var zone: Markup {
    FormField(
      "zone", label: text("zone"), kind: .select(ZoneChoices.make(zones, including: input.zone)),
      value: input.zone, hint: text("zone-hint"), error: errors["zone"], localizer: localizer
    ).markup
  }

  private var rhythm: Markup {
    let fields = DetailsInput.Moment.allCases.map { moment in
      FormField(
        moment.rawValue,
        label: localizer.text("details.moment", ["moment": .text(moment.rawValue)]), kind: .time,
        value: input.moments[moment] ?? "", error: errors[moment.rawValue], localizer: localizer)
    }
    return "<div class=\"field-row\">\(fields)</div>"
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("details.form.\(name)"))
  }
}
