// SPDX-License-Identifier: Apache-2.0

import FHIR
import Storage

/// The operation of the OpenAPI document for the access log.
enum OpenAPIAudit {
  private typealias Parts = OpenAPIDescription

  static let events: JSONValue = [
    "operationId": "audit",
    "summary":
      "A patient's access log: who read or changed data, newest first. Only for the patient and those who act for the patient.",
    "parameters": .array(
      Parts.window + [Parts.parameter("before", "query", "next from the previous answer.")]),
    "responses": [
      "200": Parts.response("Up to 500 lines; next is there if older ones exist.", "AuditList"),
      "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such patient, or read access only."),
      "422": Parts.problem("A parameter is missing or wrong; see detail."),
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
                  [
                    "account": text, "name": text,
                    "app": object(["id": text, "name": text], optional: ["name"]),
                  ], optional: ["name", "app"]),
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
