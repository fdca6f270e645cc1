// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A grant in force: the relationship of an account to a patient.
package struct Grant: Sendable, Hashable {
  /// The patient whose data is shared.
  package let patient: PatientID
  /// The account that has the grant.
  package let account: AccountID
  /// The relationship and the shared categories.
  package let right: PatientRight
  /// The start of the grant.
  package let starts: Timestamp
  /// The end of the grant; nil for no end.
  package let ends: Timestamp?
  /// The display name of the account.
  package let displayName: String
}

/// A reason why a command on grants and invitations failed.
package enum GrantError: Error, Sendable, Hashable {
  /// It does not exist, or the actor may not know of it.
  case notFound
  case notAllowed
  /// No one would be left to act for the patient.
  case lastGuardian
  /// The code is unknown, used, declined, withdrawn or expired: the error does not say which.
  case codeRefused
  /// The accounts of both sides are the same, or the patient is the account's own.
  case oneself
  /// The patient's own account is already a guardian, directly or through others, of the account
  /// that accepts.
  case circular
  /// The account already has this relationship or a stronger one.
  case alreadyGranted
  /// Nothing would be shared.
  case nothingShared
  case endsInThePast
  /// The patient has the maximum of waiting invitations.
  case tooManyInvitations(maximum: Int)
  /// The account has sent the maximum of mails in a day.
  case tooManyMails(maximum: Int)
}

/// Categories as stored: words separated by spaces.
enum StoredCategories {
  static func text(_ categories: Set<DataCategory>) -> String {
    DataCategory.allCases.filter(categories.contains).map(\.rawValue).joined(separator: " ")
  }

  /// Reads categories; words from a newer program are left out and share nothing here.
  static func read(_ text: String) -> Set<DataCategory> {
    Set(text.split(separator: " ").compactMap { DataCategory(rawValue: String($0)) })
  }
}
