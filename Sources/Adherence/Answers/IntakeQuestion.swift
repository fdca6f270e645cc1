// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// The question to ask before an intake is recorded.
package struct IntakeQuestion: Sendable, Hashable {
  /// The dose, where it is not due for more than an hour.
  package let early: EarlyIntake?
  /// Limits of plans that the intake would go beyond.
  package let breaches: [LimitBreach]
  /// Everything taken that the question is about, in order of time: what counts to the limits, and what was taken
  /// within the minimum gap.
  package let intakes: [Intake]

  /// Returns nil if there is nothing to ask.
  init?(early: EarlyIntake? = nil, breaches: [LimitBreach], near: [Intake]) {
    if early == nil, breaches.isEmpty, near.isEmpty { return nil }
    self.early = early
    self.breaches = breaches
    var seen: Set<String> = []
    intakes = (near + breaches.flatMap(\.intakes))
      .filter { seen.insert($0.administration).inserted }
      .sorted { ($0.taken, $0.administration) < ($1.taken, $1.administration) }
  }

  /// The form fields that confirm the answer.
  package var keys: [String] {
    intakes.map(\.administration) + breaches.map(\.key) + [early?.key].compactMap(\.self)
  }
}

/// An intake that would count for a dose more than an hour before it is due: the dose of tomorrow, taken for the one
/// of today, would not ring when its time comes.
package struct EarlyIntake: Sendable, Hashable {
  /// The widest on-time window (``DoseWindow``), in milliseconds: what is taken within it raises no question.
  static let tolerance: Int64 = 60 * 60_000

  package let dose: DoseID
  package let due: Timestamp
  /// From when on nothing is asked.
  package let from: Timestamp
  /// When it was taken, as the person says.
  package let at: Timestamp

  /// Returns nil if the dose may be taken at that time.
  init?(_ dose: DoseID, due: Timestamp, at: Timestamp) {
    from = due.adding(milliseconds: -Self.tolerance)
    guard at < from else { return nil }
    self.dose = dose
    self.due = due
    self.at = at
  }

  /// Names the question in a form: a dose that was moved since is asked about again.
  package var key: String { "early-\(dose.text)-\(due.milliseconds)" }
}

extension Dose {
  /// The beginning of the on-time window, which reaches as far before due as after.
  package var onTimeFrom: Timestamp {
    due.adding(milliseconds: due.milliseconds.subtractingClamped(onTimeUntil.milliseconds))
  }
}
