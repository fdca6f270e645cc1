// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Localization
import Web

/// The form of a new account, as typed.
struct SignUpInput: Sendable {
  /// The way in which the new account signs in.
  enum Way: String, Sendable {
    case password, passkey
  }

  /// The code of the invitation; empty without one.
  var code = ""
  var name = ""
  var email = ""
  var password = ""
  var way = Way.password
  /// The identifier that the passkey was made for.
  var account: AccountID?
  var passkey: PasskeyRegistration?

  init(code: String, way: Way) {
    self.code = code
    self.way = way
  }

  init(form: FormBody) {
    code = form.text("code") ?? ""
    name = form.text("name") ?? ""
    email = form.text("email") ?? ""
    password = form.raw("password") ?? ""
    way = form.text("way").flatMap(Way.init(rawValue:)) ?? .password
    account = form.text("account").flatMap { $0.utf8.count <= 64 ? AccountID($0) : nil }
    passkey = PasskeyForm.registration(in: form)
  }

  /// The mistakes that can be found without looking up the address.
  var mistakes: [AccountError] {
    var mistakes: [AccountError] = []
    if name.isEmpty { mistakes.append(.nameMissing) }
    if name.count > 100 { mistakes.append(.nameTooLong(maximum: 100)) }
    do throws(AccountError) {
      _ = try SignInName(new: email)
    } catch {
      mistakes.append(error)
    }
    switch way {
    case .password:
      do throws(AccountError) {
        try PasswordRules().check(password, context: [email, name, "regimen"])
      } catch {
        mistakes.append(error)
      }
    case .passkey:
      // Without a name or address, the device has not been asked yet.
      if mistakes.isEmpty, passkey == nil || account == nil {
        mistakes.append(.passkeyRefused(.unreadable))
      }
    }
    return mistakes
  }
}

/// The texts about mistakes in the form of a new account.
enum SignUpText {
  /// Returns the field that a mistake belongs to.
  static func field(_ error: AccountError, _ way: SignUpInput.Way) -> String {
    switch error {
    case .nameMissing, .nameTooLong: "name"
    case .emailMissing, .emailMalformed, .phoneMalformed: "email"
    case .tooManyAttempts, .busy: "name"
    default: way == .password ? "password" : "email"
    }
  }

  static func message(_ error: AccountError, _ localizer: Localizer) -> String {
    switch error {
    case .nameMissing: localizer.text("welcome.name-missing")
    case .nameTooLong(let maximum):
      localizer.text("welcome.name-too-long", ["maximum": .number(maximum)])
    case .emailMissing, .emailMalformed: localizer.text("addresses.wrong")
    case .phoneMalformed: localizer.text("addresses.country")
    case .tooManyAttempts, .busy, .passkeyRefused:
      AccountSecurityText.message(error, localizer)
    default: PasswordText.message(error, localizer)
    }
  }
}
