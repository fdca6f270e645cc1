// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The OpenAPI 3.1 document.
///
/// A test compares its paths with the routes.
package enum OpenAPIDescription {
  package static let json: JSONValue = [
    "openapi": "3.1.0",
    "info": [
      "title": "Regimen",
      "version": "0.1.0",
      "description":
        "Doses, answers and entries of the patients that an account may act for. The FHIR API beside it is described by /fhir/metadata.",
      "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
    ],
    "servers": [["url": "/"]],
    "security": [["bearer": []]],
    "paths": [
      "/health": ["get": health],
      "/api/v1/openapi.json": ["get": description],
      "/api/v1/me": ["get": me],
      "/api/v1/doses": ["get": doses],
      "/api/v1/doses/{dose}/answers": ["post": answer],
      "/api/v1/administrations": ["post": administration],
    ],
    "components": [
      "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
      "schemas": OpenAPISchemas.json,
    ],
  ]

  private static let health: JSONValue = [
    "operationId": "health", "security": [],
    "summary": "Whether the server is well.",
    "responses": [
      "200": response("It is.", "Health"),
      "503": response("The database or the planning of doses stands still.", "Health"),
    ],
  ]

  private static let description: JSONValue = [
    "operationId": "description", "security": [],
    "summary": "This document.",
    "responses": [
      "200": [
        "description": "The description.",
        "content": ["application/json": ["schema": ["type": "object"]]],
      ]
    ],
  ]

  private static let me: JSONValue = [
    "operationId": "me",
    "summary": "The account and the patients it may act for.",
    "responses": [
      "200": response("The account.", "Me"), "401": problem("No valid token."),
    ],
  ]

  private static let doses: JSONValue = [
    "operationId": "doses",
    "summary": "Doses due from an instant until before another.",
    "parameters": [
      parameter("patient", "query", "A patient of /me; may be left out where there is one."),
      parameter(
        "from", "query", "Inclusive instant with offset.", format: "date-time", isRequired: true),
      parameter(
        "to", "query", "Exclusive instant with offset, at most 400 days later.",
        format: "date-time", isRequired: true),
    ],
    "responses": [
      "200": response("The doses, by due time.", "DoseList"),
      "401": problem("No valid token."), "404": problem("No such patient."),
      "422": problem("A parameter is missing or wrong."),
    ],
  ]

  private static let answer: JSONValue = [
    "operationId": "answer",
    "summary": "Answers a dose. The first answer wins; the same event again changes nothing.",
    "parameters": [
      parameter("dose", "path", "The dose's id.", isRequired: true), idempotencyKey,
    ],
    "requestBody": body("Answer"),
    "responses": [
      "200": response("The dose as it is now.", "Dose"),
      "401": problem("No valid token."), "404": problem("No such dose."),
      "409": problem(
        "code is answered, stale, cancelled (with dose) or confirm (with taken)."),
      "422": problem("The answer is not valid."),
    ],
  ]

  private static let administration: JSONValue = [
    "operationId": "administration",
    "summary": "Records an intake that names no dose, or that a medicine was not taken.",
    "parameters": [idempotencyKey],
    "requestBody": body("Administration"),
    "responses": [
      "201": response("The MedicationAdministration and the dose it answered.", "Recorded"),
      "401": problem("No valid token."), "404": problem("No such patient or plan."),
      "409": problem("code is confirm (with taken) or answered (with dose)."),
      "422": problem("The entry is not valid."),
    ],
  ]

  private static let idempotencyKey = parameter(
    "Idempotency-Key", "header",
    "Kept 30 days: the same body gets the first answer again, another body 422.")

  private static func parameter(
    _ name: String, _ place: String, _ description: String, format: String? = nil,
    isRequired: Bool = false
  ) -> JSONValue {
    var schema: JSONValue = ["type": "string"]
    schema["format"] = format.map(JSONValue.string)
    return [
      "name": .string(name), "in": .string(place), "required": .bool(isRequired),
      "description": .string(description), "schema": schema,
    ]
  }

  private static func body(_ schema: String) -> JSONValue {
    [
      "required": true,
      "content": ["application/json": ["schema": reference(schema)]],
    ]
  }

  private static func response(_ description: String, _ schema: String) -> JSONValue {
    [
      "description": .string(description),
      "content": ["application/json": ["schema": reference(schema)]],
    ]
  }

  private static func problem(_ description: String) -> JSONValue {
    [
      "description": .string(description),
      "content": ["application/problem+json": ["schema": reference("Problem")]],
    ]
  }

  private static func reference(_ schema: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(schema)")]
  }
}
