// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Records
import Storage

/// An intake outside the planned doses, or a medicine skipped on purpose.
struct ExtraEntry {
  let named: NamedMedicine
  let request: CheckedAnswer
  let right: Authorization
  let possible: PossibleConsequences
  let ledger: AnswerLedger

  /// Asks about an earlier intake if necessary, records the entry and returns the id of its
  /// MedicationAdministration.
  func record() throws(AnswerError) -> AdministrationID {
    let medicine = named.medicine
    let at = request.at ?? ledger.context.now
    let isTaken = request.action == .taken
    if isTaken { try askFirst(at) }
    let record = try ledger.create(
      AdministrationResource.Content(
        action: request.action, effective: at, reason: request.reason, amount: request.amount),
      of: medicine, by: right)
    let administration = AdministrationID(record.id)
    try ledger.record(
      AnswerRecorded(
        at: AnswerPlace(plan: medicine.plan),
        fact: AnswerFact(
          id: ledger.context.newID(), action: request.action, event: request.event, at: at,
          reason: request.reason, amount: request.amount, minutes: nil, doseVersion: nil,
          corrects: nil, administration: administration),
        intake: isTaken
          ? .counted(
            administration, .init(medicine: medicine, taken: at, amount: request.amount)) : nil,
        possible: possible))
    return administration
  }

  private func askFirst(_ at: Timestamp) throws(AnswerError) {
    if request.confirm { return }
    let medicine = named.medicine
    let near = try storing { () throws(StorageError) in
      guard let gap = named.minimumGap else { return [Intake]() }
      return try IntakeQueries.near(
        patient: ledger.patient, plan: medicine.plan,
        ingredients: Ingredient.contents(column: medicine.ingredients), around: at,
        within: gap, excluding: nil, in: ledger.writer)
    }
    let breaches = try storing { () throws(StorageError) in
      guard possible.hasLimits else { return [LimitBreach]() }
      return try ledger.breaches(
        by: medicine, at: at, amount: request.amount, excluding: nil)
    }
    if let question = IntakeQuestion(breaches: breaches, near: near) { throw .confirm(question) }
  }
}
