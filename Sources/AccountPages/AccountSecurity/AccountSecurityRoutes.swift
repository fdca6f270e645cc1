// SPDX-License-Identifier: Apache-2.0

import Accounts
import Hummingbird
import Localization
import People
import Presentation
import SiteMap
import Storage
import Web

/// The pages of account security: second factor, passkeys, password, sessions, programs and the
/// sign-in address, and the page that asks for a new proof of identity.
package enum AccountSecurityRoutes {
  /// The routes; those that add or change a way to sign in require a recent proof of identity.
  package static let all: [Route] =
    [
      .page(.get, Address.accountSecurity, overview).whileSettingUp(),
      .page(.get, Address.proof, ProvePage.form).whileSettingUp(),
      .accountForm(Address.proof, ProvePage.submit).whileSettingUp(),
      .page(.get, codesPath, CodeAppPage.form).after(.recent).whileSettingUp(),
      .accountForm(codesPath, CodeAppPage.submit).after(.recent, from: codesPath).whileSettingUp(),
      .accountForm("/account/security/codes/remove", CodeAppPage.remove)
        .after(.recent, from: Address.accountSecurity),
      .accountForm("/account/security/recovery", RecoveryCodesPage.make)
        .after(.recent, from: Address.accountSecurity),
      .page(.get, passkeyPath, NewPasskeyPage.form).after(.recent).whileSettingUp(),
      .accountForm(passkeyPath, NewPasskeyPage.submit).after(.recent, from: passkeyPath)
        .whileSettingUp(),
      .accountForm("/account/security/passkeys/:passkey", PasskeyChanges.submit)
        .after(.recent, from: Address.accountSecurity),
      .page(.get, passwordPath, PasswordPage.form).after(.recent),
      .accountForm(passwordPath, PasswordPage.submit).after(.recent, from: passwordPath),
      .accountForm("/account/security/sessions/:session", SessionChanges.end),
      .accountForm("/account/security/sessions", SessionChanges.endAll),
      .page(.get, AddressPage.path, AddressPage.form).after(.recent),
      .accountForm(AddressPage.path, AddressPage.submit).after(.recent, from: AddressPage.path),
      .accountForm(AddressPage.checkPath, AddressPage.check),
      .page(.get, AddressCodePage.path, AddressCodePage.form),
      .accountForm(AddressCodePage.path, AddressCodePage.submit),
      .open(.get, "\(AddressProofPage.path)/:secret", AddressProofPage.form),
      .open(.post, "\(AddressProofPage.path)/:secret", AddressProofPage.submit),
      .page(.get, Address.programs, ProgramsPage.show),
      .page(.get, TokenPages.path, TokenPages.form).after(.recent),
      .accountForm(TokenPages.path, TokenPages.make).after(.recent, from: TokenPages.path),
      .accountForm("\(TokenPages.path)/:token", TokenPages.end),
      .accountForm(LetInPage.path, LetInPage.start).after(.recent, from: Address.accountSecurity),
      .page(.get, "/account/security/device/:link", LetInPage.show),
      .accountForm("/account/security/device/:link", LetInPage.decide)
        .after(.recent, from: Address.accountSecurity),
    ]

  static let codesPath = "/account/security/codes"
  static let passkeyPath = "/account/security/passkeys"
  static let passwordPath = "/account/security/password"

  private static func overview(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let environment = call.environment
    let (accounts, account, now) = (environment.accounts, signedIn.account, call.now)
    let view = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(account.patient, zones: environment.zones, in: reader)
      let words = DoseFormatter(localizer: call.localizer, zone: zone, now: now)
      return AccountSecurityView(
        factor: try accounts.secondFactor(of: account.id, in: reader),
        passkeys: try accounts.passkeys(of: account.id, in: reader),
        sessions: try accounts.sessions(of: account.id, at: now, in: reader),
        current: signedIn.credential,
        address: AddressPart(
          account: account, proved: try accounts.addressProved(of: account.id, in: reader),
          canReach: (try? SignInName(account.email)).map(environment.channels.reaches) ?? false,
          words: words, token: call.accountToken),
        needsFactor: signedIn.session?.needsSecondFactor ?? false,
        words: words,
        token: call.accountToken)
    }
    let localizer = call.localizer
    var frame = call.frame()
    frame.title = localizer.text("account-security.title")
    frame.lead = localizer.text("account-security.lead")
    frame.place = .me
    frame.back = SettingsPage.account.back(localizer)
    frame.flash = call.queryValue("done").flatMap(AccountSecurityNote.init(rawValue:))
      .map { FlashBar($0.text(localizer)) }
    if let note = call.queryValue("address").flatMap(AddressNote.init(rawValue:)) {
      frame.flash = FlashBar(note.text(localizer))
    }
    return call.page(frame, view.markup)
  }
}

/// The message about the action just taken.
enum AccountSecurityNote: String, Sendable {
  case codes, codesRemoved, passkey, passkeyRenamed, passkeyRemoved, password, ended, endedAll
  case factorNeeded, passwordShort, letIn, declined

  var address: String { "\(Address.accountSecurity)?done=\(rawValue)" }

  func text(_ localizer: Localizer) -> String {
    localizer.text("account-security.done", ["done": .text(rawValue)])
  }
}
