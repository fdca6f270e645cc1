// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTML
import Localization
import Web

/// A form that asks the device for a passkey; a script fills in the signature.
struct PasskeyForm: PagePart {
  let action: String
  let token: FormToken
  let challenge: String
  let party: RelyingParty
  let label: String
  var fields = Markup()
  var kind = ButtonKind.primary
  let localizer: Localizer

  /// The form, hidden until a script shows it.
  var markup: Markup {
    """
    <form class="form" method="post" action="\(action)" data-passkey="get" \
    data-challenge="\(challenge)" data-party="\(party.id)" novalidate hidden>\(token)\(fields)\
    \(each: Self.names, { "<input type=\"hidden\" name=\"\($0)\" value=\"\">" })\
    \(PasskeyForm.trouble(localizer))\
    \(ButtonRow("\(Button(label, kind: kind, icon: .lock))"))</form>
    """
  }

  /// Returns the hidden message that a script shows if the device did not sign.
  static func trouble(_ localizer: Localizer) -> Markup {
    """
    <p class="field-error" role="alert" data-trouble hidden>\
    \(localizer.text("account-security.passkey.stopped"))</p>
    """
  }

  private static let names = [
    "credential", "client-data", "authenticator-data", "signature", "user-handle",
  ]

  /// Returns the signature of a device; nil if the form has none.
  static func assertion(in form: FormBody) -> PasskeyAssertion? {
    guard let credential = bytes("credential", form), !credential.isEmpty,
      let clientData = bytes("client-data", form),
      let authenticatorData = bytes("authenticator-data", form),
      let signature = bytes("signature", form), let handle = bytes("user-handle", form)
    else { return nil }
    return PasskeyAssertion(
      credential: credential, clientData: clientData, authenticatorData: authenticatorData,
      signature: signature, userHandle: handle)
  }

  /// Returns the new passkey of a device; nil if the form has none.
  static func registration(in form: FormBody) -> PasskeyRegistration? {
    guard let clientData = bytes("client-data", form), !clientData.isEmpty,
      let attestation = bytes("attestation", form)
    else { return nil }
    return PasskeyRegistration(clientData: clientData, attestation: attestation)
  }

  private static func bytes(_ name: String, _ form: FormBody) -> [UInt8]? {
    Base64URL.decode(form.raw(name) ?? "")
  }
}

extension Call {
  /// Returns a new challenge for a page.
  func challenge(for act: PasskeyChallenge.Act) -> String {
    environment.accounts.challenge(for: act, random: environment.random, at: now)
  }
}
