// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import People
import Presentation
import SiteMap
import TimeZones
import Web

/// The page of a person's own details.
struct DetailsPage: Sendable {
  let input: DetailsInput
  /// The version of the Patient that the form was filled from.
  let version: Int64
  var mistakes: [DetailsInput.Mistake] = []
  /// True if someone changed the details after the form was opened.
  var isOutdated = false
  /// The change just made; nil if there was none.
  var done: Done?
  /// The effects of saving, one sentence each.
  var effects: [String] = []
  /// The doses that saving would move.
  var trial: DetailsTrial?
  /// Allergies, weights and the photo; left out while the form itself has something to mend.
  var care: HealthProfilePart?

  /// The change that the page confirms.
  enum Done: String, Sendable {
    case saved, removed
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("details.title")
    frame.lead = localizer.text("details.lead")
    if let person = call.person, !person.isOwn {
      frame.title = localizer.text("people.details-of", ["name": .text(person.calledName)])
      frame.lead = nil
    }
    frame.place = .details
    frame.hasErrors = status != .ok
    switch done {
    case .saved: frame.flash = FlashBar(localizer.text("details.saved"))
    case .removed: frame.flash = FlashBar(localizer.text("health-profile.removed"))
    case nil: break
    }
    return call.page(frame, content(call), status: status)
  }

  private var status: HTTPResponse.Status {
    if isOutdated { return .conflict }
    if care?.input.mistake == .photo(.tooLarge) { return .contentTooLarge }
    return mistakes.isEmpty && care?.input.mistake == nil ? .ok : .unprocessableContent
  }

  private func places(_ call: Call) -> [PlaceList.Place] {
    let localizer = call.localizer
    var places: [PlaceList.Place] = [
      .conversations(call),
      .init(localizer.text("device.title"), address: "/device", icon: .phone),
      .init(localizer.text("escalation.title"), address: Address.escalation, icon: .bell),
      .init(localizer.text("ring.title-armed"), address: "/ring", icon: .clock),
      .init(localizer.text("simple.link"), address: Address.simpleView, icon: .sun),
      .init(localizer.text("heart-rate.title"), address: Address.heartRate, icon: .heart),
      .init(localizer.text("people.title"), address: Address.people, icon: .person),
      .init(
        localizer.text("caregiver-messages.title"), address: Address.caregiverMessages, icon: .bell),
      .init(
        localizer.text("emergency-card.title"), address: Address.emergencyCard, icon: .warning),
      .init(localizer.text("privacy.title"), address: Address.privacy, icon: .list),
      .init(localizer.text("calendar.feed.title"), address: Address.calendar, icon: .calendar),
      .init(
        localizer.text("account-security.title"), address: Address.accountSecurity, icon: .lock),
    ]
    if !call.environment.providers.all.isEmpty { places.append(IdentitiesPage.place(localizer)) }
    return places
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    let summary =
      mistakes.map { FieldError(field: $0.field, message: $0.message(localizer)) }
      + [care?.input.mistake].compactMap(\.self).map {
        FieldError(field: $0.field, message: $0.text(localizer))
      }
    return """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(notices(localizer))\
      \(PlaceList(places(call)))\
      \(Form(
        action: "/details", token: call.formToken,
        fields: """
          <input type="hidden" name="version" value="\(version)">\
          \(trial?.seen)\(trial.map { DetailsTrialCard(trial: $0, localizer: localizer) })\
          \(DetailsFields(
            input: input, errors: messages(localizer), zones: call.environment.zones.identifiers,
            localizer: localizer, asksForLabel: call.people.count > 1))
          """,
        buttons: """
          \(Button(
            localizer.text("details.save"), icon: .check, person: call.formToken.personName))\
          \(Button(
            localizer.text("details.preview"), kind: .secondary, icon: .calendar, name: "preview",
            value: "yes", person: call.formToken.personName))
          """))\(care)</div>
      """
  }

  private func notices(_ localizer: Localizer) -> Markup {
    """
    \(if: !effects.isEmpty, Notice(
      .information, title: localizer.text("details.effects"),
      "<ul>\(each: effects, { "<li>\($0)</li>" })</ul>").markup)\
    \(if: isOutdated, Notice(
      .warning, title: localizer.text("details.outdated"),
      "<p>\(localizer.text("details.outdated-help"))</p>").markup)
    """
  }

  /// The first message of each field.
  private func messages(_ localizer: Localizer) -> [String: String] {
    Dictionary(
      mistakes.map { ($0.field, $0.message(localizer)) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// The questions about a person.
struct DetailsFields: PagePart {
  let input: DetailsInput
  /// Messages by the name of the field.
  let errors: [String: String]
  let zones: [String]
  let localizer: Localizer
  var asksForLabel = false

  var markup: Markup {
    """
    \(FieldGroup(text("section-you"), you))\
    \(if: asksForLabel, label)\
    \(FieldGroup(text("section-contact"), contact))\
    <div id="contacts">\(FieldGroup(
      localizer.text("missed-dose-advice.contacts"), hint: localizer.text("missed-dose-advice.contacts-hint"),
      "\(asked(input.practitioner))\(asked(input.pharmacy))"))</div>\
    \(FieldGroup(text("section-place"), place))\
    \(FieldGroup(text("section-rhythm"), hint: text("rhythm-hint"), rhythm))
    """
  }

  private var you: Markup {
    """
    <div class="field-row">\
    \(FormField(
      "given-name", label: text("given-name"), value: input.givenName,
      error: errors["given-name"], autocomplete: "given-name", maximumLength: 100,
      localizer: localizer))\
    \(FormField(
      "family-name", label: text("family-name"), value: input.familyName,
      error: errors["family-name"], isRequired: false, autocomplete: "family-name",
      maximumLength: 100, localizer: localizer))</div>\
    \(FormField(
      "birth-date", label: text("birth-date"), kind: .date(), value: input.birthDate,
      error: errors["birth-date"], isRequired: false, autocomplete: "bday", localizer: localizer))
    """
  }

  private var label: Markup {
    LabelFields(
      input: input.label ?? LabelInput(PersonLabel()), errors: errors, localizer: localizer
    ).markup
  }

  private var contact: Markup {
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

  /// Returns a contact who can be asked about medicines.
  private func asked(_ contact: CareContact) -> Markup {
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

  private var place: Markup {
    """
    \(FormField(
      "language", label: text("language"),
      kind: .select(Language.allCases.map { FieldChoice($0.rawValue, $0.nativeName) }),
      value: input.language, hint: text("language-hint"), error: errors["language"],
      localizer: localizer))\
    \(FormField(
      "zone", label: text("zone"), kind: .select(ZoneChoices.make(zones, including: input.zone)),
      value: input.zone, hint: text("zone-hint"), error: errors["zone"], localizer: localizer))\
    \(LinkButton(
      localizer.text("travel.title"), address: Address.travel, kind: .quiet, icon: .clock))
    """
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
