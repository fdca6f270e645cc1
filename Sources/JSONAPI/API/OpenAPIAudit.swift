// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// The operation of the OpenAPI document for the access log.
enum OpenAPIAudit {
  private typealias Parts = OpenAPIDescription

  static let events: JSONValue = [
    "operationId": "audit",
    "summary":
      "Who looked at a patient's data and who changed them, newest first; for the patient and for who acts in the patient's place.",
    "parameters": .array(
      Parts.window + [Parts.parameter("before", "query", "next of the answer before.")]),
    "responses": [
      "200": Parts.response("Up to 500 lines; next where there are older ones.", "AuditList"),
      "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such patient, or one whom you may only look at."),
      "422": Parts.problem("A parameter is missing or wrong."),
    ],
  ]
}

extension OpenAPISchemas {
  /// The schemas of that operation.
  static let ofAudit: [(String, JSONValue)] = [
    (
      "AuditList",
      object(
        [
          "events": list(
            object(
              [
                "id": text, "at": instant,
                "by": object(
                  ["account": text, "name": text], optional: ["name"]),
                "kind": choice(AuditEntry.Kind.allCases.map(\.rawValue)), "resource": text,
                "resourceId": text, "version": ["type": "integer"],
                "purpose": choice(["care", "administration", "system"]),
                "outcome": choice(AuditEntry.Outcome.allCases.map(\.rawValue)),
                "count": ["type": "integer", "minimum": 1],
              ], optional: ["resourceId", "version"])), "next": text,
        ], optional: ["next"])
    )
  ]
}
