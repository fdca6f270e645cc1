// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for caregiver messages.
enum OpenAPICaregiverMessages {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "notices",
    "summary":
      "What the account was told of the patients who tell it something, the latest first, in the account's language. What is not shared any more is left out.",
    "parameters": [Parts.parameter("patient", "query", "One of them.")],
    "responses": [
      "200": Parts.response("The messages.", "Notices"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let acknowledge: JSONValue = [
    "operationId": "acknowledgeNotice",
    "summary":
      "Says that the account takes care of it: who comes later in the patient's order of contacts is not told any more.",
    "parameters": [Parts.parameter("notice", "path", "The message.", isRequired: true)],
    "responses": [
      "200": Parts.response("It is noted, now or before.", "NoticeTaken"),
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
