// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Diary
import Dosing
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Knowledge
import People
import Presentation
import Storage
import Web

/// `/api/v1/follow-ups`: the questions whether as-needed doses helped, and their answers.
package enum FollowUpsAPI {
  /// The routes that list and answer questions.
  package static let all: [Route] = [
    .api(.get, "/api/v1/follow-ups", list),
    .api(.post, "/api/v1/follow-ups/:administration/answers", answer),
  ]

  private static func list(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let patient = try PatientChoice.patient(of: call, signedIn)
    let authorization = try call.authorize(.read, "MedicationRequest", of: patient)
    // The answer also contains intakes.
    _ = try call.authorize(.read, "Dose", of: patient)
    let (zones, now) = (call.environment.zones, call.now)
    let (open, facts, zone) = try await call.environment.database.read { reader in
      guard try PeopleQueries.exists(patient, in: reader) else { throw Failure.notFound }
      let medicines = try AsNeededQueries.all(
        patient: patient, now: now, zones: zones, in: reader)
      let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
      let followed = medicines.map { FollowUpMedicine($0) }
      return (
        try FollowUpQueries.open(patient: patient, at: now, in: reader),
        try FollowUpQueries.facts(
          of: followed, patient: patient, now: now, zone: zone, in: reader), zone
      )
    }
    try await call.environment.audit(authorization, count: facts.count, at: now)
    let writer = DoseJSON(zone: zone)
    return JSONResponse.make([
      "questions": .array(open.map { json($0, writer) }), "medicines": .array(facts.map(json)),
    ])
  }

  private static func answer(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    let bytes = try await BodyReader.jsonBytes(of: call, mediaTypes: ["application/json"])
    let body = try JSONBody(parsing: bytes)
    let patient = try PatientChoice.patient(named: try body.text("patient"), signedIn)
    _ = try call.authorize(.update, AdministrationResource.type, of: patient)
    let administration = AdministrationID(try call.parameter("administration"))
    guard let answer = FollowUpAnswer(rawValue: try body.required("answer")) else {
      let known = FollowUpAnswer.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure.wrong("answer", "must be one of \(known)")
    }
    let context = call.environment.commandContext(for: signedIn, now: call.now)
    let response = try await IdempotentWrite.perform(call, signedIn, body: bytes) { writer in
      try FollowUpCommands.answer(
        answer, about: administration, patient: patient, context: context, in: writer)
      return .nothing
    }
    call.environment.live.changed(patient)
    return response
  }

  private static func json(_ open: OpenFollowUp, _ writer: DoseJSON) -> JSONValue {
    let question = open.question
    return [
      "administration": .string(question.administration.text),
      "plan": .string(question.plan.text), "medicine": .string(open.medicineName),
      "taken": .string(writer.text(question.taken)), "asked": .string(writer.text(question.due)),
      "until": .string(writer.text(question.ends)),
    ]
  }

  private static func json(_ facts: FollowUpFacts) -> JSONValue {
    var json: JSONValue = [
      "plan": .string(facts.medicine.plan.text), "medicine": .string(facts.medicine.name),
      "isAsked": .bool(facts.choice.isAsked),
      "minutes": .number(JSONNumber(facts.timing.minutes)),
      "minutesFrom": .string(facts.timing.origin.rawValue),
      "answers": .array(facts.summary.answers.map { .string($0.rawValue) }),
      "helped": .number(JSONNumber(facts.summary.helped)),
    ]
    if let overuse = facts.overuse {
      json["overuse"] = [
        "days": .number(JSONNumber(overuse.days)),
        "daysWithNext": .number(JSONNumber(overuse.daysWithNext)),
        "limit": .number(JSONNumber(overuse.limit)),
      ]
    }
    return json
  }
}

/// The operations of the OpenAPI document for follow-ups.
enum OpenAPIFollowUps {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "followUps",
    "summary":
      "Whether as-needed doses helped: the open questions, and the last answers by medicine.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The questions, the oldest dose first.", "FollowUpList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let answer: JSONValue = [
    "operationId": "answerFollowUp",
    "summary": "Answers whether a dose helped. A later answer replaces an earlier one.",
    "parameters": [
      Parts.parameter(
        "administration", "path", "The id of the dose's MedicationAdministration.",
        isRequired: true), Parts.idempotencyKey,
    ],
    "requestBody": Parts.body("FollowUpAnswer"),
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "403": Parts.problem("The caller may not log doses of the patient."),
      "404": Parts.problem("No such patient or question."),
      "409": Parts.problem("The question is not asked any more."),
      "422": Parts.problem("The answer is not one of the listed ones."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    (
      "FollowUpList",
      Schemas.object([
        "questions": Schemas.list(
          Schemas.object([
            "administration": Schemas.text, "plan": Schemas.text, "medicine": Schemas.text,
            "taken": Schemas.instant, "asked": Schemas.instant, "until": Schemas.instant,
          ])),
        "medicines": Schemas.list(
          Schemas.object(
            [
              "plan": Schemas.text, "medicine": Schemas.text, "isAsked": Schemas.flag,
              "minutes": number,
              "minutesFrom": Schemas.choice(FollowUpTiming.Origin.allCases.map(\.rawValue)),
              "answers": Schemas.list(
                Schemas.choice(FollowUpAnswer.outcomes.map(\.rawValue))),
              "helped": number,
              "overuse": Schemas.object(
                ["days": number, "daysWithNext": number, "limit": number]),
            ], optional: ["overuse"])),
      ])
    ),
    (
      "FollowUpAnswer",
      Schemas.object(
        [
          "patient": Schemas.text,
          "answer": Schemas.choice(FollowUpAnswer.allCases.map(\.rawValue)),
        ], optional: ["patient"])
    ),
  ]

  private static let number: JSONValue = ["type": "integer", "minimum": 0]
}
