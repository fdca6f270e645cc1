// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for the diary.
enum OpenAPIDiary {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let trackers: JSONValue = [
    "operationId": "diaryTrackers",
    "summary": "What a patient can write down: the trackers in use first, then the other ones.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The trackers.", "DiaryTrackerList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let list: JSONValue = [
    "operationId": "diaryEntries",
    "summary": "The latest entries of a patient's diary, the latest first.",
    "parameters": [
      Parts.patient, Parts.parameter("tracker", "query", "The id of a tracker; all by default."),
      Parts.parameter(
        "limit", "query", "1 to 1000 entries; 100 by default.", type: "integer", minimum: 1,
        maximum: 1_000),
    ],
    "responses": [
      "200": Parts.response("The entries.", "DiaryEntryList"),
      "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such patient or tracker."),
      "422": Parts.problem("A parameter is wrong; see detail."),
    ],
  ]

  static let add: JSONValue = [
    "operationId": "addDiaryEntry",
    "summary":
      "Adds an entry. An unusual value is refused with the code unlikely until it is sent with a reason.",
    "description":
      "With event, a UUID, and at, the same entry can be sent again from anywhere, and is stored once.",
    "parameters": [Parts.idempotencyKey], "requestBody": Parts.body("NewDiaryEntry"),
    "responses": [
      "201": Parts.response("The entry; its id is that of the Observation.", "DiaryEntry"),
      "401": Parts.problem("No valid token."),
      "403": Parts.problem("This account may only read."),
      "404": Parts.problem("No such patient or tracker."),
      "422": Parts.problem("code is value, unlikely or impossible; see detail."),
    ],
  ]

  static let change: JSONValue = [
    "operationId": "changeDiaryEntry",
    "summary": "Corrects an entry. Without a time, its time stays.",
    "parameters": [entry, Parts.idempotencyKey], "requestBody": Parts.body("NewDiaryEntry"),
    "responses": [
      "200": Parts.response("The entry.", "DiaryEntry"), "401": Parts.problem("No valid token."),
      "403": Parts.problem("This account may only read."), "404": Parts.problem("No such entry."),
      "409": Parts.problem("Another program sent the value, so it can only be deleted."),
      "422": Parts.problem("code is value, unlikely or impossible; see detail."),
    ],
  ]

  static let remove: JSONValue = [
    "operationId": "removeDiaryEntry", "summary": "Deletes an entry and its photos.",
    "parameters": [entry, Parts.idempotencyKey],
    "responses": [
      "200": Parts.response("Deleted.", "Identified"), "401": Parts.problem("No valid token."),
      "403": Parts.problem("This account may only read."), "404": Parts.problem("No such entry."),
    ],
  ]

  private static let entry = Parts.parameter(
    "entry", "path", "The entry's id.", isRequired: true)

  /// A number, text, or true or false, as the tracker's kind asks for.
  private static let value: JSONValue = [
    "type": ["number", "string", "boolean"],
    "description": "As the tracker's kind asks for; blood pressure has none.",
  ]
  private static let whole: JSONValue = ["type": "integer"]

  /// The schemas that they use.
  static let schemas: [(String, JSONValue)] = [
    (
      "DiaryTrackerList",
      Schemas.object(["trackers": Schemas.list(Schemas.reference("DiaryTracker"))])
    ),
    (
      "DiaryTracker",
      Schemas.object(
        [
          "id": Schemas.text,
          "kind": Schemas.choice(["score", "yes-no", "number", "pressure", "text", "graded-text"]),
          "units": Schemas.list(Schemas.text), "inUse": Schemas.flag, "name": Schemas.text,
        ], optional: ["name"])
    ),
    (
      "DiaryEntryList", Schemas.object(["entries": Schemas.list(Schemas.reference("DiaryEntry"))])
    ),
    (
      "DiaryEntry",
      Schemas.object(
        [
          "id": Schemas.text, "tracker": Schemas.text, "at": Schemas.instant,
          "own": Schemas.flag, "value": value, "unit": Schemas.text, "systolic": whole,
          "diastolic": whole, "strength": whole, "note": Schemas.text, "reason": Schemas.text,
        ], optional: ["value", "unit", "systolic", "diastolic", "strength", "note", "reason"])
    ),
    (
      "NewDiaryEntry",
      Schemas.object(
        [
          "patient": Schemas.text, "tracker": Schemas.text, "at": Schemas.instant,
          "value": value, "unit": Schemas.text, "systolic": whole, "diastolic": whole,
          "strength": whole, "note": Schemas.text, "reason": Schemas.text,
          "event": ["type": "string", "format": "uuid"],
        ],
        optional: [
          "patient", "at", "event", "value", "unit", "systolic", "diastolic", "strength", "note",
          "reason",
        ])
    ),
  ]
}
