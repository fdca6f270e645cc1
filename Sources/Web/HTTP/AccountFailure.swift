// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes

extension AccountError: FailureConvertible {
  /// The failure of a command on an account.
  package var failure: Failure {
    switch self {
    case .signInOutdated:
      Failure(
        .unauthorized, code: "login", detail: "The sign-in took too long. Start again.")
    case .passkeyRefused(let fault):
      Failure(
        .unauthorized, code: "login",
        detail: "The passkey was refused: \(fault.rawValue). Try again, or sign in another way.")
    case .passkeyNameTooLong(let maximum):
      .unprocessable("value", "The name may have at most \(maximum) characters.")
    case .tooManyPasskeys(let maximum):
      Failure(
        .conflict, code: "conflict",
        detail: "An account can have \(maximum) passkeys. Remove one first.")
    case .tokenLifetime(let maximum):
      .unprocessable("value", "days must be from 1 to \(maximum).")
    case .signInRefused:
      Failure(
        .unauthorized, code: "login", detail: "The e-mail address or password is wrong.")
    case .tooManyAttempts(let seconds):
      Failure(
        .tooManyRequests, code: "throttled",
        detail: "Too many attempts. Wait as long as Retry-After says.",
        headers: [.retryAfter: String(seconds)])
    case .busy:
      Failure(
        .tooManyRequests, code: "throttled",
        detail: "Many people are signing in. Try again in a moment.",
        headers: [.retryAfter: "5"])
    case .emailTaken:
      Failure(
        .conflict, code: "conflict", detail: "An account with this address or number exists.")
    case .unknownAccount:
      Failure(.notFound, code: "not-found", detail: "No account has this e-mail address.")
    case .unknownScope(let scope): Self.unknown(scope)
    case .invitationUnknown: .notFound
    case .phoneMalformed:
      .unprocessable(
        "value", "Send the phone number with + and country code: 8 to 15 digits.")
    case .emailMissing: .unprocessable("required", "Send an e-mail address.")
    case .emailMalformed: .unprocessable("value", "Send a valid e-mail address.")
    case .nameMissing: .unprocessable("required", "Send a name.")
    case .nameTooLong(let maximum):
      .unprocessable("value", "The name may have at most \(maximum) characters.")
    case .passwordTooShort(let minimum):
      .unprocessable("value", "The password must have at least \(minimum) characters.")
    case .passwordTooLong(let maximum):
      .unprocessable("value", "The password may have at most \(maximum) characters.")
    case .passwordCommon:
      .unprocessable("value", "This password is too easy to guess. Choose another.")
    case .passwordContainsContext:
      .unprocessable("value", "The password is too close to a name. Make it longer.")
    }
  }

  private static func unknown(_ scope: String) -> Failure {
    let known = TokenScope.allCases.map(\.rawValue).joined(separator: ", ")
    return .unprocessable("value", "Unknown scope \(scope). Use one of: \(known).")
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
    default: Failure(.conflict, code: "conflict", detail: "The sharing cannot be changed this way.")
    }
  }
}

extension EmergencyError: FailureConvertible {
  /// The failure of emergency access.
  package var failure: Failure {
    self == .notFound
      ? Failure(.notFound, code: "not-found", detail: "This account is not a practitioner's.")
      : Failure(.conflict, code: "conflict", detail: "Emergency access was refused.")
  }
}

extension CDSClientError: FailureConvertible {
  /// The failure of a command on a system that asks for decision support.
  package var failure: Failure {
    switch self {
    case .issuer:
      .unprocessable("value", "The issuer must be an http or https address, as in the tokens.")
    case .keys:
      .unprocessable(
        "value",
        """
        The keys must be a JSON Web Key Set with a public key for ES384 or RS384 (2048 bits or \
        more).
        """)
    case .privateKey:
      .unprocessable("value", "The key set contains a private key. Use a set of public keys.")
    case .unknown:
      Failure(
        .notFound, code: "not-found", detail: "No system has this issuer. See regimen cds list.")
    }
  }
}

extension CDSTokenError: FailureConvertible {
  /// The failure of a token, with the reason as a word for the developer of the calling system.
  package var failure: Failure {
    Failure(
      .unauthorized, code: "login", detail: "The token was refused: \(rawValue).",
      headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
  }
}

extension IdentityError: FailureConvertible {
  /// The failure of a change to the linked accounts at sign-in providers.
  package var failure: Failure {
    self == .notFound
      ? .notFound
      : Failure(.conflict, code: "conflict", detail: "The sign-in method cannot be changed.")
  }
}
