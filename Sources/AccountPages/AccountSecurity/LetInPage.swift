// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Localization
import People
import SiteMap
import Storage
import Web

/// The page of a signed-in device that signs in another one: it shows a QR code, then asks whether
/// the numbers on both devices match.
package struct LetInPage: Sendable {
  static let path = "/account/security/device"

  let sign: DeviceSignIn
  let secret: Secret

  @Sendable static func start(_ form: PostedForm) async throws -> Response {
    let environment = form.call.environment
    let secret = Secret(prefix: OtherDevicePage.secretPrefix, random: environment.random)
    let number = 10 + environment.random(2).reduce(0) { $0 << 8 | Int($1) } % 90
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    let id = try await form.run { context, writer in
      try accounts.startDeviceSignIn(
        secret, number: number, for: account, at: context.now, in: writer)
    }
    return form.redirect(to: "\(path)/\(id)")
  }

  @Sendable static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let id = try call.parameter("link")
    let (accounts, account, now) = (call.environment.accounts, signedIn.account.id, call.now)
    let found = try await call.environment.database.read { reader in
      try accounts.deviceSignIn(id: id, of: account, at: now, in: reader)
    }
    guard let (sign, secret) = found else { throw Failure.notFound }
    switch sign.state {
    case .open, .claimed: return LetInPage(sign: sign, secret: secret).response(call)
    case .confirmed, .used: return call.redirect(to: AccountSecurityNote.letIn.address)
    case .declined: return call.redirect(to: AccountSecurityNote.declined.address)
    }
  }

  @Sendable static func decide(_ form: PostedForm) async throws -> Response {
    let id = try form.parameter("link")
    let isAllowed = form.text("action") == "allow"
    let (accounts, account) = (form.call.environment.accounts, form.signedIn.account.id)
    try await form.run { context, writer in
      guard
        try accounts.decide(
          deviceSignIn: id, of: account, isAllowed: isAllowed, at: context.now, in: writer)
      else { throw Failure.notFound }
    }
    let note: AccountSecurityNote = isAllowed ? .letIn : .declined
    return form.redirect(to: note.address)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.let-in.title")
    frame.place = .me
    frame.back = .init(localizer.text("account-security.title"), address: Address.accountSecurity)
    var response = call.page(frame, content(call, localizer))
    // Polls for the other device without a script.
    if sign.state == .open { response.headers[.refresh] = "3" }
    return response
  }

  private func content(_ call: Call, _ localizer: Localizer) -> Markup {
    guard sign.state == .claimed else {
      let address = "\(call.baseURL)\(OtherDevicePage.path)/\(secret.text)"
      return """
        <div class="narrow stack"><p>\(localizer.text("account-security.let-in.scan"))</p>\
        \(LinkPicture(address, label: localizer.text("account-security.let-in.picture")))\
        <p class="muted">\(localizer.text("account-security.let-in.warning"))</p></div>
        """
    }
    let device =
      sign.device.isEmpty
      ? localizer.text("account-security.text.session-unknown") : sign.device
    return """
      <div class="narrow stack">\
      <p>\(localizer.text("account-security.let-in.compare", ["device": .text(device)]))</p>\
      <p class="fingerprint" role="status"><strong>\(String(sign.number))</strong></p>\
      \(ButtonRow("""
        \(FormButton(
          localizer.text("account-security.let-in.allow"), action: "\(Self.path)/\(sign.id)",
          token: call.accountToken, fields: [("action", "allow")], icon: .check))\
        \(FormButton(
          localizer.text("account-security.let-in.decline"), action: "\(Self.path)/\(sign.id)",
          token: call.accountToken, fields: [("action", "decline")], kind: .danger,
          icon: .crossInCircle))
        """))</div>
      """
  }
}
