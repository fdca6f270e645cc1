// SPDX-License-Identifier: Apache-2.0

import FHIR
import Reminders
import Scheduling

/// The operations of the OpenAPI document for a person's own alarms.
enum OpenAPIAlarms {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "alarms",
    "summary": "A patient's own alarms, by time of day, and those waiting for an answer.",
    "parameters": [patient],
    "responses": [
      "200": Parts.response("The alarms.", "AlarmList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let create: JSONValue = [
    "operationId": "createAlarm", "summary": "Creates an alarm.",
    "parameters": [Parts.idempotencyKey], "requestBody": Parts.body("AlarmInput"),
    "responses": [
      "201": Parts.response("The alarm, with its next time.", "Alarm"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "409": Parts.problem("The patient has the most alarms allowed."),
      "422": Parts.problem("The alarm is not valid; see issues."),
    ],
  ]

  static let change: JSONValue = [
    "operationId": "changeAlarm",
    "summary":
      "Changes an alarm. Members left out return to their defaults; on turns it on or off.",
    "parameters": [alarm, Parts.idempotencyKey], "requestBody": Parts.body("AlarmInput"),
    "responses": [
      "200": Parts.response("The current alarm.", "Alarm"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such alarm."),
      "409": Parts.problem("The alarm has changed: version in the body is out of date."),
      "422": Parts.problem("The alarm is not valid; see issues."),
    ],
  ]

  static let remove: JSONValue = [
    "operationId": "removeAlarm", "summary": "Removes an alarm.",
    "parameters": [alarm, patient, Parts.idempotencyKey],
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such alarm."),
    ],
  ]

  static let answer: JSONValue = [
    "operationId": "answerAlarm",
    "summary":
      "Answers an alert that is not a dose. The first answer wins; repeating the event changes nothing.",
    "parameters": .array(
      [
        Parts.parameter("occasion", "path", "The alert's id.", isRequired: true),
        Parts.idempotencyKey,
      ] + Parts.madeFor),
    "requestBody": Parts.body("OccasionAnswer"),
    "responses": [
      "200": Parts.response("The current alert.", "Occasion"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such alert."),
      "409": Parts.problem(
        "code is answered, cancelled, conflict, wrong-account or wrong-person."),
      "422": Parts.problem("The answer is not valid; see detail."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    ("Alarm", schema(isAnswer: true)), ("AlarmInput", schema(isAnswer: false)),
    (
      "AlarmList",
      Schemas.object([
        "alarms": Schemas.list(Schemas.reference("Alarm")),
        "occasions": Schemas.list(Schemas.reference("Occasion")),
      ])
    ),
    (
      "Occasion",
      Schemas.object(
        [
          "id": Schemas.text, "patient": Schemas.text,
          "kind": Schemas.choice(["alarm", "warning"]), "source": Schemas.text,
          "subject": Schemas.text, "due": Schemas.instant, "ringsFrom": Schemas.instant,
          "ends": Schemas.instant,
          "state": Schemas.choice(Alert.State.allCases.map(\.rawValue)),
          "version": ["type": "integer"], "answered": Schemas.instant, "by": Schemas.text,
        ], optional: ["answered", "by"])
    ),
    (
      "OccasionAnswer",
      Schemas.object(
        [
          "action": Schemas.choice(AlertAnswer.Action.allCases.map(\.rawValue)),
          "minutes": ["type": "integer", "minimum": 1], "event": Schemas.text,
          "patient": Schemas.text,
        ], optional: ["minutes", "event", "patient"])
    ),
  ]

  /// Returns the schema of an alarm, for output or input.
  private static func schema(isAnswer: Bool) -> JSONValue {
    let common: [(key: String, value: JSONValue)] = [
      ("patient", Schemas.text), ("kind", Schemas.choice(AlarmKind.allCases.map(\.rawValue))),
      (
        "label",
        ["type": "string", "maxLength": JSONValue.number(JSONNumber(AlarmDraft.longestLabel))]
      ),
      ("time", Schemas.text),
      ("weekdays", Schemas.list(Schemas.choice(Weekday.allCases.map(\.code)))),
      ("starts", ["type": "string", "format": "date"]),
      ("ends", ["type": "string", "format": "date"]), ("sound", Schemas.text),
      ("snooze", ["type": "integer", "minimum": 1, "maximum": 240]),
      ("lead", ["type": "integer", "minimum": 1, "maximum": 1440]), ("on", Schemas.flag),
    ]
    var members = common
    members.append(("version", ["type": "integer"]))
    guard isAnswer else {
      let optional = Set(members.map(\.key)).subtracting(["time"])
      return Schemas.object(members, optional: optional)
    }
    members.append(("id", Schemas.text))
    members.append(("next", Schemas.instant))
    return Schemas.object(members, optional: ["ends", "lead", "next"])
  }

  private static let patient = Parts.patient
  private static let alarm = Parts.parameter("alarm", "path", "The alarm's id.", isRequired: true)
}
