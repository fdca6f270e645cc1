// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// The single command behind every answer to a dose: pages, API, push actions and imports end here.
///
/// The first answer wins: repeating its outcome returns the dose unchanged, and another outcome is
/// a conflict unless the request names the version that it corrects. Everything happens in the
/// given transaction, or nothing does.
package enum AnswerCommands {
  /// Records an answer, or finds it already recorded, and returns the dose as it is afterwards.
  package static func answer(
    _ dose: DoseID,
    patient: PatientID,
    _ request: AnswerRequest,
    context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) -> Dose {
    try perform(dose, patient: patient, request, context: context, in: writer).dose
  }

  /// Records an answer to a dose that was found with its person, and returns the dose as it is
  /// afterwards.
  package static func answer(
    _ dose: OwnedDose, _ request: AnswerRequest, context: CommandContext, in writer: any SQLWriter
  ) throws(AnswerError) -> Dose {
    let patient = dose.patient
    let right = try AnswerAccess.authorization(.create, patient: patient, context: context)
    let checked = try CheckedAnswer(request, now: context.now)
    let found: AnswerableDose
    if let known = dose.found {
      found = known
    } else {
      found = try find(dose.id, patient: patient, event: checked.event, context, in: writer)
    }
    return try perform(checked, on: found, right, context: context, in: writer).dose
  }

  /// Records an answer and also returns the identifier of the MedicationAdministration that holds
  /// it.
  package static func perform(
    _ dose: DoseID,
    patient: PatientID,
    _ request: AnswerRequest,
    context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) -> AnswerRecorder.Result {
    let right = try AnswerAccess.authorization(.create, patient: patient, context: context)
    let checked = try CheckedAnswer(request, now: context.now)
    let found = try find(dose, patient: patient, event: checked.event, context, in: writer)
    return try perform(checked, on: found, right, context: context, in: writer)
  }

  /// Records an answer to a dose that was already read together with the request's event.
  ///
  /// - Parameter resource: the record as another system sent it; nil to create one.
  package static func perform(
    _ checked: CheckedAnswer, on found: AnswerableDose, _ right: Authorization,
    resource: JSONValue? = nil, context: CommandContext, in writer: any SQLWriter
  ) throws(AnswerError) -> AnswerRecorder.Result {
    let recorder = AnswerRecorder(
      dose: found, request: checked, resource: resource, context: context, right: right,
      writer: writer)

    if let earlier = found.earlierEvent {
      guard earlier.isFor(found.id, checked.action) else { throw .invalid(.eventUsedElsewhere) }
      return AnswerRecorder.Result(
        dose: found.asItIs(now: context.now), administration: found.inForce?.administration)
    }
    switch AnswerRule.step(for: checked, on: found.standing) {
    case .refuse(.cancelled): throw .cancelled(found.asItIs(now: context.now))
    case .refuse(.answered): throw .answered(found.asItIs(now: context.now))
    case .refuse(.stale): throw .stale(found.asItIs(now: context.now))
    case .unchanged: return try recorder.rememberRepeat()
    case .takeBack(let answer): return try recorder.takeBack(answer)
    case .record(let replaced):
      return checked.action == .later
        ? try recorder.putOff(replacing: replaced) : try recorder.record(replacing: replaced)
    }
  }

  /// Reads the dose; one beyond the planned horizon gets its row first.
  private static func find(
    _ dose: DoseID, patient: PatientID, event: String?, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws(AnswerError) -> AnswerableDose {
    func read() throws(AnswerError) -> AnswerableDose? {
      try storing { () throws(StorageError) in
        try AnswerableDose.read(dose, patient: patient, event: event, in: writer)
      }
    }
    if let found = try read() { return found }
    do {
      guard
        try DoseQueries.materialise(dose, patient: patient, zones: context.zones, in: writer)
      else { throw AnswerError.notFound }
    } catch let error as AnswerError {
      throw error
    } catch PlanError.storage(let error) {
      throw .storage(error)
    } catch {
      throw .notFound
    }
    guard let made = try read() else { throw .notFound }
    return made
  }
}
