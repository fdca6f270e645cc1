// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage

/// Records answers within the transaction of one command: the fact, the dose it answers, its
/// MedicationAdministration and the audit entry.
///
/// Everything else that follows from an answer is an ``AnswerConsequence``.
package struct AnswerLedger {
  /// The patient whose answers are recorded.
  package let patient: PatientID
  /// The identifier of the patient's time zone, for times in FHIR resources; UTC is used if nil or
  /// unknown.
  package let zone: String?
  /// The actor, clock, identifiers and consequences of the command.
  package let context: CommandContext
  /// The transaction in which everything is written.
  package let writer: any SQLWriter
  private let records = RecordStore()

  /// Creates a ledger for one command on a patient.
  package init(patient: PatientID, zone: String?, context: CommandContext, writer: any SQLWriter) {
    self.patient = patient
    self.zone = zone
    self.context = context
    self.writer = writer
  }

  // MARK: Facts

  /// Records an answer and carries out everything that follows from it.
  ///
  /// Every way of answering ends here.
  package func record(_ recorded: AnswerRecorded) throws(AnswerError) {
    try storing { () throws(StorageError) in
      guard let fact = recorded.fact else { return }
      try AnswerStore.insert(
        AnswerRow(
          patient: patient, place: recorded.place, fact: fact, recorded: context.now,
          account: context.actor.accountID, byName: context.byName), in: writer)
      if let change = recorded.dose { try DoseStore.record(change, answer: fact, in: writer) }
    }
    // Before the entries that the consequences write.
    audit(recorded)
    for consequence in context.consequences[AnswerConsequence.self] {
      try consequence.carryOut(recorded, self)
    }
  }

  // MARK: Administrations

  /// Creates the MedicationAdministration.
  func create(
    _ content: AdministrationResource.Content, of medicine: Medicine, by right: Authorization
  ) throws(AnswerError) -> StoredRecord {
    try create(
      AdministrationResource.make(
        content, of: medicine, patient: patient, zone: zone, context: context), by: right)
  }

  /// Creates the MedicationAdministration from a record as another system sent it.
  func create(_ resource: JSONValue, by right: Authorization)
    throws(AnswerError) -> StoredRecord
  {
    let id: AdministrationID = context.newID()
    do {
      return try records.create(
        resource, type: AdministrationResource.type, id: id.text, authorization: right,
        at: context.now, in: writer)
    } catch {
      throw .records(error)
    }
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
        ifVersion: record.version, replacing: record, authorization: updating, at: context.now,
        in: writer)
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
      // The record's new version already has its entry.
      return
    }
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .answer, patient: patient,
        resource: subject.resource, resourceID: subject.id, version: subject.version,
        purpose: context.purpose.rawValue, outcome: .success))
  }
}
