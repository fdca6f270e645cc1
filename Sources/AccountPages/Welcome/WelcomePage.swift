// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import Presentation
import TimeZones
import Web

/// The page of the first visit.
struct WelcomePage: Sendable {
  let input: WelcomeInput
  var errors: [WelcomeInput.Mistake] = []

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("welcome.title")
    frame.lead = localizer.text("welcome.lead")
    frame.hasErrors = !errors.isEmpty
    let summary = errors.map { FieldError(field: $0.field, message: $0.message(localizer)) }
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(Form(
        action: "/welcome", token: FormToken(""),
        fields: fields(localizer, zones: call.environment.zones.identifiers),
        buttons: "\(Button(localizer.text("welcome.submit")))"))</div>
      """
    return call.page(frame, content, status: errors.isEmpty ? .ok : .unprocessableContent)
  }

  private func fields(_ localizer: Localizer, zones: [String]) -> Markup {
    """
    \(FormField(
      "code", label: localizer.text("welcome.code"), value: input.code,
      hint: localizer.text("welcome.code-hint"), error: message("code", localizer),
      autocomplete: "one-time-code", maximumLength: 40, localizer: localizer))\
    \(FormField(
      "name", label: localizer.text("welcome.name"), value: input.name,
      hint: localizer.text("welcome.name-hint"), error: message("name", localizer),
      autocomplete: "name", maximumLength: 100, localizer: localizer))\
    \(FormField(
      "email", label: localizer.text("addresses.sign-in"), kind: .email, value: input.email,
      hint: localizer.text("addresses.hint"), error: message("email", localizer), autocomplete: "username", localizer: localizer))\
    \(PasswordText.field(error: message("password", localizer), localizer))\
    \(FormField(
      "language", label: localizer.text("welcome.language"),
      kind: .select(Language.allCases.map { FieldChoice($0.rawValue, $0.nativeName) }),
      value: input.language.rawValue, localizer: localizer))\
    \(if: errors.isEmpty, "<span hidden data-local-zone></span>")\(FormField(
      "zone", label: localizer.text("welcome.zone"),
      kind: .select(ZoneChoices.make(zones, including: input.zone)), value: input.zone,
      hint: localizer.text("welcome.zone-hint"), error: message("zone", localizer),
      localizer: localizer))\
    \(EmergencyRegionField.field(
      input.country ?? "", error: message(EmergencyRegionField.name, localizer), localizer))\
    \(TextSizeField.field(input.textSize, localizer))
    """
  }

  private func message(_ field: String, _ localizer: Localizer) -> String? {
    errors.first { $0.field == field }?.message(localizer)
  }
}
