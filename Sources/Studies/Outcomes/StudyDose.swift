// SPDX-License-Identifier: Apache-2.0

/// A scheduled dose of a participant, as the outcomes see it.
package struct StudyDose: Sendable, Hashable {
  /// The state of a dose.
  package enum State: String, Sendable, Hashable, CaseIterable {
    case taken, skipped, refused
    /// It was never answered.
    case missed
  }

  /// The number of the medicine among those of the participant.
  package let medicine: Int
  /// The day on the participant's clock, counted from the day of joining.
  package let day: Int
  /// The minute of the day at which it was due.
  package let minute: Int
  /// The state.
  package let state: State
  /// The minutes from its time to when it was taken; nil unless it was taken.
  package let lateness: Int?
  /// The minutes from the first delivery of its reminder to the answer; nil if it has no answer or no reminder.
  package let ringToAnswer: Int?

  /// Creates a dose.
  package init(
    medicine: Int, day: Int, minute: Int, state: State, lateness: Int?, ringToAnswer: Int?
  ) {
    self.medicine = medicine
    self.day = day
    self.minute = minute
    self.state = state
    self.lateness = lateness
    self.ringToAnswer = ringToAnswer
  }
}

/// A question about the heart rate that a participant was asked.
package struct StudyQuestion: Sendable, Hashable {
  /// The day, counted from the day of joining.
  package let day: Int
  /// The answer; nil if there was none.
  package let answer: String?
}
