// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for questionnaires.
enum OpenAPIQuestionnaires {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "questionnaires",
    "summary": "The questionnaires that a patient can answer, and those that are due.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The questionnaires.", "QuestionnaireList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let show: JSONValue = [
    "operationId": "questionnaire",
    "summary": "A questionnaire as a FHIR Questionnaire, with its translations.",
    "parameters": [form],
    "responses": [
      "200": Parts.response("The FHIR resource.", "Questionnaire"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such questionnaire."),
    ],
  ]

  static let submit: JSONValue = [
    "operationId": "answerQuestionnaire",
    "summary": "Stores answers as a QuestionnaireResponse, and their score as an Observation.",
    "description":
      "With event, a UUID, and at, the same answers can be sent again and are stored once. at is at most 31 days ago.",
    "parameters": [form, Parts.idempotencyKey],
    "requestBody": Parts.body("QuestionnaireAnswers"),
    "responses": [
      "201": Parts.response("The id of the response, with the score.", "QuestionnaireResult"),
      "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such patient or questionnaire."),
      "409": Parts.problem(
        "version is no longer that of the questionnaire, or the answers ask for more than shown."),
      "422": Parts.problem("Answers are missing or not valid; see detail. Nothing was stored."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    ("Questionnaire", ["type": "object"]),
    (
      "QuestionnaireList",
      Schemas.object([
        "due": Schemas.list(
          Schemas.object([
            "form": Schemas.text, "assignment": Schemas.text,
            "occasion": ["type": "integer", "minimum": 0],
            "opens": day, "lastDay": day,
          ])),
        "questionnaires": Schemas.list(
          Schemas.object(["form": Schemas.text, "url": Schemas.text, "title": Schemas.text])),
      ])
    ),
    (
      "QuestionnaireAnswers",
      Schemas.object(
        [
          "patient": Schemas.text, "answers": ["type": "object"],
          "event": ["type": "string", "format": "uuid"], "at": Schemas.instant,
          "shown": Schemas.list(Schemas.text), "version": Schemas.text,
        ], optional: ["patient", "event", "at", "shown", "version"])
    ),
    (
      "QuestionnaireResult",
      Schemas.object(
        ["response": Schemas.text, "score": ["type": "number"]], optional: ["score"])
    ),
  ]

  private static let form = Parts.parameter(
    "questionnaire", "path", "The name of an instrument, or the id of a stored Questionnaire.",
    isRequired: true)
  private static let day: JSONValue = ["type": "string", "format": "date"]
}
