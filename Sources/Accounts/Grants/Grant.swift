// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A relationship of an account to a patient, in force.
package struct Grant: Sendable, Hashable {
  package let patient: PatientID
  package let account: AccountID
  package let right: PatientRight
  package let starts: Timestamp
  /// Open ended when nil.
  package let ends: Timestamp?
  /// The name of the account as others see it.
  package let displayName: String
}

/// Why a command on grants and invitations did nothing.
package enum GrantError: Error, Sendable, Hashable {
  /// Nothing of the kind, or nothing that the actor may know of.
  case notFound
  case notAllowed
  /// Nobody would be left to act for the patient.
  case lastGuardian
  /// The code is unknown, used, declined, withdrawn or expired: which of them is not told.
  case codeRefused
  /// The one who invites and the one who accepts are the same, or the patient is the account's own.
  case oneself
  /// The patient's own account is already a guardian, at some remove, of the one who accepts.
  case circular
  /// The account has this relationship, or a stronger one.
  case alreadyGranted
  /// Nothing would be shared.
  case nothingShared
  case endsInThePast
  /// So many invitations of the patient wait already.
  case tooManyInvitations(maximum: Int)
  /// So many mails of the account went out within a day.
  case tooManyMails(maximum: Int)
}

/// Categories as they are stored: words with blanks between them.
enum StoredCategories {
  static func text(_ categories: Set<DataCategory>) -> String {
    DataCategory.allCases.filter(categories.contains).map(\.rawValue).joined(separator: " ")
  }

  /// Words that a newer program wrote are left out: they share nothing here.
  static func read(_ text: String) -> Set<DataCategory> {
    Set(text.split(separator: " ").compactMap { DataCategory(rawValue: String($0)) })
  }
}
