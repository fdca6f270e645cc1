// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// A question to a person because of the resting heart rate, with the values seen and its answer.
package struct Warning: Sendable, Hashable {
  /// The reason for a warning.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The resting heart rate is higher than usual.
    case heart
    /// A watch seems not to be worn.
    case wear
  }

  /// An answer to "Have you taken it today?".
  package enum Answer: String, Sendable, Hashable, CaseIterable {
    case yes, no, unwell
    /// The question ended without an answer.
    case closed
  }

  /// The outcome of the answer "no".
  package enum Done: String, Sendable, Hashable, CaseIterable {
    /// It was repeated some hours later.
    case later
    /// No repetition was wanted.
    case nothing
    /// The doses were recorded before it was repeated.
    case recorded
  }

  /// The patient whose heart rate it is about.
  package let patient: PatientID
  /// The identifier, created by the engine that asked.
  package let id: WarningID
  /// The reason for it.
  package let kind: Kind
  /// The day that was judged, in the patient's time zone.
  package let day: CivilDate
  /// The time at which it was created.
  package let created: Timestamp
  /// The method that judged the day.
  package let method: HeartRateMethod
  /// True if there were monitored plans to ask about.
  package let isMonitored: Bool
  /// The values that were seen, for the sentence that explains the warning.
  package let finding: HeartRateFinding
  /// The answer; nil while there is none.
  package let answer: Answer?
  /// The time of the answer; nil while there is none.
  package let answered: Timestamp?
  /// The name of the person who answered; nil while there is no answer.
  package let answeredBy: String?
  /// The outcome of the answer; nil while it is open, and for answers that need none.
  package let done: Done?
  /// The time of the outcome; nil while there is none.
  package let doneAt: Timestamp?
}

extension Warning {
  /// The share of the usual steps below which a day counts as a quiet one.
  static let fewSteps = 0.6
  /// The probability of an illness from which it is no longer called unlikely.
  private static let someIllness = 0.2

  /// The difference between the heart rate and the usual one in whole beats, as both are shown; nil if one is
  /// unknown.
  package var beatsAboveUsual: Int? {
    guard let seen = finding.heartRate, let usual = finding.usual else { return nil }
    return Int(seen.rounded()) - Int(usual.rounded())
  }

  /// True if the method looked for an illness, found none likely, and the day had about the usual steps.
  package var hasNoSignOfIllness: Bool {
    guard let illness = finding.illness, let steps = finding.stepsShare else { return false }
    return illness < Self.someIllness && steps >= Self.fewSteps
  }
}
