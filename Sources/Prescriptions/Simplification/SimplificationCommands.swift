// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Knowledge
import People
import Plans
import Storage

/// The reason why a proposal of times was not carried out.
package enum IntakeError: Error, Sendable, Hashable {
  /// The medicines, the meals or the list have changed since the proposal was shown.
  case outdated
  /// The proposal changes nothing.
  case nothing
}

/// A proposal with the data from which it was made.
///
/// It is computed before the transaction that carries it out, because planning can take long and others wait
/// for the writer.
package struct PlannedIntakes: Sendable {
  /// The stored data from which it was made.
  package let basis: IntakeBasis
  /// The proposal.
  package let proposal: IntakeProposal

  /// Creates a pair of data and proposal.
  package init(_ basis: IntakeBasis, _ proposal: IntakeProposal) {
    self.basis = basis
    self.proposal = proposal
  }

  /// Creates the proposal for stored data.
  ///
  /// - Parameter left: The medicines that the person wants to keep at their times.
  package init(_ basis: IntakeBasis, leaving left: Set<PlanID> = []) {
    self.init(basis, SimplificationPlanner.propose(basis.situation.leaving(left)))
  }
}

/// Carries out a proposal of times: all of it in the given transaction, or nothing.
package enum SimplificationCommands {
  /// Changes the times of the patient's plans and returns the changes.
  ///
  /// - Parameter digest: The digest of the proposal that the person saw; nil to skip that comparison, for a
  ///   trial.
  /// - Throws: `outdated` if the stored data have changed since, `nothing` if there is nothing to change.
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

  /// Returns the changes, at least one, if they are what the person saw and match what is stored now.
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
  /// Proposes the new times to the patient, one proposal for each medicine, and returns the changes.
  ///
  /// This is for the practitioner's own prescriptions, and for medicines that the patient entered without
  /// one.
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

  /// Carries out the changes as if the patient had accepted all; call it only in a transaction that is
  /// undone.
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
