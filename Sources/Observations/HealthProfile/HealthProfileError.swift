// SPDX-License-Identifier: Apache-2.0

/// A reason for which a weight or an allergy was not added or removed.
package enum HealthProfileError: String, Error, Sendable, Hashable, CaseIterable {
  /// The person has no such entry.
  case notFound = "not-found"
  /// The weight is not a number, or outside the range of human weights.
  case weight
  case weightMissing = "weight-missing"
  case date
  case dateInTheFuture = "future"
  case nameMissing = "name-missing"
  case tooLong = "too-long"
  case alreadyThere = "already-there"
  case tooMany = "too-many"
}
