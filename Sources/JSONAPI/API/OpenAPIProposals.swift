// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for prescriptions from elsewhere.
enum OpenAPIProposals {
  private typealias Parts = OpenAPIDescription

  static let list: JSONValue = [
    "operationId": "proposals",
    "summary":
      "Prescriptions from elsewhere that wait for the person, each as accepting it would make it, and medicines that their source stopped.",
    "parameters": [patient],
    "responses": [
      "200": Parts.response("Those that wait, in the order in which they came.", "ProposalList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let acceptAll: JSONValue = [
    "operationId": "acceptProposals",
    "summary": "Accepts all that wait, or none where one of them is refused.",
    "parameters": [Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "200": Parts.response("The number of proposals, and the findings.", "AcceptedProposals"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "422": Parts.problem("One of them was refused; nothing was accepted."),
    ],
  ]

  static let accept: JSONValue = [
    "operationId": "acceptProposal",
    "summary": "Makes a proposal a plan, or a plan what it says. Again it changes nothing.",
    "parameters": [proposal, Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "200": Parts.response("It is accepted; the plan.", "DecidedProposal"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such proposal."),
      "409": Parts.problem("code is decided (with state): declined, or outdated by a newer one."),
      "422": Parts.problem("It cannot be a plan."),
    ],
  ]

  static let decline: JSONValue = [
    "operationId": "declineProposal",
    "summary":
      "Leaves everything as it is. Where its source has ended what it would replace, that ends.",
    "parameters": [proposal, Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "200": Parts.response("It is declined.", "DecidedProposal"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such proposal."),
      "409": Parts.problem("code is decided (with state): accepted, or outdated by a newer one."),
    ],
  ]

  static let seen: JSONValue = [
    "operationId": "seeStop",
    "summary": "Notes that the person has read that a medicine was stopped by its source.",
    "parameters": [proposal, Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "204": ["description": "It is done."], "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such stop."),
    ],
  ]

  static let take: JSONValue = [
    "operationId": "import",
    "summary":
      "Takes over a file of FHIR data (R4 or DSTU2): prescriptions become proposals, doses given are recorded. The same file again changes nothing twice.",
    "parameters": [
      patient,
      Parts.parameter("accept", "query", "true: prescriptions become plans at once."),
      Parts.parameter("dryRun", "query", "true: nothing is kept, and previews shows each."),
      Parts.parameter("name", "query", "Where it comes from, as it is kept with proposals."),
      Parts.idempotencyKey,
    ],
    "requestBody": [
      "required": true,
      "content": [
        "application/fhir+json": ["schema": ["type": "object"]],
        "application/json": ["schema": ["type": "object"]],
        "application/fhir+ndjson": ["schema": ["type": "string"]],
        "application/x-ndjson": ["schema": ["type": "string"]],
        "application/ndjson": ["schema": ["type": "string"]],
      ],
    ],
    "responses": [
      "200": Parts.response("What became of it, and what was not taken over.", "ImportReport"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "413": Parts.problem("The file is larger than 50 MB."),
      "415": Parts.problem("The media type is none of those."),
      "422": Parts.problem("It is no FHIR in JSON."),
    ],
  ]

  private static let patient = Parts.patient
  private static let proposal = Parts.parameter(
    "proposal", "path", "The proposal's id.", isRequired: true)
  private static let body: JSONValue = [
    "required": false,
    "content": ["application/json": ["schema": Parts.reference("PatientChoice")]],
  ]
}

extension OpenAPISchemas {
  /// The schemas of those operations.
  static let ofProposals: [(String, JSONValue)] = [
    ("PatientChoice", object(["patient": text], optional: ["patient"])),
    (
      "Proposal",
      object(
        proposal(with: [
          "medicine": text, "sentence": text, "text": list(text), "lookFirst": flag,
          "acceptable": flag, "unplanned": text, "next": list(instant),
          "findings": list(reference("MedicineFinding")), "unchecked": list(text),
          "unusualAmounts": list(text),
          "before": object(
            ["id": text, "medicine": text, "sentence": text, "text": list(text)],
            optional: ["text"]),
        ]),
        optional: [
          "from", "plan", "text", "unplanned", "next", "before", "findings", "unchecked",
          "unusualAmounts",
        ])
    ),
    (
      "StoppedMedicine",
      object(
        proposal(with: ["medicine": text, "status": text, "reason": text]),
        optional: ["from", "reason"])
    ),
    (
      "ProposalList",
      object([
        "proposals": list(reference("Proposal")), "stopped": list(reference("StoppedMedicine")),
      ])
    ),
    (
      "DecidedProposal",
      object(
        [
          "id": text, "state": choice(["accepted", "declined"]), "plan": text,
          "findings": list(reference("MedicineFinding")), "unchecked": list(text),
          "unusualAmounts": list(text),
        ], optional: ["plan", "findings", "unchecked", "unusualAmounts"])
    ),
    (
      "MedicineFinding",
      object([
        "kind": choice([
          "drug", "duplicate", "allergy", "group", "condition", "food", "herb", "advice", "age",
        ]),
        "severity": choice(["contraindicated", "severe", "moderate", "minor"]), "title": text,
        "text": list(text), "with": list(text), "source": text,
      ])
    ),
    (
      "AcceptedProposals",
      object([
        "accepted": count,
        "findings": list(
          object([
            "proposal": text, "medicine": text,
            "findings": list(reference("MedicineFinding")), "unchecked": list(text),
          ])),
      ])
    ),
    (
      "ImportReport",
      object(
        [
          "entries": count,
          "prescriptions": object([
            "proposed": count, "accepted": count, "stopped": count, "ended": count,
            "unchanged": count,
          ]),
          "administrations": object(["recorded": count, "corrected": count, "unchanged": count]),
          "dispenses": object(["offered": count, "changed": count, "unchanged": count]),
          "ignored": ["type": "object", "additionalProperties": count], "furtherPages": flag,
          "problemCount": count,
          "problems": list(
            object(
              ["entry": count, "reason": text, "type": text, "detail": text],
              optional: ["type", "detail"])),
          "patient": text, "dryRun": flag,
          "findings": list(
            object([
              "entry": count, "medicine": text,
              "findings": list(reference("MedicineFinding")), "unchecked": list(text),
            ])),
          "previews": list(
            object(
              [
                "entry": count,
                "standing": choice([
                  "new", "changes", "known", "declined", "needs-confirmation", "refused",
                ]),
                "reason": text, "plan": text, "medicine": text, "sentence": text,
                "text": list(text), "unplanned": text, "next": list(instant),
                "findings": list(reference("MedicineFinding")), "unchecked": list(text),
                "unusualAmounts": list(text),
              ],
              optional: [
                "reason", "plan", "medicine", "sentence", "text", "unplanned", "next", "findings",
                "unchecked", "unusualAmounts",
              ])),
        ], optional: ["previews", "findings"])
    ),
  ]

  private static let count: JSONValue = ["type": "integer", "minimum": 0]

  private static func proposal(
    with more: KeyValuePairs<String, JSONValue>
  ) -> [(key: String, value: JSONValue)] {
    let common: KeyValuePairs<String, JSONValue> = [
      "id": text, "patient": text, "kind": choice(["new", "changed", "stopped"]),
      "state": choice(["open", "accepted", "declined", "outdated"]), "source": text,
      "from": text, "created": instant, "plan": text,
    ]
    return Array(common) + Array(more)
  }
}
