// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage

/// Carries out the step that ``AnswerRule`` chose for one dose.
package struct AnswerRecorder {
  /// The dose after the answer.
  package struct Result {
    let dose: Dose
    /// The MedicationAdministration of the answer in force; nil if there is none.
    package let administration: AdministrationID?
    /// The record of the administration, if this answer created it.
    package var record: StoredRecord?
  }

  let dose: AnswerableDose
  let request: CheckedAnswer
  /// The record as another system sent it; nil to create one.
  let resource: JSONValue?
  let context: CommandContext
  let right: Authorization
  let ledger: AnswerLedger
  private let writer: any SQLWriter

  init(
    dose: AnswerableDose, request: CheckedAnswer, resource: JSONValue?, context: CommandContext,
    right: Authorization, writer: any SQLWriter
  ) {
    self.dose = dose
    self.request = request
    self.resource = resource
    self.context = context
    self.right = right
    self.writer = writer
    ledger = AnswerLedger(
      patient: dose.patient, zone: dose.zone, context: context, writer: writer)
  }

  /// Records that the dose was taken, skipped or refused.
  func record(replacing replaced: AnswerInForce?) throws(AnswerError) -> Result {
    // A correction that only adds a reason or an amount leaves the rest as it was.
    let same = replaced.flatMap { $0.action == request.action ? $0 : nil }
    let at = request.at ?? same?.at ?? context.now
    let reason = request.reason ?? same?.reason
    let isTaken = request.action == .taken
    let amount = isTaken ? request.amount ?? same?.amount ?? dose.amount : nil
    if isTaken {
      let isMoved = at != same?.at
      let isMore = amount.map { !$0.isSameQuantity(as: same?.amount) } ?? false
      if isMoved || isMore { try askFirst(at, amount, isMoved: isMoved) }
    }

    let content = AdministrationResource.Content(
      action: request.action, effective: isTaken ? at : dose.due, reason: reason, amount: amount)
    let administration: AdministrationID
    var record: StoredRecord?
    if let existing = replaced?.administration {
      try ledger.correct(existing, to: content)
      administration = existing
    } else {
      let created =
        if let resource {
          try ledger.create(resource, by: right)
        } else {
          try ledger.create(content, of: dose.medicine, by: right)
        }
      administration = AdministrationID(created.id)
      record = created
    }
    var result = try finish(
      fact(
        at: at, reason: reason, amount: amount, corrects: replaced, administration: administration),
      .init(
        before: dose, state: isTaken ? .taken : request.action == .skipped ? .skipped : .refused,
        stateReason: dose.stateReason, laterUntil: nil, isInForce: true, replaced: replaced),
      intake: intakeChange(
        administration, replaced,
        to: isTaken ? .init(medicine: dose.medicine, taken: at, amount: amount) : nil))
    result.record = record
    return result
  }

  /// Postpones the reminder; the dose stays open.
  func putOff(replacing replaced: AnswerInForce?) throws(AnswerError) -> Result {
    let at = request.at ?? context.now
    let maximum = LaterChoices.maximumMinutes(
      from: at, due: dose.due, lateUntil: dose.lateUntil, nextDue: dose.nextDue,
      minimumGap: dose.minimumGap)
    guard let minutes = request.minutes, minutes >= 1, minutes <= maximum else {
      throw .invalid(.minutesOutOfRange(maximum: maximum))
    }
    if let administration = replaced?.administration { try ledger.takeBack(administration) }
    let until = max(at, dose.due).adding(milliseconds: Int64(minutes) * 60_000)
    return try finish(
      fact(at: at, reason: request.reason, minutes: minutes, corrects: replaced),
      .init(
        before: dose, state: .open, stateReason: dose.stateReason, laterUntil: until,
        isInForce: true, replaced: replaced),
      intake: intakeChange(replaced?.administration, replaced, to: nil))
  }

  /// Takes the answer back, so that the dose is open again.
  func takeBack(_ answer: AnswerInForce) throws(AnswerError) -> Result {
    if let administration = answer.administration { try ledger.takeBack(administration) }
    let (state, reason) = try storing { () throws(StorageError) in try reopened() }
    return try finish(
      fact(at: request.at ?? context.now, reason: request.reason, corrects: answer),
      .init(
        before: dose, state: state, stateReason: reason, laterUntil: nil, isInForce: false,
        replaced: answer),
      intake: intakeChange(answer.administration, answer, to: nil))
  }

  /// Changes nothing but remembers the event, so that repeating it after an undo does nothing.
  func rememberRepeat() throws(AnswerError) -> Result {
    let result = Result(
      dose: dose.asItIs(now: context.now), administration: dose.inForce?.administration)
    guard request.event != nil else { return result }
    try ledger.record(
      AnswerRecorded(
        at: .dose(dose.id),
        fact: AnswerFact(
          id: context.newID(), action: request.action, event: request.event,
          at: request.at ?? context.now, reason: nil, amount: nil, minutes: nil,
          doseVersion: nil, corrects: request.corrects, administration: nil),
        doseVersion: dose.version, possible: dose.possible))
    return result
  }

  /// Returns the change of the counted intakes; nil if there is none.
  private func intakeChange(
    _ administration: AdministrationID?, _ replaced: AnswerInForce?,
    to intake: AnswerRecorded.CountedIntake?
  ) -> AnswerRecorded.IntakeChange? {
    guard let administration else { return nil }
    let wasCounted = replaced?.action == .taken
    guard let intake else { return wasCounted ? .uncounted(administration) : nil }
    return wasCounted ? .recounted(administration, intake) : .counted(administration, intake)
  }

  /// Throws a question if the intake is long before the dose is due, within the minimum gap of
  /// another, or above the plan's limits.
  private func askFirst(
    _ at: Timestamp, _ amount: Amount?, isMoved: Bool
  ) throws(AnswerError) {
    if request.confirm { return }
    let near = try storing { () throws(StorageError) in
      guard isMoved, let gap = dose.minimumGap else { return [Intake]() }
      return try IntakeQueries.near(
        patient: dose.patient, plan: dose.id.plan,
        ingredients: Ingredient.contents(column: dose.medicine.ingredients), around: at,
        within: gap, excluding: dose.id, in: writer)
    }
    let breaches = try storing { () throws(StorageError) in
      guard dose.possible.hasLimits else { return [LimitBreach]() }
      return try ledger.breaches(
        by: dose.medicine, at: at, amount: amount, excluding: dose.id)
    }
    let early =
      isMoved
      ? EarlyIntake(dose.id, due: dose.due, at: at) : nil
    if let question = IntakeQuestion(early: early, breaches: breaches, near: near) {
      throw .confirm(question)
    }
  }

  private func fact(
    at: Timestamp, reason: String?, amount: Amount? = nil, minutes: Int? = nil,
    corrects: AnswerInForce?, administration: AdministrationID? = nil
  ) -> AnswerFact {
    AnswerFact(
      id: context.newID(), action: request.action, event: request.event, at: at,
      reason: reason, amount: amount, minutes: minutes, doseVersion: dose.version + 1,
      corrects: corrects?.doseVersion, administration: administration)
  }

  private func finish(
    _ fact: AnswerFact, _ change: AnswerRecorded.DoseChange, intake: AnswerRecorded.IntakeChange?
  ) throws(AnswerError) -> Result {
    try ledger.record(
      AnswerRecorded(
        at: .dose(dose.id), fact: fact, dose: change, intake: intake, possible: dose.possible))
    let answer = DoseAnswer(
      id: fact.id, action: fact.action, at: fact.at, recorded: context.now, by: context.byName,
      reason: fact.reason, amount: fact.amount?.asStoredWithAnswers)
    let changed = dose.dose(
      state: change.state, reason: change.stateReason, laterUntil: change.laterUntil,
      version: fact.doseVersion ?? dose.version, answer: change.isInForce ? answer : nil,
      now: context.now)
    return Result(dose: changed, administration: fact.administration)
  }

  /// Returns the state without the answer: withheld if it was withheld before, cancelled if the plan no
  /// longer gives this future dose.
  private func reopened() throws(StorageError) -> (DoseState.Stored, reason: String?) {
    if dose.due > context.now {
      if let ended = dose.planEnded { return (.cancelled, ended.rawValue) }
      if try slotIsRetired() { return (.cancelled, DoseStateReason.edit.rawValue) }
    }
    switch dose.stateReason.flatMap(DoseStateReason.init(rawValue:)) {
    case .edit, .zoneChange: return (.withheld, dose.stateReason)
    case .stopped, .paused, .unplanned, nil: return (.open, nil)
    }
  }

  private func slotIsRetired() throws(StorageError) -> Bool {
    guard case .slot(_, let slot) = dose.id.occurrence else { return false }
    let retired = try writer.first(
      "SELECT retired FROM plan_slots WHERE patient = $1 AND plan = $2 AND slot = $3",
      [.text(dose.patient), .text(dose.id.plan), SQLValue(slot)])?.value(as: Timestamp?.self)
    return retired != nil
  }
}

extension AnswerableDose {
  /// Returns the dose unchanged.
  func asItIs(now: Timestamp) -> Dose {
    let answer = inForce.map { answer in
      DoseAnswer(
        id: answer.id, action: answer.action, at: answer.at, recorded: answer.recorded,
        by: answer.by, reason: answer.reason, amount: answer.amount?.asStoredWithAnswers)
    }
    return dose(
      state: storedState, reason: stateReason, laterUntil: laterUntil, version: version,
      answer: answer, now: now)
  }

  func dose(
    state: DoseState.Stored, reason: String?, laterUntil: Timestamp?, version: Int64,
    answer: DoseAnswer?, now: Timestamp
  ) -> Dose {
    Dose(
      id: id, patient: patient, medicineName: medicine.shownName, due: due,
      onTimeUntil: onTimeUntil,
      lateUntil: lateUntil, nextDue: nextDue, amount: amount, stored: state, stateReason: reason,
      laterUntil: laterUntil, version: version, answer: answer, now: now)
  }
}
