// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Hummingbird
import Identifiers
import Localization
import People
import SiteMap
import Storage
import Web

/// The page with new recovery codes, which are shown once.
package struct RecoveryCodesPage: Sendable {
  let codes: [RecoveryCode]

  @Sendable static func make(_ form: PostedForm) async throws -> Response {
    let environment = form.call.environment
    let (accounts, account) = (environment.accounts, form.signedIn.account.id)
    let random = environment.random
    let codes = try await form.run { context, writer in
      guard try accounts.secondFactor(of: account, in: writer).isSetUp else {
        return [RecoveryCode]()
      }
      return try accounts.makeRecoveryCodes(
        of: account, random: random, at: context.now, in: writer)
    }
    environment.sessions.forget()
    // Without a second factor, recovery codes have nothing to replace.
    guard !codes.isEmpty else { return form.redirect(to: Address.accountSecurity) }
    return RecoveryCodesPage(codes: codes).response(form.call)
  }

  /// Returns the first codes of an account; none if it already has some.
  static func codesIfNone(
    of account: AccountID, _ accounts: AccountStore, random: RandomBytes, at now: Timestamp,
    in writer: any SQLWriter
  ) throws -> [RecoveryCode] {
    guard try accounts.secondFactor(of: account, in: writer).recoveryCodes == 0 else { return [] }
    return try accounts.makeRecoveryCodes(of: account, random: random, at: now, in: writer)
  }

  func response(_ call: Call) -> Response {
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.recovery.title")
    frame.lead = localizer.text("account-security.recovery.lead")
    frame.place = .me
    frame.back = .init(localizer.text("account-security.title"), address: Address.accountSecurity)
    return call.page(
      frame,
      """
      <div class="narrow stack">\
      \(Notice(.warning, title: localizer.text("account-security.recovery.once")))\
      <ol class="steps fingerprint" role="list" translate="no">\
      \(each: codes, { "<li><strong>\($0.text)</strong></li>" })</ol>\
      <p>\(localizer.text("account-security.recovery.how"))</p>\
      \(LinkButton(
        localizer.text("account-security.recovery.done"), address: Address.accountSecurity, kind: .primary))</div>
      """)
  }
}
