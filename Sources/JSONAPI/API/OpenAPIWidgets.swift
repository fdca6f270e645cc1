// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for widgets and watch faces.
enum OpenAPIWidgets {
  private typealias Parts = OpenAPIDescription

  static let facts: JSONValue = open(
    "widget", "Today's doses at a widget address; no sign-in needed.",
    Parts.response("Today's doses.", "Widget"))

  static let picture: JSONValue = open(
    "widgetPicture", "Today's doses as a small picture: a progress ring and what is due.",
    [
      "description": "The picture.",
      "content": ["image/png": ["schema": ["type": "string"]]],
    ])

  private static func open(_ id: JSONValue, _ summary: JSONValue, _ answer: JSONValue) -> JSONValue
  {
    [
      "operationId": id, "summary": summary, "security": [],
      "parameters": [
        Parts.parameter(
          "secret", "path", "The secret part of the widget address.", isRequired: true)
      ],
      "responses": ["200": answer, "404": Parts.problem("No such address, or it was removed.")],
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
