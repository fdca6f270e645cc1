// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for widgets and watch faces.
enum OpenAPIWidgets {
  private typealias Parts = OpenAPIDescription

  static let facts: JSONValue = open(
    "widget", "The day at an address that was made for widgets; who has it needs no sign-in.",
    Parts.response("What is due.", "Widget"))

  static let picture: JSONValue = open(
    "widgetPicture", "The same as a small picture: a ring for what is taken, and what is due.",
    [
      "description": "The picture.",
      "content": ["image/png": ["schema": ["type": "string"]]],
    ])

  private static func open(_ id: JSONValue, _ summary: JSONValue, _ answer: JSONValue) -> JSONValue
  {
    [
      "operationId": id, "summary": summary, "security": [],
      "parameters": [
        Parts.parameter("secret", "path", "What the address was made with.", isRequired: true)
      ],
      "responses": ["200": answer, "404": Parts.problem("No such address, or it was ended.")],
    ]
  }

  private static let text: JSONValue = ["type": "string"]
  private static let count: JSONValue = ["type": "integer"]

  /// The schema that they use.
  static let schemas: [(String, JSONValue)] = [
    (
      "Widget",
      [
        "type": "object", "required": ["text", "open", "late", "taken", "planned", "due"],
        "properties": [
          "text": text, "open": count, "late": count, "taken": count, "planned": count,
          "person": text,
          "due": [
            "type": "array",
            "items": [
              "type": "object", "required": ["time", "late"],
              "properties": ["time": text, "late": ["type": "boolean"], "medicine": text],
            ],
          ],
          "next": [
            "type": "object", "required": ["at", "time", "count"],
            "properties": [
              "at": text, "time": text, "count": count,
              "medicines": ["type": "array", "items": text],
            ],
          ],
        ],
      ]
    )
  ]
}
