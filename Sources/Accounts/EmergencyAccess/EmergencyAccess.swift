// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A practitioner's look at a person's data in an emergency, without a grant.
package struct EmergencyAccess: Sendable, Hashable {
  package let id: EmergencyID
  package let patient: PatientID
  package let account: AccountID
  /// The name of the account when it looked.
  package let byName: String
  /// As it was typed.
  package let reason: String
  package let started: Timestamp
  package let ends: Timestamp
  /// When an administrator has looked at it.
  package let reviewed: Timestamp?

  /// How long it lasts, in milliseconds.
  package static let lifetime: Int64 = 60 * 60_000
  /// The fewest and the most characters of a reason.
  package static let reasonLength = 10...1_000

  /// Minutes that are left, counting one that has begun.
  package func minutesLeft(at now: Timestamp) -> Int {
    Int(max(0, (ends.milliseconds - now.milliseconds + 59_999) / 60_000))
  }
}

/// Why nothing was opened, or confirmed.
package enum EmergencyError: String, Error, Sendable, Hashable, CaseIterable {
  /// Nothing of the kind, or nobody of just this identity.
  case notFound = "not-found"
  /// The account is not confirmed.
  case notAllowed = "not-allowed"
  /// One confirms and reviews others.
  case oneself
  /// The account acts for this person anyway.
  case needless
  case reasonTooShort = "reason-short"
  case reasonTooLong = "reason-long"
}
