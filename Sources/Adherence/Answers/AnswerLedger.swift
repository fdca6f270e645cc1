// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Records
import Scheduling
import Storage

/// Records answers within the transaction of one command: the fact, the dose it answers, its
/// MedicationAdministration and the audit entry.
///
/// Everything else that follows from an answer is an ``AnswerConsequence``.
struct AnswerLedger {
  let patient: PatientID
  let zone: String?
  let context: CommandContext
  let writer: any SQLWriter
  private let records = RecordStore()

  init(patient: PatientID, zone: String?, context: CommandContext, writer: any SQLWriter) {
    self.patient = patient
    self.zone = zone
    self.context = context
    self.writer = writer
  }

  // MARK: Facts

  /// Records an answer and carries out everything that follows from it.
  ///
  /// Every way in ends here.
  func record(_ recorded: AnswerRecorded) throws(AnswerError) {
    try storing { () throws(StorageError) in
      guard let fact = recorded.fact else { return }
      try insert(fact, at: recorded.place)
      if let change = recorded.dose { try update(change, answer: fact) }
    }
    // Before the entries that the consequences write themselves.
    audit(recorded)
    for consequence in AnswerConsequence.inOrder { try consequence.carryOut(recorded, self) }
  }

  private func insert(_ fact: AnswerFact, at place: AnswerPlace) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO answers (patient, answer, plan, era, occurrence, event, action, at, recorded,
        account, by_name, reason, amount_value, amount_unit, minutes, dose_version, corrects,
        administration)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      """,
      [
        .text(patient), .text(fact.id), SQLValue(place.plan), SQLValue(place.dose?.era),
        SQLValue(place.dose?.occurrence.text), SQLValue(fact.event), .text(fact.action.rawValue),
        SQLValue(fact.at), SQLValue(context.now), .text(context.actor.accountID),
        .text(context.byName), SQLValue(fact.reason), SQLValue(fact.amount?.value),
        SQLValue(fact.amount?.unit), SQLValue(fact.minutes), SQLValue(fact.doseVersion),
        SQLValue(fact.corrects), SQLValue(fact.administration),
      ])
  }

  private func update(
    _ change: AnswerRecorded.DoseChange, answer: AnswerFact
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

  // MARK: Administrations

  /// Creates the MedicationAdministration and returns its id.
  func create(
    _ content: AdministrationResource.Content, of medicine: Medicine, by right: Authorization
  ) throws(AnswerError) -> AdministrationID {
    let id: AdministrationID = context.newID()
    let json = AdministrationResource.make(
      content, of: medicine, patient: patient, zone: zone, context: context)
    do {
      _ = try records.create(
        json, type: AdministrationResource.type, id: id.text, authorization: right, at: context.now,
        in: writer)
    } catch {
      throw .records(error)
    }
    return id
  }

  func correct(
    _ administration: AdministrationID, to content: AdministrationResource.Content
  ) throws(AnswerError) {
    try revise(administration) { json in
      AdministrationResource.correct(
        json, to: content, patient: patient, zone: zone, context: context)
    }
  }

  func takeBack(_ administration: AdministrationID) throws(AnswerError) {
    try revise(administration, AdministrationResource.takeBack)
  }

  private func revise(
    _ administration: AdministrationID, _ change: (JSONValue) -> JSONValue
  ) throws(AnswerError) {
    let reading = try AnswerAccess.authorization(.read, patient: patient, context: context)
    let updating = try AnswerAccess.authorization(.update, patient: patient, context: context)
    do {
      let record = try records.read(
        AdministrationResource.type, administration.text, authorization: reading, in: writer)
      _ = try records.update(
        change(record.json()), type: AdministrationResource.type, id: administration.text,
        ifVersion: record.version, authorization: updating, at: context.now, in: writer)
    } catch {
      throw .records(error)
    }
  }

  // MARK: Audit

  private func audit(_ recorded: AnswerRecorded) {
    let subject: (resource: String, id: String, version: Int64?)
    if let dose = recorded.place.dose {
      subject = ("Dose", dose.text, recorded.fact?.doseVersion ?? recorded.doseVersion)
    } else if let administration = recorded.fact?.administration {
      subject = (AdministrationResource.type, administration.text, nil)
    } else {
      // The record's own new version has its entry already.
      return
    }
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .answer, patient: patient,
        resource: subject.resource, resourceID: subject.id, version: subject.version,
        purpose: context.purpose.rawValue, outcome: .success))
  }
}
