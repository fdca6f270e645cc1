// SPDX-License-Identifier: Apache-2.0
import Access
import Dosing
import FHIR
import Identifiers
import People
import Plans
import Records
import Scheduling
import Storage

/// The result of importing a prescription.
package enum ImportOutcome: Sendable, Hashable {
  /// It waits for the person.
  case proposed(ProposalID, Proposal.Kind)
  /// It was already known; nothing changed.
  case unchanged
  /// It became this plan, or changed it.
  case accepted(plan: PlanID)
  /// It ended or paused this plan.
  case stopped(plan: PlanID)
  /// It had ended before it came and is kept for the history.
  case ended(plan: PlanID)
  /// It was entered in error, and nothing was stored.
  case ignored
}

/// The reason why a command on proposals changed nothing.
package enum ImportError: Error, Sendable {
  case notFound
  /// It was already decided differently.
  case decided(Proposal.State)
  case problem(ImportProblemReason)
  case plan(PlanError)
  case answer(AnswerError)
  case storage(StorageError)

  /// Converts the error of a plan's command.
  init(_ error: PlanError) {
    switch error {
    case .notFound: self = .notFound
    case .storage(let error): self = .storage(error)
    default: self = .plan(error)
    }
  }

  /// Converts the error of accepting a dispense.
  init(_ error: DispenseError) {
    switch error {
    case .unreadable(let error): self = .problem(.unreadable(.syntax(error)))
    case .plan(let error): self.init(error)
    }
  }

  /// The underlying error of the database; nil for any other cause.
  package var storageError: StorageError? {
    switch self {
    case .storage(let error), .plan(.storage(let error)), .plan(.records(.storage(let error))),
      .answer(.storage(let error)), .answer(.records(.storage(let error))):
      error
    default: nil
    }
  }

  /// True if the entry broke a rule of the schema; its transaction was undone, and others are unaffected.
  var isConstraintViolation: Bool {
    if case .constraint? = storageError { true } else { false }
  }

  /// True if the database failed, so that the other entries would fail too.
  var isDatabaseFailure: Bool { storageError != nil && !isConstraintViolation }
}

