// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A practitioner's access to a person's data in an emergency, without a grant.
package struct EmergencyAccess: Sendable, Hashable {
  /// The identifier of the emergency access.
  package let id: EmergencyID
  /// The patient whose data was opened.
  package let patient: PatientID
  /// The practitioner's account.
  package let account: AccountID
  /// The display name of the account at the time.
  package let byName: String
  /// The reason, as it was typed.
  package let reason: String
  /// The time at which the data was opened.
  package let started: Timestamp
  /// The time at which the access ends.
  package let ends: Timestamp
  /// The time at which an administrator reviewed it; nil if no one has.
  package let reviewed: Timestamp?

  /// The duration of an emergency access, in milliseconds: one hour.
  package static let lifetime: Int64 = 60 * 60_000
  /// The allowed number of characters of a reason.
  package static let reasonLength = 10...1_000

  /// Returns the minutes that are left, rounded up; 0 after the end.
  package func minutesLeft(at now: Timestamp) -> Int {
    Int(max(0, (ends.milliseconds - now.milliseconds + 59_999) / 60_000))
  }
}

/// A reason why an emergency access, a confirmation or a review was rejected.
package enum EmergencyError: String, Error, Sendable, Hashable, CaseIterable {
  /// It does not exist, or there is no person with exactly this identity.
  case notFound = "not-found"
  /// The account is not confirmed.
  case notAllowed = "not-allowed"
  /// An account cannot confirm or review itself.
  case oneself
  /// The account already acts for this person.
  case needless
  case reasonTooShort = "reason-short"
  case reasonTooLong = "reason-long"
}
