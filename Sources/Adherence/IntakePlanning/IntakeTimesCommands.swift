// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Knowledge
import Storage

/// Why a proposal of times was not taken over.
package enum IntakeError: Error, Sendable, Hashable {
  /// Medicines, meals or the list are others than when it was seen.
  case outdated
  /// It changes nothing.
  case nothing
}

/// Takes over a proposal of times: all of it in the given transaction, or nothing.
package enum IntakeTimesCommands {
  /// - Parameters:
  ///   - left: medicines that the person wants left where they are.
  ///   - digest: what was seen.
  /// - Returns: what was changed.
  package static func takeOver(
    _ list: InteractionList, leaving left: Set<String>, digest: String?, patient: String,
    context: CommandContext, in writer: any SQLWriter
  ) throws -> [IntakeChange] {
    _ = try PlanCommands.authorize(.update, patient: patient, context)
    let (basis, proposal) = try read(
      list, leaving: left, digest: digest, patient: patient, prescriber: nil, context, writer)
    let changes = proposal.changes
    guard !changes.isEmpty else { throw IntakeError.nothing }
    for change in changes {
      _ = try PlanCommands.edit(
        change.medicine, try draft(of: change, basis),
        ifVersion: basis.versions[change.medicine], context: context, in: writer)
    }
    return changes
  }

  static func read(
    _ list: InteractionList, leaving left: Set<String>, digest: String?, patient: String,
    prescriber: String?, _ context: CommandContext, _ writer: any SQLWriter
  ) throws -> (IntakeBasis, IntakeProposal) {
    let basis = try IntakeReading.read(
      list, patient: patient, prescriber: prescriber, now: context.now, zones: context.zones,
      in: writer)
    let proposal = IntakePlanner.propose(basis.situation.leaving(left))
    if let digest, basis.digest(of: proposal) != digest { throw IntakeError.outdated }
    return (basis, proposal)
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
    _ list: InteractionList, leaving left: Set<String>, digest: String?,
    identity: PatientIdentity, in writer: any SQLWriter
  ) throws -> [IntakeChange] {
    let context = try prescribing(in: writer)
    guard try identity.isOf(patient, in: writer) else { throw CareTeamError.wrongPatient }
    let (basis, proposal) = try IntakeTimesCommands.read(
      list, leaving: left, digest: digest, patient: patient,
      prescriber: context.actor.accountID, context, writer)
    let changes = proposal.changes
    guard !changes.isEmpty else { throw IntakeError.nothing }
    for change in changes {
      guard let found = try PlanSnapshot.load(change.medicine, patient: patient, in: writer) else {
        throw CareTeamError.notFound
      }
      let draft = try IntakeTimesCommands.draft(of: change, basis)
      _ = try propose(
        draft.medicationRequest(
          patient: patient, authoredOn: nil, zone: basis.zone, replacing: found.request.json),
        id: context.newIdentifier(), kind: .changed, plan: change.medicine, context, in: writer)
    }
    return changes
  }

  /// What the patient's yes to all would make; only ever within a transaction that is given up.
  package func trialOfTimes(
    _ list: InteractionList, leaving left: Set<String>, in writer: any SQLWriter
  ) throws {
    let context = try prescribing(in: writer)
    let (basis, proposal) = try IntakeTimesCommands.read(
      list, leaving: left, digest: nil, patient: patient, prescriber: context.actor.accountID,
      context, writer)
    for change in proposal.changes {
      guard let found = try PlanSnapshot.load(change.medicine, patient: patient, in: writer) else {
        throw CareTeamError.notFound
      }
      let draft = try IntakeTimesCommands.draft(of: change, basis)
      _ = try PlanCommands.takeOver(
        draft.medicationRequest(
          patient: patient, authoredOn: nil, zone: basis.zone, replacing: found.request.json),
        patient: patient, replacing: change.medicine, context: context, in: writer)
    }
  }
}
