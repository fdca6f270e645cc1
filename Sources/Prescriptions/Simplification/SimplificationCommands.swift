// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Knowledge
import People
import Plans
import Storage

/// Why a proposal of times was not taken over.
package enum IntakeError: Error, Sendable, Hashable {
  /// Medicines, meals or the list are others than when it was seen.
  case outdated
  /// It changes nothing.
  case nothing
}

/// A proposal with what it was made from.
///
/// It is made before the transaction in which it is taken over: planning may take long, and others wait for the writer.
package struct PlannedIntakes: Sendable {
  package let basis: IntakeBasis
  package let proposal: IntakeProposal

  package init(_ basis: IntakeBasis, _ proposal: IntakeProposal) {
    self.basis = basis
    self.proposal = proposal
  }

  /// - Parameter left: medicines that the person wants left where they are.
  package init(_ basis: IntakeBasis, leaving left: Set<PlanID> = []) {
    self.init(basis, SimplificationPlanner.propose(basis.situation.leaving(left)))
  }
}

/// Takes over a proposal of times: all of it in the given transaction, or nothing.
package enum SimplificationCommands {
  /// - Parameter digest: what was seen.
  /// - Returns: what was changed.
  package static func takeOver(
    _ planned: PlannedIntakes, _ list: InteractionList, digest: String?, patient: PatientID,
    context: CommandContext, in writer: any SQLWriter
  ) throws -> [IntakeChange] {
    _ = try PlanCommands.authorize(.update, patient: patient, context)
    let basis = planned.basis
    let changes = try changes(
      planned, list, digest: digest, patient: patient, prescriber: nil, context, writer)
    for change in changes {
      _ = try PlanCommands.edit(
        change.medicine, try draft(of: change, basis),
        ifVersion: basis.versions[change.medicine], context: context, in: writer)
    }
    return changes
  }

  /// What is to be changed, where it is what was seen and was made from what is stored now; at least one.
  static func changes(
    _ planned: PlannedIntakes, _ list: InteractionList, digest: String?, patient: PatientID,
    prescriber: AccountID?, _ context: CommandContext, _ writer: any SQLWriter
  ) throws -> [IntakeChange] {
    let basis = planned.basis
    if let digest, basis.digest(of: planned.proposal) != digest { throw IntakeError.outdated }
    let stored = try IntakeReading.read(
      list, patient: patient, prescriber: prescriber, now: context.now, zones: context.zones,
      in: writer)
    guard stored.inputs == basis.inputs else { throw IntakeError.outdated }
    let changes = planned.proposal.changes
    guard !changes.isEmpty else { throw IntakeError.nothing }
    return changes
  }

  static func draft(
    of change: IntakeChange, _ basis: IntakeBasis
  ) throws(IntakeError) -> PlanDraft {
    guard let draft = basis.drafts[change.medicine].flatMap(change.applied) else {
      throw .outdated
    }
    return draft
  }
}

extension PrescriptionCommands {
  /// Proposes other times to the patient, a medicine at a time; what the plans say besides stays.
  ///
  /// Its own prescriptions, and what the patient entered without one.
  package func retime(
    _ planned: PlannedIntakes, _ list: InteractionList, digest: String?,
    identity: PatientIdentity, in writer: any SQLWriter
  ) throws -> [IntakeChange] {
    let context = try prescribing(in: writer)
    guard try identity.isOf(patient, in: writer) else { throw CareTeamError.wrongPatient }
    let basis = planned.basis
    let changes = try SimplificationCommands.changes(
      planned, list, digest: digest, patient: patient, prescriber: context.actor.accountID,
      context, writer)
    for change in changes {
      guard let found = try PlanSnapshot.load(change.medicine, patient: patient, in: writer) else {
        throw CareTeamError.notFound
      }
      let draft = try SimplificationCommands.draft(of: change, basis)
      _ = try propose(
        draft.medicationRequest(
          patient: patient, authoredOn: nil, zone: basis.zone, replacing: found.request.json),
        id: context.newID(), kind: .changed, plan: change.medicine, context, in: writer)
    }
    return changes
  }

  /// What the patient's yes to all would make; only ever within a transaction that is given up.
  package func trialOfTimes(
    _ planned: PlannedIntakes, _ list: InteractionList, in writer: any SQLWriter
  ) throws {
    let context = try prescribing(in: writer)
    let basis = planned.basis
    let changes = try SimplificationCommands.changes(
      planned, list, digest: nil, patient: patient, prescriber: context.actor.accountID,
      context, writer)
    for change in changes {
      guard let found = try PlanSnapshot.load(change.medicine, patient: patient, in: writer) else {
        throw CareTeamError.notFound
      }
      let draft = try SimplificationCommands.draft(of: change, basis)
      _ = try PlanCommands.takeOver(
        draft.medicationRequest(
          patient: patient, authoredOn: nil, zone: basis.zone, replacing: found.request.json),
        patient: patient, replacing: change.medicine, context: context, in: writer)
    }
  }
}
