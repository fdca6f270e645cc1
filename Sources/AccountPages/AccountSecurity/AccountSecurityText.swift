// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTML
import HTTPTypes
import Localization
import Web

/// The texts for mistakes, and the fields that several pages of account security share.
enum AccountSecurityText {
  static func message(_ error: AccountError, _ localizer: Localizer) -> String {
    switch error {
    case .tooManyAttempts(let seconds):
      localizer.text("sign-in.too-many", ["minutes": .number((seconds + 59) / 60)])
    case .busy: localizer.text("sign-in.busy")
    case .passkeyRefused(.alreadyKnown): localizer.text("account-security.passkey.known")
    case .passkeyRefused: localizer.text("account-security.passkey.refused")
    case .nameMissing: localizer.text("account-security.passkey.name-missing")
    case .passkeyNameTooLong(let maximum):
      localizer.text("welcome.name-too-long", ["maximum": .number(maximum)])
    case .tooManyPasskeys(let maximum):
      localizer.text("account-security.passkey.too-many", ["maximum": .number(maximum)])
    case .signInOutdated: localizer.text("account-security.second.outdated")
    default: localizer.text("account-security.prove.wrong")
    }
  }

  static func status(_ error: AccountError?) -> HTTPResponse.Status {
    switch error {
    case nil: .ok
    case .tooManyAttempts, .busy: .tooManyRequests
    default: .unprocessableContent
    }
  }

  /// Returns the field for an authenticator code or a recovery code.
  static func codeField(_ factor: SecondFactorState, _ localizer: Localizer) -> FormField {
    FormField(
      "code", label: localizer.text("account-security.second.code"),
      hint: localizer.text(
        "account-security.second.hint", ["app": .text(factor.hasCodeApp ? "yes" : "no")]),
      autocomplete: "one-time-code", maximumLength: 40, localizer: localizer)
  }
}
