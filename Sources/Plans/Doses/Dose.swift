// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Storage

/// What a person may say to a dose.
package enum AnswerAction: String, Sendable, Hashable, CaseIterable {
  case taken, skipped, refused, later, undo
}

/// The answer in force for a dose.
package struct DoseAnswer: Sendable, Hashable {
  package let id: AnswerID
  package let action: AnswerAction
  /// When it happened.
  package let at: Timestamp
  /// When it was written down.
  package let recorded: Timestamp
  /// The name of the person who answered.
  package let by: String
  package let reason: String?
  package let amount: Amount?

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

/// One dose of a plan as it stands at a given moment.
package struct Dose: Sendable, Hashable {
  package let id: DoseID
  package let patient: PatientID
  package let plan: PlanID
  package let medicineName: String
  package let due: Timestamp
  package let onTimeUntil: Timestamp
  package let lateUntil: Timestamp
  /// The plan's next dose as known when this one was planned.
  package let nextDue: Timestamp?
  package let amount: Amount?
  package let state: DoseState
  /// True once the on-time window has passed; for an answered dose, at the answer's time.
  package let isLate: Bool
  /// Why it is withheld or cancelled: a ``DoseStateReason``.
  package let stateReason: String?
  package let laterUntil: Timestamp?
  /// Grows with each change.
  package let version: Int64
  package let answer: DoseAnswer?

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
