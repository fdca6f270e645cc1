// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Dosing
import HTTPTypes
import Hummingbird
import Identifiers
import Plans
import Presentation
import Records
import Scheduling
import Storage
import Web

/// The page of one dose, and the forms that answer one dose or several.
package enum DoseRoutes {
  /// The routes of doses, including those that move or reschedule them.
  package static let all: [Route] =
    [
      .page(.get, "/doses/:dose", page),
      .page(.get, "/doses/:dose/advice") { call, _ in try await AdvicePage.read(id(call), call) },
      .accountForm("/doses/:dose/answers", answer),
      .accountForm("/doses/:dose/move", MoveDose.post),
      .accountForm("/answers", answerSeveral),
    ] + ReschedulingRoutes.all

  private static func page(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let surroundings = try await DoseSurroundings.read(id(call), call)
    let call = call.opening(surroundings.dose.patient)
    var page = DosePage(
      surroundings,
      returnPath: LocalPath.checked(call.queryValue("return")))
    page.isChange = call.queryValue("change") != nil
    return page.response(call)
  }

  private static func answer(_ form: PostedForm) async throws -> Response {
    let id = try id(form.call)
    let before = try await DoseSurroundings.read(id, form.call)
    // The dose determines its person, whoever was chosen on another page in the meantime.
    let call = form.call(openedFor: before.dose.patient)
    try ForgeryGuard.check(form.fields, of: call)
    let typed = try TypedAnswer(form.fields)
    var (request, mistakes) = typed.request(
      for: before.dose, zone: before.zone, now: call.now, localizer: call.localizer)
    if typed.action == .later, before.isAskedWhyLater, request.reason == nil {
      mistakes.append(.laterReasonMissing)
    }
    guard mistakes.isEmpty else {
      return DosePage(before, typed: typed, mistakes: mistakes).response(call)
    }
    let environment = call.environment
    let promised = typed.action == .taken ? ReschedulingRoutes.promised(form.fields) : nil
    do {
      let isKept = try await form.run { [request] context, writer in
        _ = try ConfirmedAnswer.answer(
          id, patient: before.dose.patient, request, asked: typed.asked, context: context,
          in: writer)
        guard let promised else { return true }
        return try ReschedulingRoutes.follow(
          promised, for: id, patient: before.dose.patient, environment: environment,
          context: context, in: writer)
      }
      // If the next dose could not be moved as shown, the page of the dose shows the current state.
      let path = isKept ? typed.returnPath : "/doses/\(id.text)"
      if typed.needsAdvice {
        return call.redirect(to: AdvicePage.address(of: id, returnPath: path))
      }
      return call.redirect(to: DoneNote(typed.action, id).address(on: path))
    } catch let error as AnswerError {
      return try await refusal(error, of: id, typed, call)
    }
  }

  /// Returns the page that explains why an answer was not recorded, and what to do.
  private static func refusal(
    _ error: AnswerError, of id: DoseID, _ typed: TypedAnswer, _ call: Call
  ) async throws -> Response {
    switch error {
    case .confirm(let question):
      let now = try await DoseSurroundings.read(id, call)
      return IntakeQuestionPage(
        medicine: now.dose.medicineName, question: question, zone: now.zone,
        action: "/doses/\(id.text)/answers", pairs: typed.pairs, back: typed.returnPath
      ).response(call)
    case .answered, .stale, .cancelled:
      let now = try await DoseSurroundings.read(id, call)
      var page = DosePage(now, typed: typed)
      page.isConflict = true
      page.isChange = now.dose.state.isAnswered && typed.hasDetails
      return page.response(call)
    case .invalid(let issue):
      let now = try await DoseSurroundings.read(id, call)
      return DosePage(now, typed: typed, mistakes: [AnswerMistake(issue)]).response(call)
    case .notFound, .notAuthorized, .records, .storage:
      throw error.failure
    }
  }

  /// Handles "Take all 3 now", its undo, and the answers of an alarm page: a command for each dose,
  /// all in one transaction.
  private static func answerSeveral(_ form: PostedForm) async throws -> Response {
    guard let action = form.text("action").flatMap(AnswerAction.init(rawValue:)) else {
      throw Failure.badRequest("value", "action must name an answer.")
    }
    let back = LocalPath.checked(form.text("return"))
    let presses = try form.fields.all("answer").map(SeveralAnswers.Press.init)
    if presses.isEmpty, let back {
      // The page has boxes, and none is ticked.
      return form.redirect(to: DoneNote(.nothing).address(on: back))
    }
    guard (1...SeveralAnswers.maximum).contains(presses.count) else {
      throw Failure.badRequest(
        "value", "answer must be given 1 to \(SeveralAnswers.maximum) times.")
    }
    let call = form.call(openedFor: try await patient(of: presses, form.call))
    try ForgeryGuard.check(form.fields, of: call)
    var answers = SeveralAnswers(action: action, presses: presses)
    answers.minutes = form.text("minutes").flatMap { Int($0) }
    answers.asked = Set(form.fields.all("confirm"))
    let records = call.environment.records
    let note = try await form.run { [answers] context, writer in
      try answers.record(records: records, context: context, in: writer)
    }
    return call.redirect(to: note.address(on: back ?? "/"))
  }

  /// Returns the one person whose doses a form answers: no button concerns two.
  private static func patient(
    of presses: [SeveralAnswers.Press], _ call: Call
  ) async throws -> PatientID {
    let records = call.environment.records
    return try await call.environment.database.read { reader in
      var found: Set<PatientID> = []
      for plan in Set(presses.map(\.dose.plan)) {
        guard let patient = try records.patient(of: "MedicationRequest", id: plan.text, in: reader)
        else { throw Failure.notFound }
        _ = try call.authorize(.read, "Dose", of: patient)
        found.insert(patient)
      }
      guard found.count == 1, let only = found.first else {
        throw Failure.unprocessable("value", "One form answers doses of one person.")
      }
      return only
    }
  }

  private static func id(_ call: Call) throws -> DoseID {
    guard let id = DoseID(text: try call.parameter("dose")) else { throw Failure.notFound }
    return id
  }
}
