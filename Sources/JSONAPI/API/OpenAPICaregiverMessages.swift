// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for caregiver messages.
enum OpenAPICaregiverMessages {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "notices",
    "summary":
      "Messages to the account about its patients, newest first, in the account's language. What is no longer shared is left out.",
    "parameters": [Parts.parameter("patient", "query", "Only messages about this patient.")],
    "responses": [
      "200": Parts.response("The messages.", "Notices"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let acknowledge: JSONValue = [
    "operationId": "acknowledgeNotice",
    "summary":
      "Records that the account takes care of it. Contacts later in the patient's order are no longer told.",
    "parameters": [
      Parts.parameter("notice", "path", "The message's id.", isRequired: true),
      Parts.idempotencyKey,
    ],
    "responses": [
      "200": Parts.response("Recorded, now or earlier.", "NoticeTaken"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such message."),
    ],
  ]

  /// The schemas that they use.
  static let schemas: [(String, JSONValue)] = [
    ("Notices", Schemas.object(["notices": Schemas.list(Schemas.reference("Notice"))])),
    (
      "Notice",
      Schemas.object(
        [
          "id": Schemas.text, "patient": Schemas.text,
          "topic": Schemas.choice([
            "refused", "missed", "missed-often", "warning", "heart-yes", "morning-done",
            "not-recorded", "stock-low", "stock-out", "more",
          ]),
          "text": Schemas.text, "happened": Schemas.instant, "told": Schemas.instant,
          "more": ["type": "integer"], "seen": Schemas.instant, "acknowledged": Schemas.instant,
          "taken": Schemas.list(
            Schemas.object(["name": Schemas.text, "at": Schemas.instant])),
        ], optional: ["seen", "acknowledged", "taken"])
    ),
    (
      "NoticeTaken",
      Schemas.object([
        "id": Schemas.text, "patient": Schemas.text, "acknowledged": Schemas.instant,
      ])
    ),
  ]
}
