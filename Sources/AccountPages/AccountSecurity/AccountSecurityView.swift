// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import Identifiers
import Localization
import Presentation
import Web

/// The page of sign-in methods: second factor, passkeys, password, and active sessions.
struct AccountSecurityView: PagePart {
  let factor: SecondFactorState
  let passkeys: [Passkey]
  let sessions: [SessionListing]
  /// The identifier of the session that opened the page.
  let current: SessionID
  let address: AddressPart
  let needsFactor: Bool
  let words: DoseFormatter
  let token: FormToken

  private var localizer: Localizer { words.localizer }

  var markup: Markup {
    """
    <div class="narrow stack-large">\(need)\(address)\(passkeyPart)\(codePart)\(recoveryPart)\
    \(passwordPart)\(sessionPart)</div>
    """
  }

  private var need: Markup {
    guard needsFactor, !factor.isSetUp else { return Markup() }
    return Notice(
      .warning, title: text("needed"), "<p>\(text("needed-why"))</p>"
    ).markup
  }

  private var passkeyPart: Markup {
    """
    \(Section(text("passkeys"), id: "passkeys", """
      <p>\(text("passkeys-about"))</p>\
      <div class="stack">\(each: passkeys, passkeyCard)</div>\
      \(LinkButton(text("passkey-add"), address: AccountSecurityRoutes.passkeyPath, icon: .plus))
      """))
    """
  }

  private func passkeyCard(_ passkey: Passkey) -> Markup {
    let used =
      passkey.used.map {
        localizer.text("account-security.note.used", ["time": .text(words.moment($0))])
      }
      ?? text("passkey-unused")
    return """
      <div class="card"><h3 class="card-title">\(passkey.name)</h3>\
      <p class="muted">\(localizer.text("account-security.note.added", [
        "time": .text(words.moment(passkey.created)),
      ]))</p><p class="muted">\(used)</p>\
      \(Disclosure(text("passkey-rename"), """
        \(Form(
          action: "\(AccountSecurityRoutes.passkeyPath)/\(passkey.id)", token: token,
          fields: FormField(
            "name", label: text("passkey-name"), value: passkey.name,
            autocomplete: "off", maximumLength: AccountStore.longestPasskeyName,
            localizer: localizer).markup,
          buttons: "\(Button(text("passkey-save"), kind: .secondary, object: passkey.name))"))
        """))\
      \(ButtonRow("""
        \(FormButton(
          text("passkey-remove"), action: "\(AccountSecurityRoutes.passkeyPath)/\(passkey.id)", token: token,
          fields: [("action", "remove")], kind: .quiet, object: passkey.name))
        """))</div>
      """
  }

  private var codePart: Markup {
    let buttons: Markup =
      factor.hasCodeApp
      ? """
      \(LinkButton(text("codes-again"), address: AccountSecurityRoutes.codesPath))\
      \(FormButton(
        text("codes-remove"), action: "/account/security/codes/remove", token: token, kind: .quiet))
      """
      : "\(LinkButton(text("codes-add"), address: AccountSecurityRoutes.codesPath, icon: .plus))"
    return """
      \(Section(text("codes"), id: "codes", """
        <p>\(text("codes-about"))</p>\
        <p><strong>\(text(factor.hasCodeApp ? "codes-on" : "codes-off"))</strong></p>\
        \(ButtonRow(buttons))
        """))
      """
  }

  private var recoveryPart: Markup {
    guard factor.isSetUp else { return Markup() }
    return """
      \(Section(text("recovery"), id: "recovery", """
        <p>\(localizer.text("account-security.recovery.left", ["count": .number(factor.recoveryCodes)]))</p>\
        \(FormButton(
          text("recovery-make"), action: "/account/security/recovery", token: token, kind: .secondary))
        """))
      """
  }

  private var passwordPart: Markup {
    """
    \(Section(text("password"), id: "password", """
      <p>\(text("password-about"))</p>\
      \(LinkButton(text("password-change"), address: AccountSecurityRoutes.passwordPath, icon: .pencil))
      """))
    """
  }

  private var sessionPart: Markup {
    """
    \(Section(text("sessions"), id: "sessions", """
      <p>\(text("sessions-about"))</p>\
      <div class="stack">\(each: sessions, sessionCard)</div>\
      \(FormButton(
        text("let-in"), action: LetInPage.path, token: token, kind: .secondary, icon: .phone))\
      \(ButtonRow("""
        \(FormButton(
          text("sessions-end-others"), action: "/account/security/sessions", token: token,
          fields: [("which", "others")], kind: .secondary))\
        \(FormButton(
          text("sessions-end-all"), action: "/account/security/sessions", token: token,
          fields: [("which", "all")], kind: .danger, icon: .signOut))
        """))
      """))
    """
  }

  private func sessionCard(_ session: SessionListing) -> Markup {
    let name = session.device.isEmpty ? text("session-unknown") : session.device
    let isCurrent = session.id == current
    let this: Markup = "<span class=\"muted\"> (\(text("session-this")))</span>"
    return """
      <div class="card"><h3 class="card-title">\(name)\(if: isCurrent, this)</h3>\
      <p class="muted">\(localizer.text("account-security.note.seen", [
        "time": .text(words.moment(session.seen)),
      ]))</p><p class="muted">\(localizer.text("account-security.note.signed-in", [
        "time": .text(words.moment(session.created)),
      ]))</p><p class="muted">\
      \(localizer.text("account-security.session.kind", ["kind": .text(session.kind.rawValue)]))</p>\
      \(if: !isCurrent, FormButton(
        text("session-end"), action: "/account/security/sessions/\(session.id)", token: token, kind: .quiet,
        object: name).markup)</div>
      """
  }

  private func text(_ name: String) -> String {
    localizer.text(MessageKey("account-security.text.\(name)"))
  }
}
