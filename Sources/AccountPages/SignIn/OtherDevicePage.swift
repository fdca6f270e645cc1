// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Hummingbird
import Localization
import Storage
import Web

/// The page of a device that another one signs in: it has scanned the QR code, shows a number and
/// waits.
package struct OtherDevicePage: Sendable {
  static let path = "/sign-in/device"
  static let secretPrefix = "rgd_"

  /// The state of the sign-in that the page shows.
  enum Step: Sendable {
    /// The QR code was scanned.
    case offered(Secret)
    /// The person compares the number with the one on the other device.
    case waiting(number: Int)
    case confirmed
    /// Declined, used, or expired.
    case over
  }

  let step: Step

  private static func cookieName(_ call: Call) -> String {
    call.isSecure ? "__Host-regimen-device-step" : "regimen-device-step"
  }

  @Sendable static func offer(_ call: Call) async throws -> Response {
    let secret = Secret(text: try call.parameter("secret"))
    let (accounts, now) = (call.environment.accounts, call.now)
    let isOpen = try await call.environment.database.read { reader in
      try accounts.isDeviceSignInOpen(secret, at: now, in: reader)
    }
    return OtherDevicePage(step: isOpen ? .offered(secret) : .over).response(call)
  }

  @Sendable static func claim(_ call: Call) async throws -> Response {
    let secret = Secret(text: try call.parameter("secret"))
    let environment = call.environment
    let claim = Secret(prefix: secretPrefix, random: environment.random)
    let (accounts, now, device) = (environment.accounts, call.now, call.deviceName)
    let isClaimed = try await environment.database.write { writer in
      try accounts.claim(secret, as: claim, device: device, at: now, in: writer)
    }
    guard isClaimed else { return OtherDevicePage(step: .over).response(call) }
    return call.redirect(
      to: path,
      cookies: [
        Cookies.setting(
          cookieName(call), to: claim.text,
          maximumAgeSeconds: DeviceSignIn.lifetime / 1000, isSecure: call.isSecure)
      ])
  }

  @Sendable static func waiting(_ call: Call) async throws -> Response {
    guard let claim = secret(call) else { return OtherDevicePage(step: .over).response(call) }
    let (accounts, now) = (call.environment.accounts, call.now)
    let found = try await call.environment.database.read { reader in
      try accounts.claimed(claim, at: now, in: reader)
    }
    switch found?.state {
    case .claimed: return OtherDevicePage(step: .waiting(number: found?.number ?? 0)).response(call)
    case .confirmed: return OtherDevicePage(step: .confirmed).response(call)
    default: return OtherDevicePage(step: .over).response(call)
    }
  }

  @Sendable static func open(_ call: Call) async throws -> Response {
    guard let claim = secret(call) else { return OtherDevicePage(step: .over).response(call) }
    let environment = call.environment
    let session = Secret(prefix: Secret.sessionPrefix, random: environment.random)
    let (accounts, now, device) = (environment.accounts, call.now, call.deviceName)
    let isOpened = try await environment.database.write { writer in
      try accounts.openSession(session, by: claim, device: device, at: now, in: writer)
    }
    guard isOpened else { return OtherDevicePage(step: .over).response(call) }
    try await SignInRoutes.endReplaced(call, by: session)
    return call.redirect(
      to: "/",
      cookies: [
        SignInRoutes.sessionCookie(session, call),
        Cookies.removing(cookieName(call), isSecure: call.isSecure),
      ])
  }

  private static func secret(_ call: Call) -> Secret? {
    guard let text = call.cookie(cookieName(call)), text.utf8.count < 512 else { return nil }
    return Secret(text: text)
  }

  private func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.other.title")
    var status = HTTPResponse.Status.ok
    if case .over = step { status = .notFound }
    var response = call.page(frame, content(localizer), status: status)
    // Polls again without a script.
    if case .waiting = step { response.headers[.refresh] = "3" }
    return response
  }

  private func content(_ localizer: Localizer) -> Markup {
    let part: Markup =
      switch step {
      case .offered(let secret):
        """
        <p>\(localizer.text("account-security.other.offer"))</p>\
        \(FormButton(
          localizer.text("account-security.other.ask"), action: "\(Self.path)/\(secret.text)",
          token: FormToken("")))
        """
      case .waiting(let number):
        """
        <p>\(localizer.text("account-security.other.compare"))</p>\
        <p class="fingerprint" role="status"><strong>\(String(number))</strong></p>\
        <p class="muted">\(localizer.text("account-security.other.wait"))</p>
        """
      case .confirmed:
        """
        <p role="status">\(localizer.text("account-security.other.confirmed"))</p>\
        \(FormButton(localizer.text("account-security.other.open"), action: Self.path, token: FormToken("")))
        """
      case .over:
        """
        <p>\(localizer.text("account-security.other.over"))</p>\
        \(LinkButton(localizer.text("sign-in.title"), address: "/sign-in"))
        """
      }
    return "<div class=\"narrow stack\">\(part)</div>"
  }
}
