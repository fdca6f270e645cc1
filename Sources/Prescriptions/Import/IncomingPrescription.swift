// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// A prescription of a file that is being imported: it becomes a proposal, a plan or nothing new.
struct IncomingPrescription {
  let prescription: ImportPrescription
  let request: MedicationRequestView
  let patient: PatientID
  let source: String
  let context: CommandContext
  let writer: any SQLWriter

  func take(accept: Bool) throws -> ImportOutcome {
    let known = try ProposalRows.all(
      key: prescription.keys.first, patient: patient, in: writer)
    if let same = known.first(where: { $0.digest == prescription.digest }),
      !isNewer(than: known.first, same: same)
    {
      guard accept, same.state == .open else {
        try noteServer(same)
        return .unchanged
      }
      return try finish(same, accept: true)
    }
    let own = try ownPlan()
    if let own, ContentDigest.of(own.request.json) == prescription.digest { return .unchanged }
    let status = request.status ?? "unknown"
    let hasEnded = PlanCommands.hasEnded(status)
    if own == nil, try isCovered() { return .unchanged }
    for earlier in known where earlier.state == .open {
      try ProposalCommands.decide(earlier, .outdated, plan: nil, context, in: writer)
    }
    if let own {
      return try change(own, hasEnded: hasEnded, status: status, known: known, accept: accept)
    }
    if hasEnded {
      if status == "entered-in-error" { return .ignored }
      // There is nothing to decide: it cannot ring, and its doses belong to the history.
      let proposal = try insert(.new, plan: nil)
      return .ended(
        plan: try ProposalCommands.accept(proposal, seen: context.now, context, in: writer))
    }
    if let prior = try priorPlan() {
      return try finish(insert(.changed, plan: prior), accept: accept)
    }
    return try finish(insert(.new, plan: nil), accept: accept)
  }

  /// Imports another version of an existing plan.
  private func change(
    _ own: PlanSnapshot, hasEnded: Bool, status: String, known: [Proposal], accept: Bool
  ) throws -> ImportOutcome {
    guard hasEnded || status == "on-hold" else {
      return try finish(insert(.changed, plan: own.row.plan), accept: accept)
    }
    let plan = own.row.plan
    if PlanCommands.hasEnded(own.row.status) || own.row.status == status {
      // The plan has ended here too: the source's text is stored.
      let proposal = try insert(.stopped, plan: plan)
      _ = try ProposalCommands.accept(proposal, seen: context.now, context, in: writer)
      return .unchanged
    }
    let proposal = try insert(.stopped, plan: plan)
    // The replacement has no answer yet, so the old times remain until it does.
    if prescription.isReplaced { return .proposed(proposal.id, .stopped) }
    // A server is authoritative for its own prescriptions; a file is for the prescription in it.
    let isServer = source.contains("://")
    let isOwnSource = known.contains {
      $0.state == .accepted && (!isServer || $0.source == source)
    }
    let isOwnPerson = context.actor.rights[patient]?.relationship.actsForPatient ?? false
    guard accept || isOwnSource || isOwnPerson else { return .proposed(proposal.id, .stopped) }
    _ = try ProposalCommands.accept(proposal, seen: nil, context, in: writer)
    return .stopped(plan: plan)
  }

  private func finish(_ proposal: Proposal, accept: Bool) throws -> ImportOutcome {
    // Anything that only a person can confirm waits for one, no matter who sent it.
    guard accept, try !ProposalCommands.needsConfirmation(proposal, context, in: writer) else {
      return .proposed(proposal.id, proposal.kind)
    }
    return .accepted(
      plan: try ProposalCommands.accept(proposal, seen: context.now, context, in: writer))
  }

  private func insert(_ kind: Proposal.Kind, plan: PlanID?) throws -> Proposal {
    let proposal = Proposal(
      id: context.newID(), patient: patient, source: source,
      keys: prescription.keys.all, kind: kind, digest: prescription.digest,
      sourceUpdated: prescription.updated, plan: plan, state: .open, request: request,
      created: context.now)
    try ProposalStore.insert(proposal, by: context.actor.accountID, in: writer)
    ProposalCommands.audit(proposal, .create, context, in: writer)
    return proposal
  }

  /// Returns true if the source returned to earlier content, and this is not just an old file imported again.
  private func isNewer(than latest: Proposal?, same: Proposal) -> Bool {
    guard let latest, latest.id != same.id, let mine = prescription.updated,
      let theirs = latest.sourceUpdated
    else { return false }
    return mine > theirs
  }

  /// Returns the plan that the source knows under one of the keys.
  private func ownPlan() throws -> PlanSnapshot? {
    guard let plan = try PlanSources.plan(prescription.keys.all, patient: patient, in: writer),
      let snapshot = try PlanSnapshot.load(plan, patient: patient, in: writer)
    else { return nil }
    if prescription.keys.isWeak {
      // An id without a system may belong to another one, so the medicine must match too.
      let mine = Set(Ingredient.keys(of: request))
      let theirs = Ingredient.keys(column: snapshot.row.ingredients)
      if mine.isDisjoint(with: theirs) { return nil }
    }
    return snapshot
  }

  /// Records that the same prescription exists on another server, which receives answers too.
  private func noteServer(_ same: Proposal) throws {
    guard source.contains("://"), source != same.source, same.state == .accepted,
      let plan = same.plan
    else { return }
    try PlanSources.note(prescription.keys.all, plan: plan, patient: patient, in: writer)
  }

  /// Returns true if the prescription that it carries out is known here with the same medicine, so that its
  /// doses would be given twice.
  private func isCovered() throws -> Bool {
    guard !prescription.basisKeys.isEmpty else { return false }
    let mine = Set(Ingredient.keys(of: request))
    if let plan = try PlanSources.plan(prescription.basisKeys, patient: patient, in: writer),
      let basis = try PlanSnapshot.load(plan, patient: patient, in: writer)
    {
      return CoveredPrescriptions.statesDoses(basis.request)
        && !mine.isDisjoint(with: Ingredient.keys(column: basis.row.ingredients))
    }
    return try ProposalRows.open(patient: patient, in: writer).contains { waiting in
      !Set(waiting.keys).isDisjoint(with: prescription.basisKeys)
        && CoveredPrescriptions.statesDoses(waiting.request)
        && !mine.isDisjoint(with: Ingredient.keys(of: waiting.request))
    }
  }

  private func priorPlan() throws -> PlanID? {
    guard !prescription.priorKeys.isEmpty else { return nil }
    return try PlanSources.plan(prescription.priorKeys, patient: patient, in: writer)
  }
}
