// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes

extension AccountError: FailureConvertible {
  /// The failure of a command on an account.
  package var failure: Failure {
    switch self {
    case .signInOutdated:
      Failure(
        .unauthorized, code: "login", detail: "The sign-in took too long. Begin again.")
    case .passkeyRefused(let fault):
      Failure(
        .unauthorized, code: "login", detail: "The passkey was refused: \(fault.rawValue).")
    case .passkeyNameTooLong(let maximum):
      .unprocessable("value", "The name is longer than \(maximum) characters.")
    case .tooManyPasskeys(let maximum):
      Failure(.conflict, code: "conflict", detail: "An account has \(maximum) passkeys at most.")
    case .tokenLifetime(let maximum):
      .unprocessable("value", "A token is good for 1 to \(maximum) days.")
    case .signInRefused:
      Failure(
        .unauthorized, code: "login", detail: "The e-mail address or the password is wrong.")
    case .tooManyAttempts(let seconds):
      Failure(
        .tooManyRequests, code: "throttled", detail: "Too many attempts. Try again later.",
        headers: [.retryAfter: String(seconds)])
    case .busy:
      Failure(
        .tooManyRequests, code: "throttled", detail: "Many people are signing in. Try again.",
        headers: [.retryAfter: "5"])
    case .emailTaken:
      Failure(
        .conflict, code: "conflict", detail: "This address or number has an account already.")
    case .unknownAccount:
      Failure(.notFound, code: "not-found", detail: "No account has this e-mail address.")
    case .unknownScope(let scope): Self.unknown(scope)
    case .invitationUnknown: .notFound
    case .phoneMalformed:
      .unprocessable(
        "value", "A phone number begins with + and the country and has 8 to 15 digits.")
    case .emailMissing: .unprocessable("required", "An e-mail address is needed.")
    case .emailMalformed: .unprocessable("value", "This is not an e-mail address.")
    case .nameMissing: .unprocessable("required", "A name is needed.")
    case .nameTooLong(let maximum):
      .unprocessable("value", "The name is longer than \(maximum) characters.")
    case .passwordTooShort(let minimum):
      .unprocessable("value", "The password needs at least \(minimum) characters.")
    case .passwordTooLong(let maximum):
      .unprocessable("value", "The password is longer than \(maximum) characters.")
    case .passwordCommon:
      .unprocessable("value", "This password is too easy to guess.")
    case .passwordContainsContext:
      .unprocessable("value", "The password is little more than a name: add to it.")
    }
  }

  private static func unknown(_ scope: String) -> Failure {
    let known = TokenScope.allCases.map(\.rawValue).joined(separator: ", ")
    return .unprocessable("value", "Unknown scope \(scope). Known are: \(known).")
  }
}

extension GrantError: FailureConvertible {
  /// The failure of a command on grants.
  ///
  /// Pages explain refusals in their own words; for programs, an unknown grant and a wrong code are
  /// both "not found".
  package var failure: Failure {
    switch self {
    case .notFound, .codeRefused: .notFound
    default: Failure(.conflict, code: "conflict", detail: "This cannot be shared so.")
    }
  }
}

extension EmergencyError: FailureConvertible {
  /// The failure of emergency access.
  package var failure: Failure {
    self == .notFound
      ? Failure(.notFound, code: "not-found", detail: "This account is no practitioner's.")
      : Failure(.conflict, code: "conflict", detail: "This cannot be opened or confirmed so.")
  }
}

extension IdentityError: FailureConvertible {
  /// The failure of a change to the linked accounts at sign-in providers.
  package var failure: Failure {
    self == .notFound
      ? .notFound
      : Failure(.conflict, code: "conflict", detail: "This way to sign in cannot be changed so.")
  }
}
