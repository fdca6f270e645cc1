// SPDX-License-Identifier: Apache-2.0

/// A reason why a command on a study was refused.
package enum StudyError: Error, Sendable, Hashable {
  /// There is no such study, or the person does not take part in it.
  case notFound
  /// The study is closed: no one joins any more.
  case closed
  /// The study is open: its allocation stays sealed until it is closed.
  case open
  /// The file's version is not above the loaded one.
  case version(loaded: Int)
  /// A new version may not change the arms, their weights or the blocks: the order has begun.
  case allocationChanged
  /// The person takes part already, or did.
  case alreadyJoined
  /// The consent was read in another version than the current one.
  case oldConsent
  /// Only the person joins, in a session of the account whose own record it is.
  case notOneself
  /// The person does not meet the conditions.
  case notEligible(StudyHindrance)
  /// Some questions about the consent were not answered correctly; carries their ids.
  case misunderstood([String])
  /// The name was not typed, or is too long.
  case signature(maximum: Int)
}

/// A condition for taking part that a person does not meet.
package enum StudyHindrance: String, Sendable, Hashable, CaseIterable {
  /// The date of birth is not known.
  case noBirthDate = "no-birth-date"
  /// The person is too young or too old.
  case age
  /// No medicine is active.
  case medicine
  /// The language of the pages is not one of the study's.
  case language
  /// A question was answered otherwise.
  case answers
}
