// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import Hummingbird
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// The page of medicines taken as needed: the dose allowed now, the time of the next one, and a form to log
/// it.
package enum AsNeededRoutes {
  /// The page and the form that logs a dose.
  package static let all: [Route] = [
    .page(.get, Address.asNeeded, page),
    .form("/as-needed/:plan", take),
  ]

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    // The page also shows intakes.
    _ = try call.authorize(.read, "Dose", of: patient)
    return try await show(call, patient, authorization)
  }

  private static func show(
    _ call: Call, _ patient: PatientID, _ authorization: Authorization,
    mistake: AnswerMistake? = nil,
    of plan: PlanID? = nil
  ) async throws -> Response {
    let (zones, now) = (call.environment.zones, call.now)
    let (medicines, zone, looks, facts, questions) = try await call.environment.database.read {
      reader in
      let medicines = try AsNeededQueries.all(
        patient: patient, now: now, zones: zones, in: reader)
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let followed = medicines.map { FollowUpMedicine($0) }
      return (
        medicines, zone, try MedicineAppearances(of: patient, in: reader),
        try FollowUpQueries.facts(
          of: followed, patient: patient, now: now, zone: zone, in: reader),
        try FollowUpQueries.open(patient: patient, at: now, in: reader)
      )
    }
    try await call.environment.audit(authorization, count: medicines.count, at: now)
    let words = DoseFormatter(localizer: call.localizer, zone: zone, now: now)
    var page = AsNeededPage(medicines: medicines, words: words, looks: looks)
    page.followUps = Dictionary(facts.map { ($0.medicine.plan, $0) }) { first, _ in first }
    page.questions = questions
    page.mistake = mistake.flatMap { mistake in plan.map { ($0, mistake) } }
    return page.response(call)
  }

  private static func take(_ form: PostedForm) async throws -> Response {
    let (call, patient) = (form.call, form.patient)
    let authorization = try form.authorize(.read, "MedicationRequest")
    _ = try form.authorize(.create, "MedicationAdministration")
    let id = try form.parameter("plan")
    let zones = call.environment.zones
    let (plan, zone) = try await call.environment.database.read { reader in
      guard let plan = try PlanQueries.plan(PlanID(id), patient: patient, in: reader) else {
        throw Failure.notFound
      }
      return (plan, try PeopleQueries.zone(patient, zones: zones, in: reader))
    }
    // The medicine now has set times, so the form for extra doses asks for everything it needs.
    guard plan.unplanned == .asNeeded else { return form.redirect(to: "/entry?medicine=\(id)") }
    let request = AdministrationRequest(
      patient: patient, medicine: id, at: call.now, amount: EntryPlan(plan).amount,
      reason: form.text("reason"), event: form.text("event"))
    let asked = Set(form.fields.all("confirm"))
    do {
      let recorded = try await form.run { context, writer in
        try ConfirmedAnswer.record(request, asked: asked, context: context, in: writer)
      }
      return form.redirect(
        to: DoneNote(.entry, administration: recorded.id).address(on: Address.asNeeded))
    } catch AnswerError.confirm(let question) {
      return IntakeQuestionPage(
        medicine: plan.medicineName, question: question, zone: zone,
        action: "\(Address.asNeeded)/\(id)",
        pairs: form.fields.pairs, back: Address.asNeeded
      ).response(call)
    } catch AnswerError.invalid(let issue) {
      return try await show(
        call, patient, authorization, mistake: AnswerMistake(issue), of: PlanID(id))
    } catch let error as AnswerError {
      throw Failure(answer: error, zone: zone)
    }
  }
}
