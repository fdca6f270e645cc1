// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Localization
import Storage

/// A person who signs in.
package struct Account: Sendable, Hashable {
  /// The identifier of the account.
  package let id: AccountID
  /// The e-mail address or phone number for signing in, as typed; compared without regard to case.
  package let email: String
  /// The name by which others see who did something ("Taken 08:04 by Ann").
  package let displayName: String
  /// The account's own patient.
  package let patient: PatientID
  /// True if the account runs the installation; this gives no access to clinical data.
  package let isAdministrator: Bool
  /// The language the person chose; nil follows the browser.
  package let language: Language?

  /// Creates an account value; nothing is stored or checked.
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
  /// The account that signed in.
  package let account: Account
  /// The actor with the rights of the account, limited by the credential.
  package var actor: Actor
  /// The identifier of the session or token, without its secret.
  package let credential: SessionID
  /// The end of the session or token; nil for a token without one.
  package let expires: Timestamp?
  /// The facts about the session; nil for tokens.
  package let session: SessionFacts?
  /// The time of the last recorded use of the credential; nil if there is none.
  package let used: Timestamp?
  /// The key that must sign each use of the token, by its thumbprint; nil for every other credential.
  package var keyThumbprint: String?
}

/// A reason why an account command was refused.
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
  /// The address, password or code is wrong: the error does not say which.
  case signInRefused
  /// Too much time has passed since the first step of the sign-in.
  case signInOutdated
  /// A passkey's answer is not valid.
  case passkeyRefused(PasskeyFault)
  case passkeyNameTooLong(maximum: Int)
  case tooManyPasskeys(maximum: Int)
  case tokenLifetime(maximumDays: Int)
  /// There were too many attempts; the next one is accepted after some seconds.
  case tooManyAttempts(retryAfterSeconds: Int)
  /// More sign-ins are in progress than the machine has memory for.
  case busy
}
