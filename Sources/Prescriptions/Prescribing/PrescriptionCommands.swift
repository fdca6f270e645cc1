// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Identifiers
import Knowledge
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// The commands of a practitioner for a patient who shares medicines with them.
///
/// A prescription, and everything that starts doses again, waits for the patient as a proposal; a stop or a
/// pause takes effect at once and is announced. Each command checks in its transaction that the
/// practitioner still has access.
package struct PrescriptionCommands: Sendable {
  static let longestReason = 500

  let patient: PatientID
  let accounts: AccountStore
  let context: CommandContext

  /// Creates the commands for one patient.
  package init(patient: PatientID, accounts: AccountStore, context: CommandContext) {
    self.patient = patient
    self.accounts = accounts
    self.context = context
  }

  /// Sends a new or changed prescription to the patient, under an identifier from the form.
  ///
  /// Sending the same identifier again changes nothing. The interaction check is part of the transaction.
  /// Severe findings must have been confirmed; the confirmation is stored and audited.
  ///
  /// - Parameters:
  ///   - plan: The prescription to change; nil for a new one.
  ///   - confirmed: The keys of the findings that the practitioner confirmed having seen.
  /// - Throws: `wrongPatient` if the typed identity is not the patient's; `unseenFindings` for a severe
  ///   finding that was not confirmed; `notYours` for a plan of another prescriber.
  @discardableResult
  package func prescribe(
    _ draft: PlanDraft, id: ProposalID, changing plan: PlanID? = nil, identity: PatientIdentity,
    list: InteractionList = .shipped, confirmed: Set<String> = [], in writer: any SQLWriter
  ) throws -> ProposalID {
    let context = try prescribing(in: writer)
    if try ProposalRows.load(id, patient: patient, in: writer) != nil { return id }
    let existing = try plan.map { try own($0, context, in: writer) }
    guard try identity.isOf(patient, in: writer) else { throw CareTeamError.wrongPatient }
    let request = try request(draft, replacing: existing, context, in: writer)
    let check = try check(draft, id: id, changing: plan, list: list, in: writer)
    guard confirmed.isSuperset(of: check.severe.map(\.key)) else {
      throw CareTeamError.unseenFindings
    }
    try PlanCommands.checkFrequency(
      request, subjects: [existing?.row.plan.text].compactMap(\.self),
      confirmed: draft.confirmations, patient: patient,
      person: try PlanCommands.person(patient, in: writer), context, in: writer)
    let proposal = try propose(
      request, id: id, kind: existing == nil ? .new : .changed, plan: existing?.row.plan, context,
      in: writer)
    try ConfirmedFindings.keep(check.severe, of: proposal, context, in: writer)
    if !draft.confirmations.isEmpty {
      // The prescriber is responsible for the schedule: Today and the medicine's page name who
      // confirmed it, and the patient need not confirm it again.
      let right = try PlanCommands.authorize(.create, patient: patient, context)
      try PlanConfirmations.save(
        draft.confirmations, of: proposal.id.text, right, context, in: writer)
    }
    return proposal.id
  }

  /// Checks a prescription against the data that are shared with the practitioner.
  ///
  /// - Parameter plan: The prescription that the draft changes; nil for a new one.
  package func check(
    _ draft: PlanDraft, id: ProposalID, changing plan: PlanID?, list: InteractionList,
    region: Region = .uk, in reader: any SQLReader
  ) throws -> MedicineCheck {
    let context = try prescribing(in: reader)
    let zone = try context.zones.zone(try PlanCommands.person(patient, in: reader).zone)
    return try MedicineChecker(
      list: list, patient: patient, actor: context.actor, region: region, now: context.now,
      zone: zone
    ).check(
      IncomingMedicine(id: plan?.text ?? id.text, draft: draft, isChange: plan != nil), in: reader)
  }

  /// Returns the plan that would result if the patient accepted; call it only in a transaction that is
  /// undone.
  package func trial(
    _ draft: PlanDraft, changing plan: PlanID?, in writer: any SQLWriter
  ) throws -> Plan {
    let context = try prescribing(in: writer)
    let existing = try plan.map { try own($0, context, in: writer) }
    let made = try PlanCommands.takeOver(
      try request(draft, replacing: existing, context, in: writer), patient: patient,
      replacing: existing?.row.plan, confirmed: draft.confirmations, context: context, in: writer)
    guard let found = try PlanQueries.plan(made, patient: patient, in: writer) else {
      throw CareTeamError.notFound
    }
    return found
  }

  /// Stops a medicine or puts it on hold; this takes effect at once, and the patient is notified.
  ///
  /// - Parameter reason: The reason, of 1 to 500 characters.
  /// - Throws: `alreadyEnded`, `reason`, or `wrongPatient` if the typed identity is not the patient's.
  package func end(
    _ plan: PlanID, isHold: Bool, reason: String, identity: PatientIdentity,
    in writer: any SQLWriter
  ) throws {
    let context = try prescribing(in: writer)
    guard let found = try PlanSnapshot.load(plan, patient: patient, in: writer) else {
      throw CareTeamError.notFound
    }
    let status = isHold ? "on-hold" : "stopped"
    guard !PlanCommands.hasEnded(found.row.status), found.row.status != status else {
      throw CareTeamError.alreadyEnded
    }
    let words = DraftText.trimmed(reason)
    guard (1...Self.longestReason).contains(words.count) else { throw CareTeamError.reason }
    guard try identity.isOf(patient, in: writer) else { throw CareTeamError.wrongPatient }
    var request = found.request.json
    request["status"] = .string(status)
    request["statusReason"] = ["text": .string(words)]
    let proposal = try propose(
      request, id: context.newID(), kind: .stopped, plan: plan, context, in: writer)
    _ = try ProposalCommands.importing {
      try ProposalCommands.accept(proposal, seen: nil, context, in: writer)
    }
  }

  /// Proposes that a medicine on hold continues as before, and returns the proposal.
  ///
  /// - Throws: `alreadyEnded` if it is not on hold, or if the patient paused it.
  @discardableResult
  package func resume(_ plan: PlanID, in writer: any SQLWriter) throws -> ProposalID {
    let context = try prescribing(in: writer)
    guard let found = try PlanSnapshot.load(plan, patient: patient, in: writer) else {
      throw CareTeamError.notFound
    }
    guard found.row.status == "on-hold", !found.plan.isPausedHere else {
      throw CareTeamError.alreadyEnded
    }
    var request = found.request.json
    request["status"] = "active"
    request["statusReason"] = nil
    return try propose(
      request, id: context.newID(), kind: .changed, plan: plan, context, in: writer
    ).id
  }

  /// Withdraws a proposal that the patient has not answered yet.
  package func withdraw(_ proposal: ProposalID, in writer: any SQLWriter) throws {
    let context = try prescribing(in: writer)
    let waiting = try PrescriptionQueries.waiting(
      of: patient, by: context.actor.accountID, in: writer)
    guard let found = waiting.first(where: { $0.id == proposal }) else {
      throw CareTeamError.notFound
    }
    try ProposalCommands.decide(found, .outdated, plan: nil, context, in: writer)
  }

  // MARK: Parts

  func prescribing(in reader: any SQLReader) throws -> CommandContext {
    try CareContext.prescribing(context, patient: patient, accounts: accounts, in: reader)
  }

  /// Returns an active prescription of this practitioner.
  private func own(
    _ plan: PlanID, _ context: CommandContext, in reader: any SQLReader
  ) throws -> PlanSnapshot {
    guard let found = try PlanSnapshot.load(plan, patient: patient, in: reader) else {
      throw CareTeamError.notFound
    }
    guard Prescriber(found.request)?.account == context.actor.accountID else {
      throw CareTeamError.notYours
    }
    guard !PlanCommands.hasEnded(found.row.status) else { throw CareTeamError.alreadyEnded }
    return found
  }

  private func request(
    _ draft: PlanDraft, replacing existing: PlanSnapshot?, _ context: CommandContext,
    in reader: any SQLReader
  ) throws -> JSONValue {
    let person = try PlanCommands.person(patient, in: reader)
    let zone = try context.zones.zone(person.zone)
    let issues = draft.issues(
      today: zone.date(at: Instant(context.now)), zone: zone, rhythm: person.rhythm)
    if !issues.isEmpty { throw PlanError.invalid(issues) }
    var before = existing?.request.json
    for element in ["authoredOn", "statusReason", "id", "meta", "text"] { before?[element] = nil }
    var request = draft.medicationRequest(
      patient: patient, authoredOn: context.now, zone: zone, replacing: before)
    request["intent"] = "order"
    Prescriber(account: context.actor.accountID, name: context.byName).write(into: &request)
    if Self.identifier(of: request) == nil {
      request["identifier"] = .array(
        (request["identifier"]?.array ?? []) + [
          [
            "system": .string(Prescriber.prescriptionSystem),
            "value": .string(context.newIdentifier()),
          ]
        ])
    }
    PrescribedPolicy.write(draft, into: &request)
    return request
  }

  func propose(
    _ request: JSONValue, id: ProposalID, kind: Proposal.Kind, plan: PlanID?,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> Proposal {
    var content = request
    content["id"] = nil
    content["meta"] = nil
    let key = "\(Prescriber.prescriptionSystem)|\(Self.identifier(of: content) ?? id.text)"
    // Earlier unanswered proposals from here were based on the old prescription. Proposals from other sources
    // stay open: they would not come again.
    let own = Set(
      try PrescriptionQueries.waiting(of: patient, by: context.actor.accountID, in: writer)
        .map(\.id))
    for earlier in try ProposalRows.open(patient: patient, in: writer)
    where earlier.keys.first == key
      || (plan != nil && earlier.plan == plan && own.contains(earlier.id))
    {
      try ProposalCommands.decide(earlier, .outdated, plan: nil, context, in: writer)
    }
    let proposal = Proposal(
      id: id, patient: patient, source: context.byName, keys: [key], kind: kind,
      digest: ContentDigest.of(content), sourceUpdated: context.now.milliseconds, plan: plan,
      state: .open, request: MedicationRequestView(content), created: context.now)
    try ProposalStore.insert(proposal, by: context.actor.accountID, in: writer)
    ProposalCommands.audit(proposal, .create, context, in: writer)
    return proposal
  }

  private static func identifier(of request: JSONValue) -> String? {
    request["identifier"]?.array?.first {
      $0["system"]?.string == Prescriber.prescriptionSystem
    }?["value"]?.string
  }
}
