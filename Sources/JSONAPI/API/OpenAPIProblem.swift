// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The problem document of the JSON API, and what it contains.
enum OpenAPIProblem {
  private typealias Schemas = OpenAPISchemas

  /// The codes of problems; a test compares them with the sources.
  static let codes = [
    "answered", "backup", "business-rule", "cancelled", "columns", "confirm", "conflict",
    "damaged", "decided", "deleted", "duplicate", "ended", "exception", "forbidden", "forgery",
    "format", "idempotency-key-reused", "impossible", "invalid", "login", "media-type", "no-store",
    "not-found",
    "not-supported", "patient", "proof", "required", "second-factor", "stale", "stopped",
    "structure", "supply", "throttled", "timeout", "too-costly", "too-long", "transient",
    "unavailable", "unlikely",
    "value", "wrong-account", "wrong-host", "wrong-person",
  ]

  /// The schemas of problems.
  static let schemas: [(String, JSONValue)] = [
    (
      "Problem",
      Schemas.object(
        [
          "type": Schemas.text, "title": Schemas.text, "status": ["type": "integer"],
          "code": Schemas.reference("ProblemCode"), "detail": Schemas.text,
          "issues": Schemas.list(
            Schemas.object(["expression": ["type": ["string", "null"]], "detail": Schemas.text])),
          "trace": Schemas.text, "dose": Schemas.reference("Dose"),
          "taken": Schemas.list(Schemas.reference("TakenIntake")), "state": Schemas.text,
          "version": ["type": "integer"],
          "limits": Schemas.list(Schemas.reference("ExceededLimit")),
          "early": Schemas.object([
            "dose": Schemas.text, "due": Schemas.instant, "from": Schemas.instant,
          ]),
        ],
        optional: ["issues", "trace", "dose", "taken", "limits", "early", "state", "version"])
    ),
    ("ProblemCode", Schemas.choice(codes)),
    (
      "TakenIntake",
      Schemas.object(
        [
          "administration": Schemas.text, "plan": Schemas.text, "dose": Schemas.text,
          "medicine": Schemas.text, "at": Schemas.instant, "by": Schemas.text,
          "amount": Schemas.reference("Amount"),
        ], optional: ["plan", "dose", "amount"])
    ),
    (
      "ExceededLimit",
      Schemas.object(
        [
          "plan": Schemas.text, "medicine": Schemas.text,
          "limit": Schemas.choice(["doses", "amount", "days"]), "most": ["type": "number"],
          "unit": Schemas.text, "hours": ["type": "integer"], "reached": ["type": "number"],
        ], optional: ["unit", "hours"])
    ),
  ]
}
