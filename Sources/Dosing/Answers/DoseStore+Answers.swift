// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// Writes the state that answers give a dose.
extension DoseStore {
  /// Writes the changes of an answer.
  static func record(
    _ change: AnswerRecorded.DoseChange, answer: AnswerFact, in writer: any SQLWriter
  ) throws(StorageError) {
    let dose = change.before
    try writer.execute(
      """
      UPDATE doses SET state = $1, state_reason = $2, later_until = $3, version = $4, answer = $5,
        answered_at = $6
      WHERE patient = $7 AND plan = $8 AND era = $9 AND occurrence = $10
      """,
      [
        .text(change.state.rawValue), SQLValue(change.stateReason), SQLValue(change.laterUntil),
        SQLValue(answer.doseVersion), SQLValue(change.isInForce ? answer.id : nil),
        SQLValue(change.state.isAnswered ? answer.at : nil), .text(dose.patient),
        .text(dose.id.plan), .integer(dose.id.era), .text(dose.id.occurrence.text),
      ])
  }

  /// The state of a dose that follows from its answers.
  package struct Outcome {
    /// The stored state, in the spelling of ``DoseState/Stored``.
    package let state: String
    /// The identifier of the answer in force; nil if there is none.
    package let answer: String?
    /// The time of the answer; nil unless the dose was taken, skipped or refused.
    package let answeredAt: Timestamp?
    /// The end of the postponement; nil unless the answer in force is `later`.
    package let laterUntil: Timestamp?

    /// Creates an outcome from the values of its columns.
    package init(state: String, answer: String?, answeredAt: Timestamp?, laterUntil: Timestamp?) {
      self.state = state
      self.answer = answer
      self.answeredAt = answeredAt
      self.laterUntil = laterUntil
    }
  }

  /// Writes the outcome from a dose's answers into its row and raises its version.
  package static func restore(
    _ outcome: Outcome, of dose: DoseKey, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE doses SET state = $1, answer = $2, answered_at = $3, later_until = $4,
        version = version + 1
      WHERE patient = $5 AND plan = $6 AND era = $7 AND occurrence = $8
      """,
      [
        .text(outcome.state), SQLValue(outcome.answer), SQLValue(outcome.answeredAt),
        SQLValue(outcome.laterUntil),
      ] + dose.arguments)
  }
}
