// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for decision support (CDS Hooks 2.0, which defines the bodies).
enum OpenAPICDS {
  private typealias Parts = OpenAPIDescription

  private static let object: JSONValue = ["application/json": ["schema": ["type": "object"]]]

  private static let service = Parts.parameter(
    "service", "path", "The id of a service from the list.", isRequired: true)

  static let list: JSONValue = [
    "operationId": "cdsServices", "security": [],
    "summary": "The decision support services (CDS Hooks 2.0).",
    "responses": ["200": ["description": "The services.", "content": object]],
  ]

  static let call: JSONValue = [
    "operationId": "cdsService",
    "summary":
      "Cards about draft orders or a patient. The token may be a JWT that the system signed.",
    "parameters": [service],
    "requestBody": ["required": true, "content": object],
    "responses": [
      "200": ["description": "The cards; none if nothing is found.", "content": object],
      "400": Parts.problem("The request is not valid; see detail."),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such service."),
    ],
  ]

  static let feedback: JSONValue = [
    "operationId": "cdsFeedback",
    "summary": "Records in the audit trail what became of cards.",
    "parameters": [service],
    "requestBody": ["required": true, "content": object],
    "responses": [
      "200": ["description": "Recorded.", "content": object],
      "400": Parts.problem("The request is not valid; see detail."),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such service."),
    ],
  ]
}
