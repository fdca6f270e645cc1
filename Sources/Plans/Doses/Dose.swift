// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Storage

/// An answer that a person may give to a dose.
package enum AnswerAction: String, Sendable, Hashable, CaseIterable {
  case taken, skipped, refused, later, undo
}

/// The answer in force for a dose.
package struct DoseAnswer: Sendable, Hashable {
  /// The identifier of the answer, the key of its row in `answers`.
  package let id: AnswerID
  /// The answer: taken, skipped, refused or put off.
  package let action: AnswerAction
  /// The time at which it happened, as stated by the person.
  package let at: Timestamp
  /// The time at which it was recorded here.
  package let recorded: Timestamp
  /// The name of the person who answered.
  package let by: String
  /// The reason that was given; nil for none.
  package let reason: String?
  /// The amount taken, if the answer states one.
  package let amount: Amount?

  /// Creates an answer.
  package init(
    id: AnswerID, action: AnswerAction, at: Timestamp, recorded: Timestamp, by: String,
    reason: String? = nil, amount: Amount? = nil
  ) {
    self.id = id
    self.action = action
    self.at = at
    self.recorded = recorded
    self.by = by
    self.reason = reason
    self.amount = amount
  }
}

/// A dose of a plan, with its state at a given moment.
package struct Dose: Sendable, Hashable {
  /// The identity of the dose, which survives edits of its time and amount.
  package let id: DoseID
  /// The person who takes it.
  package let patient: PatientID
  /// The plan that it belongs to, the same as in `id`.
  package let plan: PlanID
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The time at which the dose is due.
  package let due: Timestamp
  /// The last moment of the on-time window; an answer after it is late.
  package let onTimeUntil: Timestamp
  /// The end of the late window; an unanswered dose counts as missed from then on.
  package let lateUntil: Timestamp
  /// The plan's next dose as known when this one was planned; nil if none was.
  package let nextDue: Timestamp?
  /// The planned amount; nil if the plan states none.
  package let amount: Amount?
  /// The state at the moment for which the dose was read.
  package let state: DoseState
  /// True once the on-time window has passed; for an answered dose, at the answer's time.
  package let isLate: Bool
  /// The reason for which it is withheld or cancelled, a raw value of ``DoseStateReason``; nil in
  /// other states.
  package let stateReason: String?
  /// The time until which the person put the dose off; nil if they did not.
  package let laterUntil: Timestamp?
  /// The version of the row, which grows with each change.
  package let version: Int64
  /// The answer in force; nil if there is none.
  package let answer: DoseAnswer?

  /// Creates a dose and computes its state and lateness at `now` from the stored state and the
  /// windows.
  package init(
    id: DoseID, patient: PatientID, medicineName: String, due: Timestamp, onTimeUntil: Timestamp,
    lateUntil: Timestamp, nextDue: Timestamp?, amount: Amount?, stored: DoseState.Stored,
    stateReason: String?, laterUntil: Timestamp?, version: Int64, answer: DoseAnswer?,
    now: Timestamp
  ) {
    self.id = id
    self.patient = patient
    self.plan = id.plan
    self.medicineName = medicineName
    self.due = due
    self.onTimeUntil = onTimeUntil
    self.lateUntil = lateUntil
    self.nextDue = nextDue
    self.amount = amount
    self.state = .at(
      now, stored: stored, due: due, lateUntil: lateUntil, laterUntil: laterUntil)
    self.stateReason = stateReason
    self.laterUntil = laterUntil
    self.version = version
    self.answer = answer
    let moment = state.isAnswered ? answer?.at ?? now : now
    self.isLate = state != .cancelled && moment > onTimeUntil
  }
}
