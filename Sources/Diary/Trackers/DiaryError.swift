// SPDX-License-Identifier: Apache-2.0

/// A reason for which an entry or a tracker of the diary was not saved.
package enum DiaryError: String, Error, Sendable, Hashable, CaseIterable {
  /// The person has no such entry or tracker.
  case notFound = "not-found"
  case valueMissing = "value-missing"
  /// The value is not of the tracker's kind.
  case value
  /// No one can have such a value.
  case impossible
  /// The value is rare: it is kept only with a reason.
  case unlikely
  /// The lower blood pressure is not below the upper one.
  case pressureOrder = "pressure-order"
  case textTooLong = "too-long"
  case day
  case time
  case future
  case nameMissing = "name-missing"
  case nameTooLong = "name-too-long"
  case nameTaken = "name-taken"
  case scale
  case tooMany = "too-many"
  /// The value came from elsewhere, and can only be deleted here.
  case foreign
  /// The event of the form made another entry, or its entry was changed or deleted since.
  case eventUsed = "event-used"
}
