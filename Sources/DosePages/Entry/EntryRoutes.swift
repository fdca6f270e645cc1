// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Records
import Scheduling
import Storage
import Web

/// Logging an intake without a planned dose: as needed, extra, or of another medicine.
package enum EntryRoutes {
  /// The routes of the form and of its undo button.
  package static let all: [Route] = [
    .page(.get, "/entry", form),
    .form("/entry", submit),
    .accountForm("/entry/:administration/undo", takeBack),
  ]

  private struct Setting: Sendable {
    let plans: [EntryPlan]
    let zone: Zone
  }

  private static func form(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let setting = try await setting(call, signedIn)
    // For read-only viewers, the form would have no button.
    guard call.person?.mayAct ?? true else { return call.redirect(to: "/") }
    let words = DoseFormatter(localizer: call.localizer, zone: setting.zone, now: call.now)
    let input = EntryInput(
      medicine: call.queryValue("medicine"), words: words, now: call.now)
    return EntryPage(
      input: input, plans: setting.plans, words: words,
      returnPath: LocalPath.checked(call.queryValue("return")) ?? "/"
    ).response(call)
  }

  private static func submit(_ form: PostedForm) async throws -> Response {
    let (call, input) = (form.call, EntryInput(form.fields))
    let setting = try await setting(call, form.signedIn)
    // Viewers get the refusal first, not the mistakes in the form.
    _ = try form.authorize(.create, "MedicationAdministration")
    let words = DoseFormatter(localizer: call.localizer, zone: setting.zone, now: call.now)
    let back = LocalPath.checked(form.text("return")) ?? "/"
    func again(_ mistakes: [AnswerMistake]) -> Response {
      EntryPage(
        input: input, plans: setting.plans, words: words, mistakes: mistakes, returnPath: back
      ).response(call)
    }
    let (typed, mistakes) = input.request(
      patient: form.patient, plans: setting.plans, zone: setting.zone, now: call.now)
    guard let typed else { return again(mistakes) }
    let (request, stop) = try await EntryContraindications.read(
      typed, named: medicineName(input, setting.plans), form.fields, call)
    if let stop { return stop }
    do {
      let recorded = try await form.run { context, writer in
        try ConfirmedAnswer.record(request, asked: input.asked, context: context, in: writer)
      }
      return form.redirect(to: note(of: recorded).address(on: back))
    } catch AnswerError.confirm(let question) {
      return IntakeQuestionPage(
        medicine: medicineName(input, setting.plans), question: question, zone: setting.zone,
        action: "/entry", pairs: form.fields.pairs, back: back
      ).response(call)
    } catch AnswerError.invalid(let issue) {
      return again([AnswerMistake(issue)])
    } catch AnswerError.notFound {
      return again([.medicineUnknown])
    } catch let error as AnswerError {
      throw Failure(answer: error, zone: setting.zone)
    }
  }

  private static func takeBack(_ form: PostedForm) async throws -> Response {
    let id = try form.parameter("administration")
    let records = form.call.environment.records
    let patient = try await form.call.environment.database.read { reader in
      guard
        let patient = try records.patient(of: "MedicationAdministration", id: id, in: reader)
      else { throw Failure.notFound }
      _ = try form.call.authorize(.update, "MedicationAdministration", of: patient)
      return patient
    }
    let call = form.call(openedFor: patient)
    try ForgeryGuard.check(form.fields, of: call)
    let event = form.text("event")
    try await form.run { context, writer in
      do throws(AnswerError) {
        try IntakeCommands.takeBack(
          AdministrationID(id), patient: patient, event: event, context: context, in: writer)
      } catch {
        throw error.failure
      }
    }
    return call.redirect(to: DoneNote(.entryTakenBack).address(on: "/"))
  }

  private static func setting(_ call: Call, _ signedIn: SignedIn) async throws -> Setting {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    let zones = call.environment.zones
    let setting = try await call.environment.database.read { reader in
      Setting(
        plans: try PlanQueries.all(patient: patient, in: reader)
          .filter { $0.status == "active" }.map(EntryPlan.init),
        zone: try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
    try await call.environment.audit(authorization, count: setting.plans.count, at: call.now)
    return setting
  }

  /// Returns the note; an entry that answered a dose counts as that dose's answer.
  private static func note(of recorded: RecordedAdministration) -> DoneNote {
    if let dose = recorded.dose, let answer = dose.answer {
      return DoneNote(answer.action, dose.id)
    }
    return DoneNote(.entry, administration: recorded.id)
  }

  private static func medicineName(_ input: EntryInput, _ plans: [EntryPlan]) -> String {
    plans.first { $0.id == input.medicine }?.name ?? input.name ?? ""
  }
}
