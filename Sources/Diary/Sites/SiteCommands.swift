// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import FHIR
import Identifiers
import People
import Plans
import Records
import Reminders
import Storage

/// The commands on sites, and on what is worn there.
package enum SiteCommands {
  /// The resource name of a choice in the audit trail.
  package static let resource = "SiteChoice"
  /// The time for which a removal rings at most, in milliseconds.
  private static let ringing: Int64 = 24 * 3_600_000

  /// Saves the choice for a medicine; doses that were logged keep their removal time.
  ///
  /// - Throws: ``SiteError`` or `DenialReason`.
  package static func choose(
    _ choice: SiteChoice, ofPlan plan: PlanID, patient: PatientID, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    _ = try context.authorize(.update, "MedicationRequest", of: patient)
    if let minutes = choice.wearMinutes, !SiteChoice.wear.contains(minutes) {
      throw SiteError.wear
    }
    guard try PlanQueries.plan(plan, patient: patient, in: writer) != nil else {
      throw SiteError.notFound
    }
    try SiteStore.keep(choice, ofPlan: plan, patient: patient, in: writer)
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .update, patient: patient,
        resource: resource, resourceID: plan.text, version: nil,
        purpose: context.purpose.rawValue, outcome: .success))
  }

  // MARK: Doses

  /// Notes a dose of a medicine whose sites are recorded, with the reminder to take it off.
  static func note(
    _ administration: AdministrationID, of plan: PlanID, used: Timestamp, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let choice = try SiteQueries.choice(ofPlan: plan, patient: patient, in: writer),
      choice.isOn
    else { return }
    let due = choice.wearMinutes.map { used.adding(milliseconds: Int64($0) * 60_000) }
    try SiteStore.keep(
      SiteUse(
        administration: administration, plan: plan, site: nil, used: used, reactions: [],
        removeDue: due, removed: nil), patient: patient, in: writer)
    guard let due, due > context.now.adding(milliseconds: -ringing) else { return }
    try AlertCommands.open(
      DiaryAlert.removal.alert(
        about: administration, time: 1, patient: patient, due: max(due, context.now),
        ends: max(due, context.now).adding(milliseconds: ringing)),
      newIdentifier: context.newIdentifier, at: context.now, in: writer)
  }

  /// Forgets a dose that was taken back.
  static func withdraw(
    _ administration: AdministrationID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try cancelReminder(of: administration, patient: patient, at: now, in: writer)
    try SiteStore.delete(administration, patient: patient, in: writer)
  }

  private static func cancelReminder(
    of administration: AdministrationID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try AlertCommands.cancel(
      source: DiaryAlert.removal.source(of: administration), kind: DiaryAlert.removal.kind,
      patient: patient, at: now, in: writer)
  }

  // MARK: Sites

  /// Records the site of a dose with the reactions there, also in its MedicationAdministration.
  ///
  /// - Throws: ``SiteError``, `DenialReason` or `RecordsError`.
  package static func record(
    _ site: BodySite, _ reactions: [SiteReaction], of administration: AdministrationID,
    patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws {
    let type = AdministrationResource.type
    let updating = try context.authorize(.update, type, of: patient)
    let reading = try context.authorize(.read, type, of: patient)
    guard let use = try SiteQueries.use(administration, patient: patient, in: writer),
      let choice = try SiteQueries.choice(ofPlan: use.plan, patient: patient, in: writer)
    else { throw SiteError.notFound }
    guard choice.kind.sites.contains(site) else { throw SiteError.site }
    if use.site != site {
      let store = RecordStore()
      let record = try store.read(
        type, administration.text, authorization: reading, in: writer)
      _ = try store.update(
        AdministrationResource.place(record.json(), at: site.concept), type: type,
        id: administration.text, ifVersion: record.version, replacing: record,
        authorization: updating, at: context.now, in: writer)
    }
    try SiteStore.set(site, reactions, of: use, patient: patient, in: writer)
  }

  /// Logs that something worn was taken off, early, on time or late, and ends its reminder.
  ///
  /// - Throws: ``SiteError`` or `DenialReason`.
  package static func remove(
    _ administration: AdministrationID, at time: Timestamp? = nil, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try context.authorize(.update, AdministrationResource.type, of: patient)
    guard let use = try SiteQueries.use(administration, patient: patient, in: writer) else {
      throw SiteError.notFound
    }
    guard use.isWorn else { throw SiteError.notWorn }
    let removed = time ?? context.now
    guard removed >= use.used, removed <= context.now else { throw SiteError.time }
    try SiteStore.remove(use, at: removed, patient: patient, in: writer)
    try cancelReminder(of: administration, patient: patient, at: context.now, in: writer)
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .update, patient: patient,
        resource: AdministrationResource.type, resourceID: administration.text, version: nil,
        purpose: context.purpose.rawValue, outcome: .success))
  }
}

extension AnswerConsequence {
  /// Notes the doses of medicines whose sites are recorded, and forgets them with the dose.
  package static let sites = AnswerConsequence("sites") { (recorded, ledger) throws(AnswerError) in
    guard recorded.possible.mayUseSites else { return }
    let (patient, context, writer) = (ledger.patient, ledger.context, ledger.writer)
    try storing { () throws(StorageError) in
      switch recorded.intake {
      case .counted(let administration, let intake)?, .recounted(let administration, let intake)?:
        guard let plan = recorded.place.plan else { return }
        try SiteCommands.note(
          administration, of: plan, used: intake.taken, patient: patient, context: context,
          in: writer)
      case .uncounted(let administration)?:
        try SiteCommands.withdraw(administration, patient: patient, at: context.now, in: writer)
      case .linked?, nil: return
      }
    }
  }
}