/// Creates proposals from prescriptions of other systems, and carries out the person's decisions.
///
/// Each command works in the given transaction, is audited and changes nothing when it is repeated.
package enum ProposalCommands {
  /// Imports a prescription of a file.
  ///
  /// - Parameters:
  ///   - source: The origin, such as the name of a file.
  ///   - accept: True if it becomes a plan at once.
  package static func propose(
    _ prescription: ImportPrescription, patient: PatientID, source: String, accept: Bool,
    context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) -> ImportOutcome {
    try importing {
      _ = try PlanCommands.authorize(.create, patient: patient, context)
      let taken: JSONValue
      do throws(ImportProblemReason) {
        taken = try prescription.resource(of: patient)
      } catch {
        throw ImportError.problem(error)
      }
      let incoming = IncomingPrescription(
        prescription: prescription, request: MedicationRequestView(taken), patient: patient,
        source: source, context: context, writer: writer)
      return try incoming.take(accept: accept)
    }
  }

  /// Accepts a proposal and returns the plan that it became or changed.
  ///
  /// - Parameter confirmed: The warnings that the person confirmed.
  /// - Throws: `decided` if it was declined or is outdated; `plan` with `tooOften` or `unusualAmounts` for
  ///   a warning that no one has confirmed, or with `supplyUnanswered`.
  @discardableResult
  package static func accept(
    _ proposal: ProposalID, patient: PatientID, confirmed: [PlanConfirmation] = [],
    context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) -> PlanID {
    try importing {
      let found = try load(proposal, patient, .update, context, in: writer)
      if found.state == .accepted, let plan = found.plan { return plan }
      guard found.state == .open else { throw ImportError.decided(found.state) }
      return try accept(
        found, confirmed: confirmed, seen: context.now, context, in: writer)
    }
  }

  /// Declines a proposal; the plan stays as it is.
  ///
  /// A stop that came with a declined replacement takes effect.
  package static func decline(
    _ proposal: ProposalID, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) {
    try importing {
      let found = try load(proposal, patient, .update, context, in: writer)
      if found.state == .declined { return }
      guard found.state == .open else { throw ImportError.decided(found.state) }
      try decide(found, .declined, plan: nil, context, in: writer)
      guard found.kind == .changed, let plan = found.plan else { return }
      for other in try ProposalRows.open(patient: patient, in: writer)
      where other.kind == .stopped && other.plan == plan {
        _ = try accept(other, seen: context.now, context, in: writer)
      }
    }
  }

  /// Accepts all open proposals and returns how many were accepted.
  ///
  /// - Throws: The first refusal, such as a warning that no one has confirmed.
  package static func acceptAll(
    patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) -> Int {
    try importing {
      _ = try PlanCommands.authorize(.update, patient: patient, context)
      var count = 0
      for proposal in try ProposalRows.open(patient: patient, in: writer) {
        // An earlier one may have decided it.
        let current = try ProposalRows.load(proposal.id, patient: patient, in: writer)
        guard current?.state == .open else { continue }
        _ = try accept(proposal, seen: context.now, context, in: writer)
        count += 1
      }
      return count
    }
  }

  /// Records that the person has read that a medicine was stopped by its source.
  ///
  /// - Throws: `notFound` for any other proposal.
  package static func markSeen(
    _ proposal: ProposalID, patient: PatientID, context: CommandContext, in writer: any SQLWriter
  ) throws(ImportError) {
    try importing {
      let found = try load(proposal, patient, .update, context, in: writer)
      guard found.kind == .stopped, found.state == .accepted else { throw ImportError.notFound }
      let isNew = try ProposalStore.markSeen(
        proposal, patient: patient, at: context.now, in: writer)
      if isNew { audit(found, .update, context, in: writer) }
    }
  }

  // MARK: Steps

  /// Accepts an open proposal and returns its plan's id.
  static func accept(
    _ proposal: Proposal, confirmed: [PlanConfirmation] = [], seen: Timestamp?,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> PlanID {
    try checkAmounts(proposal, confirmed: confirmed, in: writer)
    let request = try settled(proposal, confirmed: confirmed, context, in: writer)
    let plan = try PlanCommands.takeOver(
      request, patient: proposal.patient, replacing: proposal.plan,
      from: proposal.id, confirmed: confirmed, context: context, in: writer)
    try PlanSources.note(
      proposal.keys, plan: plan, patient: proposal.patient, in: writer)
    try decide(proposal, .accepted, plan: plan, seen: seen, context, in: writer)
    try ImportedAdministrations.link(
      proposal.keys, to: plan, patient: proposal.patient, context: context, in: writer)
    // Other proposals for the plan were based on its old content; a replacement may still follow a stop.
    for other in try ProposalRows.open(patient: proposal.patient, in: writer)
    where other.plan == plan && other.id != proposal.id
      && (proposal.kind != .stopped || other.kind == .stopped)
    {
      try decide(other, .outdated, plan: nil, context, in: writer)
    }
    return plan
  }

  /// Returns the confirmation with which a person answers the question about a proposal's supply; empty if
  /// there is no question.
  package static func confirmations(
    _ answer: SupplyQuestion.Answer, _ proposal: Proposal, _ context: CommandContext,
    in reader: any SQLReader
  ) throws(ImportError) -> [PlanConfirmation] {
    try importing {
      let question = try PlanCommands.supplyQuestion(
        proposal.request, patient: proposal.patient, context, in: reader)
      return [question?.confirmed(by: answer)].compactMap(\.self)
    }
  }

  /// Returns true if accepting a proposal needs a confirmation that only a person can give.
  static func needsConfirmation(
    _ proposal: Proposal, _ context: CommandContext, in reader: any SQLReader
  ) throws -> Bool {
    do {
      try PlanCommands.checkFrequency(
        proposal.request.json,
        subjects: [proposal.plan?.text, proposal.id.text].compactMap(\.self),
        patient: proposal.patient,
        person: try PlanCommands.person(proposal.patient, in: reader), context, in: reader)
      try checkAmounts(proposal, in: reader)
      _ = try settled(proposal, confirmed: [], context, in: reader)
      return false
    } catch PlanError.tooOften, PlanError.unusualAmounts, PlanError.supplyUnanswered {
      return true
    }
  }

  /// Returns the request with the end that a person chose.
  ///
  /// - Throws: `supplyUnanswered` if no one has answered, so that it doesn't ring for ever by default.
  private static func settled(
    _ proposal: Proposal, confirmed: [PlanConfirmation], _ context: CommandContext,
    in reader: any SQLReader
  ) throws -> JSONValue {
    let json = proposal.request.json
    let question = try PlanCommands.supplyQuestion(
      proposal.request, patient: proposal.patient, context, in: reader)
    guard let question else { return json }
    let answer = try question.answer(
      among: confirmed, subjects: [proposal.plan?.text, proposal.id.text],
      patient: proposal.patient, in: reader)
    switch answer {
    case .stop: return question.ending(json)
    case .goOn: return json
    case nil: throw PlanError.supplyUnanswered(question)
    }
  }

  /// Rejects a proposal with unusual amounts that no one has confirmed, if it would give doses.
  private static func checkAmounts(
    _ proposal: Proposal, confirmed: [PlanConfirmation] = [], in reader: any SQLReader
  ) throws {
    guard proposal.request.status == "active" else { return }
    let found = try AmountFinding.unconfirmed(
      proposal.request, subjects: [proposal.plan?.text, proposal.id.text].compactMap(\.self),
      confirmed: confirmed,
      patient: proposal.patient, in: reader)
    if !found.isEmpty { throw PlanError.unusualAmounts(found) }
  }

  static func decide(
    _ proposal: Proposal, _ state: Proposal.State, plan: PlanID?, seen: Timestamp? = nil,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    try ProposalStore.decide(
      proposal, state, plan: plan, seen: seen, by: context.actor.accountID, at: context.now,
      in: writer)
    audit(proposal, .update, context, in: writer)
  }

  static func audit(
    _ proposal: Proposal, _ kind: AuditEntry.Kind, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: proposal.patient,
        resource: "Proposal", resourceID: proposal.id.text, purpose: context.purpose.rawValue))
  }

  private static func load(
    _ proposal: ProposalID, _ patient: PatientID, _ action: Action, _ context: CommandContext,
    in reader: any SQLReader
  ) throws -> Proposal {
    _ = try PlanCommands.authorize(action, patient: patient, context)
    guard let found = try ProposalRows.load(proposal, patient: patient, in: reader) else {
      throw ImportError.notFound
    }
    return found
  }

  /// Runs the steps of a command and converts any failure to the command's own error.
  static func importing<T>(_ steps: () throws -> T) throws(ImportError) -> T {
    do {
      return try planning {
        do {
          return Result<T, ImportError>.success(try steps())
        } catch let error as ImportError {
          return .failure(error)
        } catch let error as DispenseError {
          return .failure(ImportError(error))
        } catch let error as AnswerError {
          return .failure(.answer(error))
        }
      }.get()
    } catch let error as ImportError {
      throw error
    } catch let error as PlanError {
      throw ImportError(error)
    } catch {
      throw .plan(.unreadableRecord)
    }
  }
}
