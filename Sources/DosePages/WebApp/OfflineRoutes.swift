// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import SiteMap
import Web

/// The pages that open offline: the choice for a device, and the key with which the service worker
/// encrypts its copies.
package enum OfflineRoutes {
  /// The routes of the choice and the key.
  package static let all: [Route] = [
    .page(.get, Address.offline, page),
    .accountForm(Address.offline, change),
    .page(.get, keyPath, key),
  ]

  static let keyPath = "\(Address.offline)/key"
  /// The addresses of the copied pages: the day, the emergency card, and the form that logs a dose.
  static let kept = ["/", Address.emergencyCard, "/entry"]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let localizer = call.localizer
    let state = OfflineCopies.state(of: call)
    var frame = call.frame()
    frame.title = localizer.text("offline.page.title")
    frame.lead = localizer.text("offline.page.lead")
    frame.place = .me
    frame.back = SettingsPage.reminders.back(localizer)
    if call.queryValue("done") != nil {
      frame.flash = FlashBar(localizer.text("offline.page.done"))
    }
    let days = Int(OfflineCopies.longest / (24 * 3_600_000))
    let button: FormButton? =
      switch state {
      case .on: choice("offline.page.turn-off", "off", call)
      case .off: choice("offline.page.turn-on", "on", call)
      case .shared, .practitioner: nil
      }
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Notice(
        .information, title: localizer.text("offline.page.state", ["state": .text(state.rawValue)])))\
      <p>\(localizer.text("offline.page.sealed", ["days": .number(days)]))</p>\
      <p>\(localizer.text("offline.page.answers"))</p>\
      \(button.map { ButtonRow($0.markup).markup })</div>
      """)
  }

  private static func choice(_ text: MessageKey, _ value: String, _ call: Call) -> FormButton {
    FormButton(
      call.localizer.text(text), action: Address.offline, token: call.accountToken,
      fields: [("keep", value)], kind: .secondary)
  }

  /// Stores the choice in a cookie of the device, which outlives the session.
  private static func change(_ form: PostedForm) async throws -> Response {
    let isSecure = form.call.isSecure
    let cookie: String
    switch form.text("keep") {
    case "on": cookie = Cookies.removing(OfflineCopies.cookie, isSecure: isSecure)
    case "off":
      cookie = Cookies.setting(
        OfflineCopies.cookie, to: OfflineCopies.refusal,
        maximumAgeSeconds: Preferences.lifetimeSeconds, isSecure: isSecure)
    default: throw Failure.badRequest("value", "keep must be on or off.")
    }
    return form.redirect(to: "\(Address.offline)?done=saved", cookies: [cookie])
  }

  /// Returns the key of this session, with the time for which it opens the copies; no key if the
  /// device keeps none.
  private static func key(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    var object: JSONValue = ["account": .string(signedIn.account.id.text)]
    if let keeping = OfflineCopies.keeping(for: call) {
      object["session"] = .string(keeping.mark)
      object["key"] = .string(keeping.key)
      object["lasts"] = .number(JSONNumber(keeping.milliseconds))
    }
    return JSONResponse.make(object)
  }
}
