// SPDX-License-Identifier: Apache-2.0

import HTML
import Hummingbird
import Localization
import SiteMap
import TimeZones
import Web

/// The page on which a new account confirms its language, time zone and text size.
struct StartPage: Sendable {
  let input: StartInput
  /// False if there are medicines, whose doses another zone would move.
  let asksZone: Bool
  /// True if the account was made with a passkey and has no recovery codes yet.
  let lacksRecoveryCodes: Bool
  var isZoneUnknown = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("start.title")
    frame.lead = localizer.text("start.lead")
    frame.hasErrors = isZoneUnknown
    let message = isZoneUnknown ? localizer.text("welcome.zone-unknown") : nil
    let errors = message.map { [FieldError(field: "zone", message: $0)] } ?? []
    let content: Markup = """
      <div class="narrow stack">\(ErrorSummary(errors, localizer: localizer))\
      \(if: lacksRecoveryCodes, recovery(localizer))\
      \(Form(
        action: Address.start, token: call.accountToken,
        fields: fields(message, call),
        buttons: "\(Button(localizer.text("start.save"), icon: .check))"))</div>
      """
    return call.page(frame, content, status: isZoneUnknown ? .unprocessableContent : .ok)
  }

  private func recovery(_ localizer: Localizer) -> Markup {
    let link = LinkButton(
      localizer.text("start.recovery-link"), address: "\(Address.accountSecurity)#recovery",
      icon: .lock)
    return Notice(
      .warning, title: localizer.text("start.recovery"),
      "<p>\(localizer.text("start.recovery-help"))</p>\(link)"
    ).markup
  }

  private func fields(_ message: String?, _ call: Call) -> Markup {
    let localizer = call.localizer
    let zones = ZoneChoices.make(call.environment.zones.identifiers, including: input.zone)
    return """
      \(if: input.hasJoined, "<input type=\"hidden\" name=\"joined\" value=\"yes\">")\
      \(FormField(
        "language", label: localizer.text("welcome.language"),
        kind: .select(Language.allCases.map { FieldChoice($0.rawValue, $0.nativeName) }),
        value: input.language.rawValue, localizer: localizer))\
      \(if: asksZone, """
        \(if: !isZoneUnknown, "<span hidden data-local-zone></span>")\
        \(FormField(
          "zone", label: localizer.text("welcome.zone"), kind: .select(zones), value: input.zone,
          hint: localizer.text("welcome.zone-hint"), error: message, localizer: localizer))
        """)\
      \(TextSizeField.field(input.textSize, localizer))
      """
  }
}

/// The question about the text size, and the cookie that stores the answer on this device.
enum TextSizeField {
  static let name = "text-size"

  static func field(_ size: TextSize, _ localizer: Localizer) -> FormField {
    FormField(
      name, label: localizer.text("parts.display.text-size"),
      kind: .radios(
        TextSize.allCases.map { size in
          FieldChoice(
            String(size.rawValue),
            localizer.text("parts.display.percent", ["number": .number(size.rawValue)]))
        }, isCompact: true),
      value: String(size.rawValue), hint: localizer.text("start.text-size-hint"),
      localizer: localizer)
  }

  /// Returns the size that was chosen; nil if the form names none.
  static func size(in form: FormBody) -> TextSize? {
    form.text(name).flatMap { Int($0) }.flatMap(TextSize.init(rawValue:))
  }

  static func cookie(_ size: TextSize, isSecure: Bool) -> String {
    Cookies.setting(
      Preferences.textSizeCookie, to: String(size.rawValue),
      maximumAgeSeconds: Preferences.lifetimeSeconds, isSecure: isSecure)
  }
}

/// The page that asks whom the account is for, and opens the page where that person starts.
enum WhoPage {
  static func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("start.who.title")
    frame.lead = localizer.text("start.who.lead")
    let places = [
      PlaceList.Place(
        localizer.text("start.who.me"), address: "/", icon: .pill,
        hint: localizer.text("start.who.me-hint")),
      PlaceList.Place(
        localizer.text("start.who.child"), address: "\(NewPerson.path)?for=child", icon: .person,
        hint: localizer.text("start.who.child-hint")),
      PlaceList.Place(
        localizer.text("start.who.other"), address: "\(NewPerson.path)?for=other", icon: .people,
        hint: localizer.text("start.who.other-hint")),
      PlaceList.Place(
        localizer.text("start.who.professional"), address: Address.careTeam, icon: .list,
        hint: localizer.text("start.who.professional-hint")),
    ]
    return call.page(frame, "<div class=\"narrow stack\">\(PlaceList(places))</div>")
  }
}
