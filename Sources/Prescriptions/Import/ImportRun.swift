// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import People
import Plans
import Storage

/// Imports a file in short transactions.
///
/// Each prescription is in one transaction with its administrations, so that nothing is half imported and
/// no one waits behind a long import.
package struct ImportRun: Sendable {
  let database: Database
  let patient: PatientID
  let source: String
  let accept: Bool
  /// The rule that decides for each prescription in place of `accept`.
  let rule: Rule?
  let isTrial: Bool
  let dispenses: any DispenseReceiver
  let context: @Sendable () -> CommandContext

  /// A rule that decides if a prescription becomes a plan at once.
  package typealias Rule =
    @Sendable (ImportPrescription, _ patient: PatientID, any SQLReader) throws -> Bool

  /// The number of administrations in the same transaction as their prescription; any others follow.
  private static let administrationsAtOnce = 200
  /// The number of transactions that wait for the writer at the same time; they are committed together.
  private static let concurrency = 16

  /// Creates an import in which all prescriptions are treated alike.
  ///
  /// - Parameters:
  ///   - source: The origin of the file, which is stored with proposals.
  ///   - accept: True if prescriptions become plans at once.
  ///   - isTrial: True to undo every transaction, so that nothing is stored.
  ///   - dispenses: Takes in dispenses.
  ///   - context: Makes a new context for each transaction, since a long import takes time.
  package init(
    database: Database, patient: PatientID, source: String, accept: Bool,
    isTrial: Bool = false, dispenses: any DispenseReceiver,
    context: @escaping @Sendable () -> CommandContext
  ) {
    self.database = database
    self.patient = patient
    self.source = source
    self.accept = accept
    rule = nil
    self.isTrial = isTrial
    self.dispenses = dispenses
    self.context = context
  }

  /// Creates an import in which a rule decides for each prescription.
  package init(
    database: Database, patient: PatientID, source: String, rule: @escaping Rule,
    dispenses: any DispenseReceiver,
    context: @escaping @Sendable () -> CommandContext
  ) {
    self.database = database
    self.patient = patient
    self.source = source
    accept = false
    self.rule = rule
    isTrial = false
    self.dispenses = dispenses
    self.context = context
  }

  /// Imports a file; a transaction that fails is retried entry by entry, and entries that fail again become
  /// problems.
  ///
  /// - Parameter progress: Called with the number of entries that are done.
  /// - Throws: Failures of the database.
  package func perform(
    _ file: ImportFile, progress: (Int) -> Void = { _ in }
  ) async throws -> ImportReport {
    var report = ImportReport(file)
    // One after the other if one prescription of the file depends on another, because the order matters then.
    let inOrder = file.prescriptions.contains { !$0.priorKeys.isEmpty || !$0.basisKeys.isEmpty }
    let ordered = inOrder ? Self.ordered(file.prescriptions) : file.prescriptions
    var steps: [ImportStep] = ordered.map(ImportStep.init)
    for prescription in ordered {
      steps += ImportStep.rest(
        of: prescription.administrations.dropFirst(Self.administrationsAtOnce))
    }
    steps += ImportStep.rest(of: file.administrations[...])
    steps += ImportStep.each(of: file.dispenses)
    var done = 0
    try await withThrowingTaskGroup(of: ImportStepResult.self) { group in
      var running = 0
      for step in steps {
        if running >= (inOrder ? 1 : Self.concurrency), let result = try await group.next() {
          running -= 1
          report.add(result)
          done += result.count
          progress(done)
        }
        group.addTask { try await perform(step) }
        running += 1
      }
      for try await result in group {
        report.add(result)
        done += result.count
        progress(done)
      }
    }
    return report
  }

  private func perform(_ step: ImportStep) async throws -> ImportStepResult {
    do {
      return try await write(step)
    } catch let error as ImportError {
      if error.isDatabaseFailure { throw error }
      // Nothing of it was stored. A single administration may be the cause, so each is tried separately.
      guard step.count > 1 else {
        return step.refused(error)
      }
      var result = ImportStepResult()
      for part in step.split {
        do {
          result.add(try await write(part))
        } catch let error as ImportError {
          if error.isDatabaseFailure { throw error }
          result.add(part.refused(error))
        }
      }
      return result
    }
  }

  private func write(_ step: ImportStep) async throws -> ImportStepResult {
    do {
      return try await carryOut(step)
    } catch let trial as Trial {
      return trial.result
    }
  }

  /// Thrown to roll a transaction back.
  private struct Trial: Error {
    let result: ImportStepResult
  }

  private func carryOut(_ step: ImportStep) async throws -> ImportStepResult {
    try await database.write {
      [context, patient, source, accept, rule, isTrial, dispenses] writer in
      var result = ImportStepResult()
      let context = context()
      if let prescription = step.prescription {
        let accept = try rule.map { try $0(prescription, patient, writer) } ?? accept
        let outcome = try ProposalCommands.propose(
          prescription, patient: patient, source: source, accept: accept, context: context,
          in: writer)
        result.outcomes.append(outcome)
        result.unplanned += try Self.unplanned(outcome, prescription, patient, in: writer)
      }
      for administration in step.administrations {
        result.administrations.append(
          try ImportedAdministrations.take(
            administration, patient: patient, context: context, in: writer
          ).outcome)
      }
      for dispense in step.dispenses {
        result.dispenses.append(
          try ProposalCommands.importing {
            try dispenses.take(
              dispense, patient: patient, as: nil, context: context, in: writer)
          })
      }
      if isTrial { throw Trial(result: result) }
      return result
    }
  }

  /// Returns the plan that a prescription has just become, if it gives no doses.
  private static func unplanned(
    _ outcome: ImportOutcome, _ prescription: ImportPrescription, _ patient: PatientID,
    in reader: any SQLReader
  ) throws(ImportError) -> [UnplannedImport] {
    guard case .accepted(let plan) = outcome else { return [] }
    return try ProposalCommands.importing {
      guard let reason = try PlanQueries.plan(plan, patient: patient, in: reader)?.unplanned else {
        return []
      }
      return [UnplannedImport(number: prescription.number, plan: plan, reason: reason)]
    }
  }

  /// Returns prescriptions with replaced ones before their replacements, and those that carry out others last.
  private static func ordered(_ prescriptions: [ImportPrescription]) -> [ImportPrescription] {
    let ordered = prescriptions.filter(\.isReplaced) + prescriptions.filter { !$0.isReplaced }
    return ordered.filter(\.basisKeys.isEmpty) + ordered.filter { !$0.basisKeys.isEmpty }
  }
}

extension ImportStep {
  fileprivate init(_ prescription: ImportPrescription) {
    self.prescription = prescription
    administrations = Array(prescription.administrations.prefix(200))
  }

  fileprivate static func each(of dispenses: [ImportDispense]) -> [ImportStep] {
    stride(from: 0, to: dispenses.count, by: 50).map { start in
      ImportStep(dispenses: Array(dispenses[start...].prefix(50)))
    }
  }

  fileprivate static func rest(of administrations: ArraySlice<ImportAdministration>)
    -> [ImportStep]
  {
    var steps: [ImportStep] = []
    var rest = administrations
    while !rest.isEmpty {
      steps.append(ImportStep(prescription: nil, administrations: Array(rest.prefix(50))))
      rest = rest.dropFirst(50)
    }
    return steps
  }
}
