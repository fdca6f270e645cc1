// SPDX-License-Identifier: Apache-2.0

import Access
import Localization
import Storage

/// Somebody who signs in.
package struct Account: Sendable, Hashable {
  package let id: String
  /// As typed when the account was made; compared without regard to case.
  package let email: String
  /// How others see who did something ("Taken 08:04 by Ann").
  package let displayName: String
  /// The account's own patient.
  package let patient: String
  package let isAdministrator: Bool
  /// The language the person chose; nil follows the browser.
  package let language: Language?

  package init(
    id: String, email: String, displayName: String, patient: String, isAdministrator: Bool,
    language: Language?
  ) {
    self.id = id
    self.email = email
    self.displayName = displayName
    self.patient = patient
    self.isAdministrator = isAdministrator
    self.language = language
  }
}

/// An account together with the credential that proved it.
package struct SignedIn: Sendable, Hashable {
  package let account: Account
  package let actor: Actor
  /// Digest of the session or token, in hexadecimal: names the credential without being it.
  package let credential: String
  package let expires: Timestamp?
}

/// Why an account command was refused.
package enum AccountError: Error, Sendable, Hashable {
  case emailMissing
  case emailMalformed
  case emailTaken
  case nameMissing
  case nameTooLong(maximum: Int)
  case passwordTooShort(minimum: Int)
  case passwordTooLong(maximum: Int)
  case passwordCommon
  case passwordContainsContext
  case unknownAccount
  case unknownScope(String)
  case invitationUnknown
  /// Wrong address or password: which of them is not told.
  case signInRefused
  /// Too many attempts: seconds until the next is heard.
  case tooManyAttempts(retryAfterSeconds: Int)
  /// More sign-ins are being checked than the machine has memory for.
  case busy
}
