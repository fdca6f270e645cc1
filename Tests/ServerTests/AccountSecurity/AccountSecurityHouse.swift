// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// An account with a password, and the actions of account security tests.
struct AccountSecurityHouse: Sendable {
  static let password = "correct horse battery"

  let harness: ServerHarness
  let account: Account
  let browser: Browser

  init(_ harness: ServerHarness, _ name: String = "Ann", isAdministrator: Bool = false) async throws
  {
    let hash = try await harness.environment.signIn.hash(
      newPassword: Self.password, rules: PasswordRules(), context: [])
    account = try await Registration(environment: harness.environment).create(
      email: "\(name.lowercased())@example.org", displayName: name, passwordHash: hash,
      isAdministrator: isAdministrator, language: nil, by: "test")
    self.harness = harness
    browser = try await harness.session(of: account)
  }

  /// Posts the sign-in form.
  func signIn(
    _ password: String = AccountSecurityHouse.password, next: String? = nil
  ) async throws -> TestResponse {
    var fields = [("email", account.email), ("password", password)]
    if let next { fields.append(("next", next)) }
    return try await harness.submit("/sign-in", fields)
  }

  /// Sets up an authenticator app through its pages; returns it with the recovery codes.
  func setUpApp() async throws -> (app: OneTimeCode, codes: [String]) {
    let page = try await browser.open("/account/security/codes")
    #expect(page.status == .ok, "\(page.text)")
    let offer = try page.hidden("offer")
    let seed = try #require(
      harness.environment.accounts.openOffer(offer, to: account.id, at: harness.clock.now))
    let app = OneTimeCode(seed: seed)
    let shown = try await browser.post(
      "/account/security/codes", ["offer": offer, "code": app.code(at: harness.clock.now)])
    #expect(shown.status == .ok, "\(shown.text)")
    let codes = shown.text.matches(of: /<strong>([2-9A-Z]{4}(?:-[2-9A-Z]{4}){2})<\/strong>/)
      .map { String($0.1) }
    return (app, codes)
  }
}

extension TestResponse {
  /// Returns the cookie that was set, as a browser sends it back.
  func cookie() throws -> String {
    String(try #require(headers[.setCookie]).prefix { $0 != ";" })
  }

  /// Returns the value of a hidden field.
  func hidden(_ name: String) throws -> String {
    let start = try #require(text.firstRange(of: "name=\"\(name)\" value=\""), "no \(name)")
    return String(text[start.upperBound...].prefix { $0 != "\"" })
  }
}
