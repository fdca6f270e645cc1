// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Localization
import Storage

/// Somebody who signs in.
package struct Account: Sendable, Hashable {
  package let id: AccountID
  /// What its owner signs in with, an e-mail address or a phone number: as typed, compared without regard
  /// to case.
  package let email: String
  /// How others see who did something ("Taken 08:04 by Ann").
  package let displayName: String
  /// The account's own patient.
  package let patient: PatientID
  package let isAdministrator: Bool
  /// The language the person chose; nil follows the browser.
  package let language: Language?

  package init(
    id: AccountID, email: String, displayName: String, patient: PatientID, isAdministrator: Bool,
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
  package var actor: Actor
  /// The session or token, without its secret.
  package let credential: SessionID
  package let expires: Timestamp?
  /// What is known of the session; nil for tokens.
  package let session: SessionFacts?
  /// When the credential was last used, as far as it was noted.
  package let used: Timestamp?
}

/// Why an account command was refused.
package enum AccountError: Error, Sendable, Hashable {
  case emailMissing
  case emailMalformed
  case emailTaken
  case phoneMalformed
  case nameMissing
  case nameTooLong(maximum: Int)
  case passwordTooShort(minimum: Int)
  case passwordTooLong(maximum: Int)
  case passwordCommon
  case passwordContainsContext
  case unknownAccount
  case unknownScope(String)
  case invitationUnknown
  /// Wrong address, password or code: which of them is not told.
  case signInRefused
  /// The first step of the sign-in is too long ago.
  case signInOutdated
  /// A passkey's answer that does not hold.
  case passkeyRefused(PasskeyFault)
  case passkeyNameTooLong(maximum: Int)
  case tooManyPasskeys(maximum: Int)
  case tokenLifetime(maximumDays: Int)
  /// Too many attempts: seconds until the next is heard.
  case tooManyAttempts(retryAfterSeconds: Int)
  /// More sign-ins are being checked than the machine has memory for.
  case busy
}
