// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// What somebody was asked because of the resting heart rate, with what was seen and what came of it.
package struct Warning: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The resting heart rate is higher than usual.
    case heart
    /// A watch seems not to be worn.
    case wear
  }

  /// What was said to "have you taken it today?".
  package enum Answer: String, Sendable, Hashable, CaseIterable {
    case yes, no, unwell
    /// Nothing was said, and nothing more is asked.
    case closed
  }

  /// What came of the answer.
  package enum Done: String, Sendable, Hashable, CaseIterable {
    /// Reminded again some hours later.
    case later
    /// Nothing more was wanted.
    case nothing
    /// What it was about was recorded before it came once more.
    case recorded
  }

  package let patient: PatientID
  package let id: WarningID
  package let kind: Kind
  package let day: CivilDate
  package let created: Timestamp
  package let method: HeartRateMethod
  /// Whether there were watched plans to ask about.
  package let isMonitored: Bool
  /// The figures that were seen, for the sentence that explains it.
  package let finding: HeartRateFinding
  package let answer: Answer?
  package let answered: Timestamp?
  package let answeredBy: String?
  package let done: Done?
  package let doneAt: Timestamp?
}
