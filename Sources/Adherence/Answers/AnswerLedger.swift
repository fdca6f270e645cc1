// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Records
import Scheduling
import Storage

/// Writes what answers leave behind, all within the transaction of one command: the fact itself,
/// its MedicationAdministration, the intake that the double-dose question reads, the audit entry.
struct AnswerLedger {
  /// Where an answer belongs: a dose, a plan alone (an extra intake) or neither (a free entry).
  struct Place: Sendable, Hashable {
    var plan: String?
    var era: Int64?
    var occurrence: String?

    init(_ dose: DoseID) {
      plan = dose.plan
      era = dose.era
      occurrence = dose.occurrence.text
    }

    init(plan: String?) {
      self.plan = plan
    }
  }

  let patient: String
  let zone: String?
  let context: CommandContext
  let writer: any SQLWriter
  private let records = RecordStore()

  init(patient: String, zone: String?, context: CommandContext, writer: any SQLWriter) {
    self.patient = patient
    self.zone = zone
    self.context = context
    self.writer = writer
  }

  // MARK: Facts

  func insert(_ fact: AnswerFact, at place: Place) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO answers (patient, answer, plan, era, occurrence, event, action, at, recorded,
        account, by_name, reason, amount_value, amount_unit, minutes, dose_version, corrects,
        administration)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
      """,
      [
        .text(patient), .text(fact.id), SQLValue(place.plan), SQLValue(place.era),
        SQLValue(place.occurrence), SQLValue(fact.event), .text(fact.action.rawValue),
        SQLValue(fact.at), SQLValue(context.now), .text(context.actor.accountID),
        .text(context.byName), SQLValue(fact.reason), SQLValue(fact.amount?.value),
        SQLValue(fact.amount?.unit), SQLValue(fact.minutes), SQLValue(fact.doseVersion),
        SQLValue(fact.corrects), SQLValue(fact.administration),
      ])
    if place.plan != nil {
      try WarningSilence.heard(fact, patient: patient, at: context.now, in: writer)
      try MessageEngine.wake(patient, at: context.now, in: writer)
    }
  }

  // MARK: Intakes

  func insertIntake(
    _ administration: String, of medicine: Medicine, taken: Timestamp, amount: Amount?,
    at place: Place
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO intakes (patient, administration, plan, era, occurrence, medicine_name,
        ingredients, taken, recorded, by_name, amount_value, amount_unit)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """,
      [
        .text(patient), .text(administration), SQLValue(place.plan), SQLValue(place.era),
        SQLValue(place.occurrence), .text(medicine.shownName), .text(medicine.ingredients),
        SQLValue(taken), SQLValue(context.now), .text(context.byName), SQLValue(amount?.value),
        SQLValue(amount?.unit),
      ])
    try bookStock(administration, of: medicine, taken: taken, amount: amount)
  }

  func removeIntake(_ administration: String) throws(StorageError) {
    try writer.execute(
      "DELETE FROM intakes WHERE patient = $1 AND administration = $2",
      [.text(patient), .text(administration)])
    try unbookStock(administration)
  }

  // MARK: Administrations

  /// Creates the MedicationAdministration and returns its id.
  func create(
    _ content: AdministrationResource.Content, of medicine: Medicine, by right: Authorization
  ) throws(AnswerError) -> String {
    let id = context.newIdentifier()
    let json = AdministrationResource.make(
      content, of: medicine, patient: patient, zone: zone, context: context)
    do {
      _ = try records.create(
        json, type: AdministrationResource.type, id: id, authorization: right, at: context.now,
        in: writer)
    } catch {
      throw .records(error)
    }
    return id
  }

  func correct(
    _ administration: String, to content: AdministrationResource.Content
  ) throws(AnswerError) {
    try revise(administration) { json in
      AdministrationResource.correct(
        json, to: content, patient: patient, zone: zone, context: context)
    }
  }

  func takeBack(_ administration: String) throws(AnswerError) {
    try revise(administration, AdministrationResource.takeBack)
    try storing { () throws(StorageError) in try removeIntake(administration) }
  }

  private func revise(
    _ administration: String, _ change: (JSONValue) -> JSONValue
  ) throws(AnswerError) {
    let reading = try AnswerAccess.authorization(.read, patient: patient, context: context)
    let updating = try AnswerAccess.authorization(.update, patient: patient, context: context)
    do {
      let record = try records.read(
        AdministrationResource.type, administration, authorization: reading, in: writer)
      _ = try records.update(
        change(record.json()), type: AdministrationResource.type, id: administration,
        ifVersion: record.version, authorization: updating, at: context.now, in: writer)
    } catch {
      throw .records(error)
    }
  }

  // MARK: Audit

  func audit(_ resource: String, _ id: String, version: Int64?) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .answer, patient: patient,
        resource: resource, resourceID: id, version: version,
        purpose: context.purpose.rawValue, outcome: .success))
  }
}
