// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import FHIR
import Identifiers
import People
import Plans
import Records
import Reminders
import Scheduling
import Storage
import TimeZones

/// The commands on the question whether an as-needed dose helped.
package enum FollowUpCommands {
  /// The resource name of a choice in the audit trail.
  package static let resource = "FollowUpChoice"

  // MARK: Questions

  /// Sets the question about a dose, unless the medicine is not taken as needed, or the person wants none.
  static func ask(
    about administration: AdministrationID, of plan: PlanID, taken: Timestamp, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let facts = try FollowUpRows.plan(plan, patient: patient, in: writer), facts.isAsked,
      let question = FollowUp(
        administration, plan: plan, taken: taken, minutes: facts.timing.minutes, now: context.now)
    else { return }
    guard try FollowUpStore.keep(question, patient: patient, in: writer) else { return }
    try tell(question, patient: patient, context: context, in: writer)
  }

  /// Removes the question about a dose that was taken back; its answer becomes an error.
  static func withdraw(
    _ administration: AdministrationID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) {
    let question = try storing { () throws(StorageError) in
      try FollowUpRows.one(administration, patient: patient, in: writer)
    }
    guard let question else { return }
    try storing { () throws(StorageError) in
      try cancel(question, patient: patient, at: context.now, in: writer)
      try FollowUpStore.delete(administration, patient: patient, in: writer)
    }
    guard let id = question.observation,
      let reading = try? context.authorize(.read, FollowUpObservation.type, of: patient),
      let updating = try? context.authorize(.update, FollowUpObservation.type, of: patient)
    else { return }
    do {
      try revise(id, reading, updating, at: context.now, in: writer)
    } catch {
      throw .records(error)
    }
  }

  /// Marks an Observation as an error; one that was deleted stays deleted.
  private static func revise(
    _ id: String, _ reading: Authorization, _ updating: Authorization, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(RecordsError) {
    let store = RecordStore()
    let record: StoredRecord
    do throws(RecordsError) {
      record = try store.read(
        FollowUpObservation.type, id, authorization: reading, in: writer)
    } catch {
      guard error == .gone || error == .notFound else { throw error }
      return
    }
    _ = try store.update(
      FollowUpObservation.takeBack(record.json()), type: FollowUpObservation.type, id: id,
      ifVersion: record.version, replacing: record, authorization: updating, at: now, in: writer)
  }

  private static func tell(
    _ question: FollowUp, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    try AlertCommands.open(
      DiaryAlert.followUp.alert(
        about: question.administration, time: question.asked, patient: patient, due: question.due,
        ends: question.ends),
      newIdentifier: context.newIdentifier, at: context.now, in: writer)
  }

  private static func cancel(
    _ question: FollowUp, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try AlertCommands.cancel(
      source: DiaryAlert.followUp.source(of: question.administration),
      kind: DiaryAlert.followUp.kind, patient: patient, at: now, in: writer)
  }

  // MARK: Answers

  /// Stores an answer as an Observation; a later answer about the same dose replaces it.
  ///
  /// "Too early to say" stores nothing, and the question comes again after the same time.
  ///
  /// - Throws: ``FollowUpError``, `DenialReason` or `RecordsError`.
  package static func answer(
    _ answer: FollowUpAnswer, about administration: AdministrationID, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws {
    // Someone who may not log a dose does not learn that there is a question about it.
    _ = try context.authorize(.update, AdministrationResource.type, of: patient)
    guard let question = try FollowUpRows.one(administration, patient: patient, in: writer) else {
      throw FollowUpError.notFound
    }
    let creating = try context.authorize(.create, FollowUpObservation.type, of: patient)
    if answer == .tooEarly {
      guard question.observation == nil, context.now < question.ends else {
        throw FollowUpError.closed
      }
      try cancel(question, patient: patient, at: context.now, in: writer)
      guard let again = question.again(at: context.now) else {
        return try FollowUpStore.end(question, patient: patient, at: context.now, in: writer)
      }
      _ = try FollowUpStore.keep(again, patient: patient, in: writer)
      return try tell(again, patient: patient, context: context, in: writer)
    }
    let resource = FollowUpObservation.make(
      answer, about: administration, patient: patient, byName: context.byName,
      effective: try localText(context, patient: patient, in: writer),
      isCorrection: question.observation != nil)
    let store = RecordStore()
    if let id = question.observation {
      let updating = try context.authorize(.update, FollowUpObservation.type, of: patient)
      _ = try store.update(
        resource, type: FollowUpObservation.type, id: id, ifVersion: nil, authorization: updating,
        at: context.now, in: writer)
      return
    }
    let record = try store.create(
      resource, type: FollowUpObservation.type, id: context.newIdentifier(),
      authorization: creating, at: context.now, in: writer)
    try FollowUpStore.answer(question, with: record.id, patient: patient, in: writer)
    try cancel(question, patient: patient, at: context.now, in: writer)
  }

  /// Returns the time of the command with the offset of the patient's zone.
  private static func localText(
    _ context: CommandContext, patient: PatientID, in reader: any SQLReader
  ) throws -> String {
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: reader)
    return FHIRDateTime.instantText(
      milliseconds: context.now.milliseconds,
      offsetMinutes: zone.offsetSeconds(at: Instant(context.now)) / 60)
  }

  // MARK: Choices

  /// Saves the choice for a medicine; questions that were set keep their time.
  ///
  /// - Throws: ``FollowUpError`` or `DenialReason`.
  package static func choose(
    _ choice: FollowUpChoice, ofPlan plan: PlanID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try context.authorize(.update, "MedicationRequest", of: patient)
    guard choice.minutes.map({ FollowUpTiming.allowed.contains($0) }) ?? true else {
      throw FollowUpError.minutes
    }
    guard try FollowUpRows.plan(plan, patient: patient, in: writer) != nil else {
      throw FollowUpError.notFound
    }
    try FollowUpStore.keep(choice, ofPlan: plan, patient: patient, in: writer)
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .update, patient: patient,
        resource: resource, resourceID: plan.text, version: nil,
        purpose: context.purpose.rawValue, outcome: .success))
  }
}
