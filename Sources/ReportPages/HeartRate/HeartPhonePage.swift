// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import Presentation
import SiteMap
import Web

/// The page that explains how a phone sends its values automatically, with the person's own address
/// and token.
struct HeartPhonePage: Sendable {
  let patient: PatientID
  /// The new token, which is shown only this once.
  let token: String?
  /// The tokens with which phones may send for the person, newest first.
  let tokens: [TokenListing]
  let clock: MedicineClock

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("heart-rate.phone.title")
    frame.lead = localizer.text("heart-rate.phone.lead")
    frame.place = .me
    frame.back = SettingsPage.connections.back(localizer)
    let address = "\(call.baseURL)\(Address.vitalsAPI)?patient=\(patient)"
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(if: call.queryValue("done") == "renewed", Notice(
        .success, title: localizer.text("heart-rate.phone.renewed")).markup)\
      \(Section(localizer.text("heart-rate.phone.yours"), """
        <p>\(localizer.text("heart-rate.phone.address"))</p><p><code class="heart-secret">\(address)</code></p>\
        \(tokenPart(call))\(if: !tokens.isEmpty, known(call))
        """))\
      \(Section(localizer.text("heart-rate.phone.iphone"), """
        <ol class="steps" role="list">\(each: Array(1...8), { step in
          "<li>\(localizer.text("heart-rate.phone.step", ["step": .text("s\(step)")]))</li>"
        })</ol><p>\(localizer.text("heart-rate.phone.locked"))</p>
        """))\
      \(Section(localizer.text("heart-rate.phone.apps"), """
        <p>\(localizer.text("heart-rate.phone.apps-help"))</p>
        """))</div>
      """)
  }

  /// Returns the phones' tokens with their expiry dates.
  private func known(_ call: Call) -> Markup {
    let localizer = call.localizer
    return """
      <h3>\(localizer.text("heart-rate.phone.tokens"))</h3><p>\(localizer.text("heart-rate.phone.year"))</p>\
      \(each: tokens, { card($0, call) })\
      \(LinkButton(localizer.text("heart-rate.phone.end"), address: "\(Address.accountSecurity)#tokens"))
      """
  }

  private func card(_ listing: TokenListing, _ call: Call) -> Markup {
    let localizer = call.localizer
    let name = localizer.text("tokens.beginning", ["prefix": .text("\(listing.prefix)…")])
    let end =
      listing.expires.map { end in
        localizer.text("tokens.until", ["time": .text(clock.text(clock.day(of: end), .medium))])
      }
      ?? localizer.text("tokens.endless")
    let used =
      listing.used.map {
        localizer.text("account-security.note.used", ["time": .text(clock.text($0))])
      }
      ?? localizer.text("tokens.unused")
    return """
      <div class="card"><h4 class="card-title">\(name)</h4><p>\(end)</p>\
      <p class="muted">\(used)</p>\(FormButton(
        localizer.text("heart-rate.phone.renew"), action: HeartRateRoutes.phonePath, token: call.formToken,
        fields: [("renew", listing.id.text)], kind: .secondary, object: name))</div>
      """
  }

  private func tokenPart(_ call: Call) -> Markup {
    let localizer = call.localizer
    if let token {
      let header: String = "Bearer \(token)"
      return """
        <p>\(localizer.text("heart-rate.phone.token"))</p>\
        <p><code class="heart-secret">\(header)</code></p>\
        \(Notice(.warning, title: localizer.text("heart-rate.phone.once")))
        """
    }
    return """
      <p>\(localizer.text("heart-rate.phone.no-token"))</p>\
      \(FormButton(
        localizer.text("heart-rate.phone.make"), action: HeartRateRoutes.phonePath, token: call.formToken,
        kind: .secondary, icon: .lock))
      """
  }
}
