// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The question to ask before an intake is recorded.
package struct IntakeQuestion: Sendable, Hashable {
  /// The early intake, if the dose is not due for more than an hour.
  package let early: EarlyIntake?
  /// The plan limits that the intake would exceed.
  package let breaches: [LimitBreach]
  /// The intakes that the question is about, in order of time: those that count towards the limits,
  /// and those within the minimum gap.
  package let intakes: [Intake]

  /// Creates a question; nil if there is nothing to ask.
  init?(early: EarlyIntake? = nil, breaches: [LimitBreach], near: [Intake]) {
    if early == nil, breaches.isEmpty, near.isEmpty { return nil }
    self.early = early
    self.breaches = breaches
    var seen: Set<AdministrationID> = []
    intakes = (near + breaches.flatMap(\.intakes))
      .filter { seen.insert($0.administration).inserted }
      .sorted { ($0.taken, $0.administration) < ($1.taken, $1.administration) }
  }

  /// The form fields that confirm the answer.
  package var keys: [String] {
    intakes.map(\.administration.text) + breaches.map(\.key) + [early?.key].compactMap(\.self)
  }
}

/// An intake for a dose that is due more than an hour later.
///
/// If tomorrow's dose were taken instead of today's, it would not ring when it is due.
package struct EarlyIntake: Sendable, Hashable {
  /// The widest on-time window (``DoseWindow``), in milliseconds; an intake within it raises no question.
  static let tolerance: Int64 = 60 * 60_000

  /// The dose that the intake would answer.
  package let dose: DoseID
  /// The time at which the dose is due.
  package let due: Timestamp
  /// The earliest time of an intake that raises no question.
  package let from: Timestamp
  /// The time of the intake, as the person reports it.
  package let at: Timestamp

  /// Creates an early intake; nil if the dose may be taken at that time.
  init?(_ dose: DoseID, due: Timestamp, at: Timestamp) {
    from = due.adding(milliseconds: -Self.tolerance)
    guard at < from else { return nil }
    self.dose = dose
    self.due = due
    self.at = at
  }

  /// The key of the question in a form; it changes when the dose is moved, so that the question is
  /// asked again.
  package var key: String { "early-\(dose.text)-\(due.milliseconds)" }
}

extension Dose {
  /// The start of the on-time window, which extends as far before the due time as after it.
  package var onTimeFrom: Timestamp {
    due.adding(milliseconds: due.milliseconds.subtractingClamped(onTimeUntil.milliseconds))
  }
}
