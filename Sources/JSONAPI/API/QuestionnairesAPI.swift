// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Localization
import People
import Presentation
import Scheduling
import Storage
import Web

/// `/api/v1/questionnaires`: the questionnaires that are due, each as a FHIR Questionnaire, and answers to them.
package enum QuestionnairesAPI {
  /// The routes.
  package static let all: [Route] = [
    .api(.get, path, list),
    .api(.get, "\(path)/:questionnaire", show),
    .api(.post, "\(path)/:questionnaire/responses", submit),
  ]

  static let path = "/api/v1/questionnaires"

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(
      .read, QuestionnaireAssignments.resource, of: patient)
    let (environment, now) = (call.environment, call.now)
    let language = call.localizer.language
    let (forms, due) = try await environment.database.read { reader in
      let zone = try PeopleQueries.zone(patient, zones: environment.zones, in: reader)
      let today = zone.date(at: Instant(milliseconds: now.milliseconds))
      return (
        try QuestionnaireCatalogue.all(for: signedIn.actor, in: reader),
        try QuestionnaireAssignments.due(of: patient, on: today, in: reader)
      )
    }
    try await environment.audit(authorization, count: due.count, at: now)
    let dueJSON = due.compactMap { one -> JSONValue? in
      guard
        let form = forms.first(where: {
          $0.questionnaire.url == one.assignment.questionnaire
        })
      else { return nil }
      return [
        "form": .string(form.key), "assignment": .string(one.assignment.id.text),
        "occasion": .number(JSONNumber(one.occasion.number)),
        "opens": .string(one.occasion.opens.text), "lastDay": .string(one.occasion.lastDay.text),
      ]
    }
    let formJSON = forms.map { form -> JSONValue in
      [
        "form": .string(form.key), "url": .string(form.questionnaire.url),
        "title": .string(form.questionnaire.title.text(in: language)),
      ]
    }
    return JSONResponse.make(["due": .array(dueJSON), "questionnaires": .array(formJSON)])
  }

  private static func show(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let key = try call.parameter("questionnaire")
    let form = try await call.environment.database.read { reader in
      try QuestionnaireCatalogue.find(key, for: signedIn.actor, in: reader)
    }
    return JSONResponse.make(form.resource)
  }

  private static func submit(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    _ = try call.authorize(.create, QuestionnaireCommands.resource, of: patient)
    let key = try call.parameter("questionnaire")
    let input = try input(body)
    let event = try FormEvent(in: body)
    let answered = try body.instant("at")
    let shown = body.value("shown")?.array.map { Set($0.compactMap(\.string)) }
    let version = try body.text("version")
    let language = call.localizer.language
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    return try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      guard try PeopleQueries.exists(patient, in: writer) else { throw Failure.notFound }
      let form = try QuestionnaireCatalogue.find(key, for: signedIn.actor, in: writer)
      let answers = input.read(form.questionnaire).answers
      if let version, version != form.questionnaire.version ?? "" {
        throw QuestionnaireError.changed
      }
      if let shown, !isShowing(form.questionnaire, answers, shown) {
        throw QuestionnaireError.changed
      }
      let id = try QuestionnaireCommands(patient: patient, context: context)
        .submit(
          input, to: form.questionnaire, in: language, event: event, answered: answered, writer)
      let score = form.questionnaire.score?.value(of: form.questionnaire, answers)
      var json: JSONValue = ["response": .string(id)]
      json["score"] = score.map(QuestionnaireValue.number)
      return WrittenAnswer(status: 201, json: json)
    }
  }

  /// Returns true if every question that the answers ask for was shown.
  private static func isShowing(
    _ questionnaire: Questionnaire, _ answers: QuestionnaireAnswers, _ shown: Set<String>
  ) -> Bool {
    let asked = QuestionnaireEvaluator.asked(questionnaire, answers)
    return questionnaire.allItems.allSatisfy {
      !$0.isQuestion || !asked.contains($0.link) || shown.contains($0.link)
    }
  }

  /// Reads `answers`: for each item a text, number or boolean, or a list of them.
  private static func input(_ body: JSONBody) throws -> QuestionnaireInput {
    guard let object = body.value("answers")?.object, object.count <= Questionnaire.mostItems
    else { throw Failure.wrong("answers", "must be an object of at most 200 items") }
    var texts: [String: [String]] = [:]
    for (link, value) in object {
      let values = value.array ?? [value]
      texts[link] = try values.map { one in
        guard let text = one.string ?? one.number?.text ?? one.bool.map({ $0 ? "true" : "false" })
        else { throw Failure.wrong(link, "must be a text, a number or a boolean") }
        return text
      }
    }
    return QuestionnaireInput(texts)
  }
}
