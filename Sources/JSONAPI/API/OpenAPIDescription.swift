// SPDX-License-Identifier: Apache-2.0

import FHIR
import Web

/// The OpenAPI 3.1 document.
///
/// A test compares its paths with the routes.
package enum OpenAPIDescription {
  /// The whole document, as `/api/v1/openapi.json` serves it.
  package static let json: JSONValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "Regimen",
      "version": .string(ServerSettings.version),
      "description":
        "Doses, answers, entries, proposals and reminders of an account's patients. For the FHIR API, see /fhir/metadata. A method that an address does not list is answered with 405, and Allow names the others.",
      "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
    ],
    "servers": [["url": "/"]],
    "tags": OpenAPIOperations.list,
    "security": [["bearer": []], ["session": []]],
    "paths": OpenAPIOperations.completed(paths),
    "components": [
      "securitySchemes": [
        "bearer": ["type": "http", "scheme": "bearer"],
        "session": [
          "type": "apiKey", "in": "cookie", "name": "regimen",
          "description":
            "A browser session. Over https, the cookie is named __Host-regimen. Writes also need this server's Origin, or Sec-Fetch-Site: same-origin.",
        ],
      ],
      "schemas": OpenAPISchemas.json,
    ],
  ]

  private static let paths: JSONValue = [
    "/health": ["get": health],
    "/api/v1/openapi.json": ["get": description],
    "/api/v1/me": ["get": me],
    "/api/v1/doses": ["get": doses],
    "/api/v1/doses/{dose}/answers": ["post": answer],
    "/api/v1/doses/{dose}/reasons": ["get": reasons],
    "/api/v1/doses/{dose}/replan": ["get": rescheduling, "post": decideRescheduling],
    "/api/v1/intake-times": ["get": OpenAPISimplification.proposal],
    "/api/v1/administrations": ["post": administration],
    "/api/v1/administrations/{administration}/undo": ["post": administrationUndo],
    "/api/v1/push-subscriptions": [
      "get": OpenAPIReminders.subscriptions, "post": OpenAPIReminders.subscribe,
    ],
    "/api/v1/push-subscriptions/{subscription}": ["delete": OpenAPIReminders.unsubscribe],
    "/api/v1/push-subscriptions/{subscription}/test": ["post": OpenAPIReminders.test],
    "/api/v1/push-subscriptions/{subscription}/confirm": ["post": OpenAPIReminders.confirm],
    "/api/v1/deliveries": ["get": OpenAPIReminders.deliveries],
    "/api/v1/gateways/replies": ["post": OpenAPIReplies.receive],
    "/api/v1/chat/updates": ["post": OpenAPIReplies.chat],
    "/api/v1/deliveries/{delivery}/shown": ["post": OpenAPIReminders.shown],
    "/api/v1/events": ["get": OpenAPIReminders.events],
    "/api/v1/proposals": ["get": OpenAPIProposals.list],
    "/api/v1/proposals/accept": ["post": OpenAPIProposals.acceptAll],
    "/api/v1/proposals/{proposal}/accept": ["post": OpenAPIProposals.accept],
    "/api/v1/proposals/{proposal}/decline": ["post": OpenAPIProposals.decline],
    "/api/v1/proposals/{proposal}/seen": ["post": OpenAPIProposals.seen],
    "/api/v1/imports": ["post": OpenAPIProposals.take],
    "/api/v1/vitals": ["post": OpenAPIVitals.take],
    "/api/v1/medicines/{plan}/effect": ["get": OpenAPIEffect.figures],
    "/api/v1/heart": ["get": OpenAPIHeartRate.statistics],
    "/api/v1/heart/picture.svg": ["get": OpenAPIHeartRate.picture],
    "/api/v1/heart/warnings": ["get": OpenAPIHeartRate.warnings],
    "/api/v1/heart/budget": [
      "get": OpenAPIHeartRate.budget, "put": OpenAPIHeartRate.changeBudget,
    ],
    "/api/v1/diary/trackers": ["get": OpenAPIDiary.trackers],
    "/api/v1/diary/entries": ["get": OpenAPIDiary.list, "post": OpenAPIDiary.add],
    "/api/v1/diary/entries/{entry}": [
      "put": OpenAPIDiary.change, "delete": OpenAPIDiary.remove,
    ],
    "/glance/{secret}": ["get": OpenAPIHeartRate.glance],
    "/glance/{secret}/picture.svg": ["get": OpenAPIHeartRate.glancePicture],
    "/widget/{secret}": ["get": OpenAPIWidgets.facts],
    "/widget/{secret}/picture.png": ["get": OpenAPIWidgets.picture],
    "/api/v1/conversations": ["get": OpenAPIConversations.list],
    "/api/v1/conversations/{conversation}/messages": [
      "get": OpenAPIConversations.messages, "post": OpenAPIConversations.send,
    ],
    "/api/v1/conversations/{conversation}/messages/{message}": [
      "delete": OpenAPIConversations.withdraw
    ],
    "/api/v1/conversations/{conversation}/seen": ["post": OpenAPIConversations.seen],
    "/api/v1/alarms": ["get": OpenAPIAlarms.list, "post": OpenAPIAlarms.create],
    "/api/v1/alarms/{alarm}": ["put": OpenAPIAlarms.change, "delete": OpenAPIAlarms.remove],
    "/api/v1/alarms/occasions/{occasion}/answers": ["post": OpenAPIAlarms.answer],
    "/api/v1/stock": ["get": OpenAPIStock.list],
    "/api/v1/looks": ["get": OpenAPIAppearance.list],
    "/api/v1/audit": ["get": OpenAPIAudit.events],
    "/api/v1/notices": ["get": OpenAPICaregiverMessages.list],
    "/api/v1/notices/{notice}/acknowledge": ["post": OpenAPICaregiverMessages.acknowledge],
    "/api/v1/as-needed": ["get": OpenAPIAsNeeded.list],
    "/api/v1/follow-ups": ["get": OpenAPIFollowUps.list],
    "/api/v1/follow-ups/{administration}/answers": ["post": OpenAPIFollowUps.answer],
    "/api/v1/sites": ["get": OpenAPISites.list],
    "/api/v1/sites/{administration}": ["put": OpenAPISites.record],
    "/api/v1/sites/{administration}/removal": ["post": OpenAPISites.remove],
    "/api/v1/home-devices": ["get": OpenAPIHomeDevices.list, "post": OpenAPIHomeDevices.add],
    "/api/v1/home-devices/registered/{device}": [
      "get": OpenAPIHomeDevices.show, "put": OpenAPIHomeDevices.change,
      "delete": OpenAPIHomeDevices.revoke,
    ],
    "/api/v1/home-devices/events": ["post": OpenAPIHomeDevices.events],
    "/api/v1/home-devices/broker": ["get": OpenAPIHomeDevices.broker],
    "/api/v1/questionnaires": ["get": OpenAPIQuestionnaires.list],
    "/api/v1/questionnaires/{questionnaire}": ["get": OpenAPIQuestionnaires.show],
    "/api/v1/questionnaires/{questionnaire}/responses": ["post": OpenAPIQuestionnaires.submit],
    "/api/v1/research/counts": ["get": OpenAPIResearch.counts],
    "/api/v1/research/files": ["get": OpenAPIResearch.files],
    "/api/v1/research/files/{file}": ["get": OpenAPIResearch.file],
    "/api/v1/voice": ["post": OpenAPIVoice.answer],
    "/cds-services": ["get": OpenAPICDS.list],
    "/cds-services/{service}": ["post": OpenAPICDS.call],
    "/cds-services/{service}/feedback": ["post": OpenAPICDS.feedback],
  ]

  private static let health: JSONValue = [
    "operationId": "health", "security": [],
    "summary": "Health of the server.",
    "responses": [
      "200": response("The server works.", "Health"),
      "503": response(
        "The database, dose planning or reminders have stalled, or the clock is wrong; see part.",
        "Health"),
    ],
  ]

  private static let description: JSONValue = [
    "operationId": "description", "security": [],
    "summary": "This document.",
    "responses": [
      "200": [
        "description": "The OpenAPI description.",
        "content": ["application/json": ["schema": ["type": "object"]]],
      ]
    ],
  ]

  private static let me: JSONValue = [
    "operationId": "me",
    "summary": "The account, and the patients it may act for or read.",
    "responses": [
      "200": response("The account.", "Me"), "401": problem("No valid token."),
    ],
  ]

  private static let doses: JSONValue = [
    "operationId": "doses",
    "summary": "Doses due in a period.",
    "parameters": .array(window),
    "responses": [
      "200": response("The doses, by due time.", "DoseList"),
      "401": problem("No valid token."), "404": problem("No such patient."),
      "422": problem("A parameter is missing or wrong; see detail."),
    ],
  ]

  private static let answer: JSONValue = [
    "operationId": "answer",
    "summary": "Answers a dose. The first answer wins; repeating the event changes nothing.",
    "parameters": .array(
      [parameter("dose", "path", "The dose's id.", isRequired: true), idempotencyKey] + madeFor),
    "requestBody": body("Answer"),
    "responses": [
      "200": response("The current dose.", "Dose"),
      "401": problem("No valid token."), "404": problem("No such dose."),
      "409": problem(
        "code is answered, stale, cancelled (with dose), confirm (with taken), conflict, wrong-account or wrong-person."
      ),
      "422": problem("The answer is not valid; see detail."),
    ],
  ]

  private static let reasons: JSONValue = [
    "operationId": "reasons",
    "summary": "The rules that set the time of a dose, in the order they applied.",
    "parameters": [parameter("dose", "path", "The dose's id.", isRequired: true)],
    "responses": [
      "200": response("The reasons; empty for a dose of an earlier plan version.", "DoseReasons"),
      "401": problem("No valid token."), "404": problem("No such dose."),
    ],
  ]

  private static let rescheduling: JSONValue = [
    "operationId": "replan",
    "summary":
      "Advice for a late or missed dose and the doses after it, rule by rule.",
    "parameters": [parameter("dose", "path", "The dose's id.", isRequired: true)],
    "responses": [
      "200": response(
        "The rules in the order they applied. Nothing is changed.", "Replan"),
      "401": problem("No valid token."), "404": problem("No such dose."),
    ],
  ]

  private static let decideRescheduling: JSONValue = [
    "operationId": "decideReplan",
    "summary":
      "Moves the doses after a late one as proposed, leaves them, or moves them back.",
    "parameters": [
      parameter("dose", "path", "The id of the late dose.", isRequired: true),
      idempotencyKey,
    ],
    "requestBody": body("ReplanChoice"),
    "responses": [
      "200": response("The current state. Repeating the request changes nothing.", "Replan"),
      "401": problem("No valid token."), "404": problem("No such dose."),
      "409": problem("code is stale: this is no longer proposed. Read the proposal again."),
      "422": problem("The decision is not valid; see detail."),
    ],
  ]

  private static let administrationUndo: JSONValue = [
    "operationId": "undoAdministration",
    "summary": "Undoes an intake without a dose. Repeating the request changes nothing.",
    "parameters": [
      parameter("administration", "path", "The MedicationAdministration's id.", isRequired: true),
      idempotencyKey,
    ],
    "requestBody": body("AdministrationUndo"),
    "responses": [
      "200": response("Undone.", "Identified"), "401": problem("No valid token."),
      "404": problem("No such intake, or it answered a dose: undo that answer instead."),
      "422": problem("The event is not valid; see detail."),
    ],
  ]

  private static let administration: JSONValue = [
    "operationId": "administration",
    "summary": "Records an intake without a dose, or that a medicine was not taken.",
    "parameters": [idempotencyKey],
    "requestBody": body("Administration"),
    "responses": [
      "201": response("The MedicationAdministration and the dose it answered.", "Recorded"),
      "401": problem("No valid token."), "404": problem("No such patient or plan."),
      "409": problem("code is confirm (with taken) or answered (with dose)."),
      "422": problem("The entry is not valid; see detail."),
    ],
  ]
}
