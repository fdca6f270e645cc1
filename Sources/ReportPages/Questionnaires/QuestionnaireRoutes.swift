// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import SiteMap
import Storage
import Web

/// Questionnaires: what is due, answering, earlier answers with their score, and when each is asked.
package enum QuestionnaireRoutes {
  /// The routes of the pages.
  package static let all: [Route] = [
    .page(.get, Address.questionnaires, list),
    .page(.get, "\(Address.questionnaires)/check", blankCheck),
    .form("\(Address.questionnaires)/check", check),
    .page(.get, "\(Address.questionnaires)/:questionnaire", fill),
    .form("\(Address.questionnaires)/:questionnaire", answer),
    .page(.get, "\(Address.questionnaires)/:questionnaire/history", history),
    .page(.get, "\(Address.questionnaires)/:questionnaire/schedule", schedule),
    .form("\(Address.questionnaires)/:questionnaire/schedule", assign),
    .form("\(Address.questionnaires)/:questionnaire/end", end),
  ]

  static func address(_ form: ListedQuestionnaire) -> String {
    "\(Address.questionnaires)/\(form.key)"
  }

  // MARK: The list

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let authorization = try call.authorize(
      .read, QuestionnaireAssignments.resource, of: patient)
    let environment = call.environment
    let localizer = call.localizer
    let mayAnswer =
      (try? call.authorize(.create, QuestionnaireCommands.resource, of: patient)) != nil
    let page = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: call.now.milliseconds))
      return QuestionnaireListPage(
        forms: try QuestionnaireCatalogue.all(for: signedIn.actor, in: reader),
        due: try QuestionnaireAssignments.due(of: patient, on: today, in: reader),
        // Only those who act for the person see that a study asks.
        assignments: try QuestionnaireAssignments.planned(of: patient, on: today, in: reader)
          .filter { mayAnswer || $0.origin.study == nil },
        today: today, mayAnswer: mayAnswer,
        clock: MedicineClock(zone: zone, localizer: localizer))
    }
    try await environment.audit(authorization, count: page.assignments.count, at: call.now)
    return page.response(call)
  }

  // MARK: Answering

  private static func fill(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let key = try call.parameter("questionnaire")
    let correcting = call.queryValue("response")
    let mayRead = try call.authorize(.read, QuestionnaireCommands.resource, of: patient)
    _ = try call.authorize(
      correcting == nil ? .create : .update, QuestionnaireCommands.resource, of: patient)
    let isCopy = correcting == nil && OfflineCopies.isAsked(by: call)
    let page = try await call.environment.database.read { reader in
      let form = try QuestionnaireCatalogue.find(key, for: signedIn.actor, in: reader)
      var filled = QuestionnaireFillPage(form: form)
      filled.isCopy = isCopy
      if let correcting {
        let before = try QuestionnaireQueries.response(
          correcting, of: form.questionnaire, mayRead, in: reader)
        filled.input = QuestionnaireInput(before.answers)
        filled.correction = QuestionnaireFillPage.Correction(
          response: correcting, version: before.version)
      } else if let draft = try QuestionnaireQueries.draft(
        of: form.questionnaire, patient: patient, in: reader)
      {
        filled.input = draft
        filled.isDraft = true
      }
      return filled
    }
    if correcting != nil { try await call.environment.audit(mayRead, count: 1, at: call.now) }
    return page.response(call)
  }

  private static func answer(_ form: PostedForm) async throws -> Response {
    let (patient, actor) = (form.patient, form.signedIn.actor)
    let correction = QuestionnaireFillPage.Correction(form.fields)
    _ = try form.authorize(
      correction == nil ? .create : .update, QuestionnaireCommands.resource)
    let key = try form.parameter("questionnaire")
    let listed = try await form.call.environment.database.read { reader in
      try QuestionnaireCatalogue.find(key, for: actor, in: reader)
    }
    var page = QuestionnaireFillPage(form: listed)
    page.input = page.typed(form.fields)
    page.correction = correction
    page.event = form.text("event")
    let event = page.event.flatMap { FormEvent($0, isRenewable: true) }
    let input = page.input
    let questionnaire = listed.questionnaire
    let step = form.text("step")
    if step == "draft", correction == nil {
      try await form.run { context, writer in
        try QuestionnaireCommands(patient: patient, context: context)
          .saveDraft(input, of: questionnaire, writer)
      }
      return form.redirect(to: "\(Address.questionnaires)?done=draft")
    }
    let read = input.read(questionnaire)
    let asked = QuestionnaireEvaluator.asked(questionnaire, read.answers)
    if step == "change" { return page.response(form.call) }
    if !read.mistakes.isEmpty {
      page.mistakes = read.mistakes
      return page.response(form.call)
    }
    if step != "send" {
      // Questions that the answers open are shown before the review.
      guard page.isShowing(asked, form.fields) else {
        page.hasMore = true
        return page.response(form.call)
      }
      return page.review(form.call, read.answers)
    }
    let language = form.localizer.language
    do {
      try await form.run { context, writer in
        let commands = QuestionnaireCommands(patient: patient, context: context)
        if let correction {
          try commands.correct(
            correction.response, ifVersion: correction.version, input, to: questionnaire,
            in: language, writer)
        } else {
          _ = try commands.submit(
            input, to: questionnaire, in: language, event: event, writer)
        }
      }
    } catch QuestionnaireError.answers {
      page.isEmpty = true
      return page.response(form.call)
    }
    return form.redirect(to: "\(address(listed))/history?done=sent")
  }

  // MARK: Earlier answers

  private static func history(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    let key = try call.parameter("questionnaire")
    let authorization = try call.authorize(.read, QuestionnaireCommands.resource, of: patient)
    let decision = decideSearch(
      actor: signedIn.actor, resource: QuestionnaireCommands.resource, patient: patient,
      purpose: authorization.purpose)
    guard case .allow(let search) = decision else { throw Failure.notFound }
    let (environment, localizer) = (call.environment, call.localizer)
    let page = try await environment.database.read { reader in
      let form = try QuestionnaireCatalogue.find(key, for: signedIn.actor, in: reader)
      return QuestionnaireHistoryPage(
        form: form,
        answers: try QuestionnaireQueries.history(of: form.questionnaire, search, in: reader),
        clock: MedicineClock(
          zone: try PeopleQueries.zone(patient, zones: environment.zones, in: reader),
          localizer: localizer))
    }
    try await environment.audit(authorization, count: page.answers.count, at: call.now)
    return page.response(call)
  }

  // MARK: The schedule

  private static func schedule(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = call.patient(of: signedIn)
    _ = try call.authorize(.create, QuestionnaireAssignments.resource, of: patient)
    let key = try call.parameter("questionnaire")
    let environment = call.environment
    let (form, today) = try await environment.database.read { reader in
      (
        try QuestionnaireCatalogue.find(key, for: signedIn.actor, in: reader),
        try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
          .date(at: Instant(milliseconds: call.now.milliseconds))
      )
    }
    return QuestionnaireSchedulePage(form: form, input: QuestionnaireScheduleInput(today))
      .response(call)
  }

  private static func assign(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.create, QuestionnaireAssignments.resource)
    let (patient, actor) = (form.patient, form.signedIn.actor)
    let key = try form.parameter("questionnaire")
    let listed = try await form.call.environment.database.read { reader in
      try QuestionnaireCatalogue.find(key, for: actor, in: reader)
    }
    let input = QuestionnaireScheduleInput(form.fields)
    guard let schedule = input.schedule else {
      return QuestionnaireSchedulePage(form: listed, input: input, error: .schedule)
        .response(form.call)
    }
    do {
      try await form.run { context, writer in
        _ = try QuestionnaireAssignments.assign(
          listed.questionnaire.url, on: schedule, as: .person, reminds: true, to: patient,
          context, in: writer)
      }
    } catch QuestionnaireError.tooMany {
      return QuestionnaireSchedulePage(form: listed, input: input, error: .tooMany)
        .response(form.call)
    }
    return form.redirect(to: "\(Address.questionnaires)?done=assigned")
  }

  private static func end(_ form: PostedForm) async throws -> Response {
    _ = try form.authorize(.update, QuestionnaireAssignments.resource)
    let id = QuestionnaireAssignmentID(form.text("assignment") ?? "")
    let patient = form.patient
    try await form.run { context, writer in
      try QuestionnaireAssignments.end(id, of: patient, context, in: writer)
    }
    return form.redirect(to: "\(Address.questionnaires)?done=ended")
  }

  // MARK: Checking

  private static func blankCheck(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    QuestionnaireCheckPage(text: "").response(call)
  }

  private static func check(_ form: PostedForm) async throws -> Response {
    QuestionnaireCheckPage(text: form.raw("questionnaire") ?? "", isChecked: true)
      .response(form.call)
  }
}

extension QuestionnaireError: FailureConvertible {
  /// The failure for clients that do not use the form of a page.
  package var failure: Failure {
    switch self {
    case .notFound: .notFound
    case .unusable: .unprocessable("value", "This questionnaire cannot be answered here.")
    case .tooMany:
      Failure(
        .conflict, code: "conflict",
        detail: "There are \(QuestionnaireAssignments.most) assignments. End one first.")
    case .schedule: .unprocessable("value", "The dates or numbers of the schedule are not valid.")
    case .closed: .unprocessable("value", "This occasion has closed.")
    case .answers: .unprocessable("required", "Answer at least one question.")
    case .changed:
      Failure(
        .conflict, code: "conflict",
        detail: "The questions are other ones than those that were shown. Ask them again.")
    case .time: .wrong("at", "must not be in the future, nor more than 31 days ago")
    case .eventUsed: .wrong("event", "was used for other answers; send a new UUID")
    }
  }
}

extension QuestionnaireMistakes: FailureConvertible {
  /// The failure for clients that do not use the form of a page: every item with its mistake.
  package var failure: Failure {
    let list = byLink.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
    return .unprocessable("value", "Not valid: \(list.joined(separator: ", "))")
  }
}
