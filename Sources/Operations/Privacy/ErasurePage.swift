// SPDX-License-Identifier: Apache-2.0

import HTML
import HTTPTypes
import Hummingbird
import Localization
import SiteMap
import Web

/// The page on which a person erases everything, after typing their name as confirmation.
struct ErasurePage: Sendable {
  /// The name to type.
  let name: String
  var obstacle: ErasureObstacle?
  /// True if something other than the name was typed.
  var isMistaken = false

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("privacy.erase.title")
    frame.place = .me
    frame.back = PageFrame.BackLink(localizer.text("privacy.title"), address: Address.privacy)
    frame.hasErrors = isMistaken
    let status: HTTPResponse.Status =
      obstacle != nil ? .conflict : isMistaken ? .unprocessableContent : .ok
    return call.page(frame, content(call), status: status)
  }

  private func content(_ call: Call) -> Markup {
    let localizer = call.localizer
    if let obstacle { return self.obstacle(obstacle, localizer) }
    let mistake = localizer.text("privacy.erase.mistake")
    let summary = isMistaken ? [FieldError(field: "name", message: mistake)] : []
    return """
      <div class="narrow stack">\(ErrorSummary(summary, localizer: localizer))\
      \(Notice(
        .warning, title: localizer.text("privacy.erase.warning"),
        """
        <ul><li>\(localizer.text("privacy.erase.goes"))</li>\
        <li>\(localizer.text("privacy.erase.stays"))</li>\
        <li>\(localizer.text("privacy.erase.backups"))</li></ul>
        """))\
      <p>\(localizer.text("privacy.erase.copy"))</p>\
      \(Form(
        action: PrivacyRoutes.erasePath, token: call.formToken,
        fields: FormField(
          "name", label: localizer.text("privacy.erase.name", ["name": .text(name)]),
          hint: localizer.text("privacy.erase.name-hint"), error: isMistaken ? mistake : nil,
          autocomplete: "off", maximumLength: 250, localizer: localizer
        ).markup,
        buttons: """
          \(Button(
            localizer.text("privacy.erase.submit"), kind: .danger,
            person: call.formToken.personName))\
          \(LinkButton(
            localizer.text("privacy.erase.cancel"), address: Address.privacy, kind: .quiet))
          """))</div>
      """
  }

  private func obstacle(_ obstacle: ErasureObstacle, _ localizer: Localizer) -> Markup {
    let text =
      switch obstacle {
      case .onlyGuardian(let count):
        localizer.text("privacy.erase.only-guardian", ["count": .number(count)])
      case .onlyAdministrator: localizer.text("privacy.erase.only-administrator")
      case .otherGuardian: localizer.text("privacy.erase.other-guardian", ["name": .text(name)])
      }
    return """
      <div class="narrow stack">\(Notice(
        .warning, title: localizer.text("privacy.erase.refused"), "<p>\(text)</p>"))</div>
      """
  }
}

/// The confirmation that everything is erased, for a browser that is no longer signed in.
struct ErasedPage: Sendable {
  /// The cookie that tells the next page once which account was erased, so that it clears the
  /// account's data on the device.
  static let cookie = "regimen-erased"

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("privacy.erased.title")
    let erased = call.cookie(Self.cookie)
    if call.signedIn == nil, let erased {
      frame.isSignedOut = true
      frame.erased = erased
    }
    var response = call.page(
      frame, "<div class=\"narrow stack\"><p>\(localizer.text("privacy.erased.text"))</p></div>")
    if erased != nil {
      response.headers.append(
        HTTPField(name: .setCookie, value: Cookies.removing(Self.cookie, isSecure: call.isSecure)))
    }
    return response
  }
}
