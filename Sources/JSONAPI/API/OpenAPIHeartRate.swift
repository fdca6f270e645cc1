// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for heart rate monitoring.
enum OpenAPIHeartRate {
  private typealias Parts = OpenAPIDescription

  private static let patient = Parts.parameter(
    "patient", "query", "The patient's id; required if the account has several.")
  private static let problems: [(String, JSONValue)] = [
    ("401", Parts.problem("No valid token.")), ("404", Parts.problem("No such patient.")),
  ]

  static let statistics: JSONValue = operation(
    "heart",
    "Today's resting heart rate, the limit, the week's average and the last seven days.",
    Parts.response("The values.", "HeartFigures"))

  static let picture: JSONValue = operation(
    "heartPicture", "The heart rate as a small picture for widgets.",
    [
      "description": "The picture.",
      "content": ["image/svg+xml": ["schema": ["type": "string"]]],
    ])

  static let warnings: JSONValue = operation(
    "heartWarnings", "Heart rate warnings of the last year, newest first.",
    Parts.response("The warnings with their answers.", "HeartWarnings"))

  static let budget: JSONValue = operation(
    "heartBudget", "The number of needless questions about the heart rate that a person accepts.",
    Parts.response("The number.", "HeartBudget"))

  static let changeBudget: JSONValue = [
    "operationId": "changeHeartBudget",
    "summary": "Sets the number of needless questions about the heart rate that a person accepts.",
    "parameters": [Parts.idempotencyKey], "requestBody": Parts.body("HeartBudget"),
    "responses": [
      "200": Parts.response("The number.", "HeartBudget"),
      "401": Parts.problem("No valid token."),
      "403": Parts.problem("A care provider's limit is in force, or this account may only read."),
      "404": Parts.problem("No such patient."),
      "422": Parts.problem("The number can't be chosen."),
    ],
  ]

  static let glance: JSONValue = open(
    "glance", "Heart rate values at a widget address; no sign-in needed.",
    Parts.response("The values.", "HeartFigures"))

  static let glancePicture: JSONValue = open(
    "glancePicture", "The heart rate at a widget address as a small picture.",
    [
      "description": "The picture.",
      "content": ["image/svg+xml": ["schema": ["type": "string"]]],
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

  private static func operation(_ id: JSONValue, _ summary: JSONValue, _ answer: JSONValue)
    -> JSONValue
  {
    var responses: JSONValue = ["200": answer]
    for (status, problem) in problems { responses[status] = problem }
    return [
      "operationId": id, "summary": summary, "parameters": [patient], "responses": responses,
    ]
  }

  private static let rate: JSONValue = ["type": ["number", "null"]]

  private static func described(_ type: JSONValue, _ description: JSONValue) -> JSONValue {
    ["type": type, "description": description]
  }

  /// The schemas that they use.
  static let schemas: [(String, JSONValue)] = [
    (
      "HeartFigures",
      [
        "type": "object",
        "required": ["day", "current", "boundary", "weekAverage", "unit", "days"],
        "properties": [
          "day": ["type": "string"], "current": rate, "boundary": rate, "weekAverage": rate,
          "unit": ["type": "string"],
          "days": [
            "type": "array",
            "items": [
              "type": "object", "required": ["day", "value"],
              "properties": ["day": ["type": "string"], "value": rate],
            ],
          ],
        ],
      ]
    ),
    (
      "HeartBudget",
      [
        "type": "object", "required": ["inFourMonths"],
        "properties": [
          "patient": described("string", "The patient's id; required if the account has several."),
          "inFourMonths": [
            "type": "integer", "enum": [1, 2, 4, 8],
            "description":
              "Needless questions in four months, at most about; only for the method that learns.",
          ],
        ],
      ]
    ),
    (
      "HeartWarnings",
      [
        "type": "object", "required": ["warnings"],
        "properties": [
          "warnings": [
            "type": "array",
            "items": [
              "type": "object", "required": ["id", "patient", "kind", "day", "at", "method"],
              "properties": [
                "id": ["type": "string"], "patient": ["type": "string"],
                "kind": ["type": "string", "enum": ["heart", "wear"]],
                "day": ["type": "string"], "at": ["type": "string"],
                "method": ["type": "string", "enum": ["boundary", "dynamic", "model"]],
                "seen": rate, "usual": rate, "boundary": rate,
                "aboveUsual": described("integer", "Beats above the usual heart rate."),
                "daysRaised": described(
                  "integer", "Measured days in a row with a high heart rate."),
                "saysLittle": described(
                  "boolean", "True if this person's heart rate says little about their doses."),
                "explanation": described("string", "The observation in the client's language."),
                "probability": described(
                  "integer", "Only for care providers: probability of a missed dose in percent."),
                "reliability": described(
                  "string",
                  "Only for care providers: how often such questions were right in simulations."),
                "answer": ["type": "string", "enum": ["yes", "no", "unwell", "closed"]],
                "answered": ["type": "string"],
                "done": ["type": "string", "enum": ["later", "nothing", "recorded"]],
              ],
            ],
          ]
        ],
      ]
    ),
  ]
}
