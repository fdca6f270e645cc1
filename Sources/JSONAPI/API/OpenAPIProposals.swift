// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for prescriptions from elsewhere.
enum OpenAPIProposals {
  private typealias Parts = OpenAPIDescription

  static let list: JSONValue = [
    "operationId": "proposals",
    "summary":
      "Proposals waiting for a decision, each as the plan it would become, and medicines stopped by their source.",
    "parameters": [patient],
    "responses": [
      "200": Parts.response("Waiting proposals, oldest first.", "ProposalList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let acceptAll: JSONValue = [
    "operationId": "acceptProposals",
    "summary": "Accepts all waiting proposals, or none if one is refused.",
    "parameters": [Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "200": Parts.response("How many were accepted, and the findings.", "AcceptedProposals"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "422": Parts.problem("One proposal was refused. Nothing was accepted."),
    ],
  ]

  static let accept: JSONValue = [
    "operationId": "acceptProposal",
    "summary": "Turns a proposal into a plan, or changes the plan. Repeating it changes nothing.",
    "parameters": [proposal, Parts.idempotencyKey],
    "requestBody": [
      "required": false,
      "content": ["application/json": ["schema": Parts.reference("ProposalAcceptance")]],
    ],
    "responses": [
      "200": Parts.response("Accepted, with the plan.", "DecidedProposal"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such proposal."),
      "409": Parts.problem("code is decided (with state): declined, or outdated by a newer one."),
      "422": Parts.problem(
        "The proposal cannot become a plan; see detail. code is supply if its question is open."
      ),
    ],
  ]

  static let decline: JSONValue = [
    "operationId": "declineProposal",
    "summary":
      "Declines a proposal. A plan it would replace ends if its source has ended it.",
    "parameters": [proposal, Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "200": Parts.response("Declined.", "DecidedProposal"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such proposal."),
      "409": Parts.problem("code is decided (with state): accepted, or outdated by a newer one."),
    ],
  ]

  static let seen: JSONValue = [
    "operationId": "seeStop",
    "summary": "Records that the patient has read that a source stopped a medicine.",
    "parameters": [proposal, Parts.idempotencyKey], "requestBody": body,
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such stopped medicine."),
    ],
  ]

  static let take: JSONValue = [
    "operationId": "import",
    "summary":
      "Imports a FHIR file (R4 or DSTU2): prescriptions become proposals, administrations are recorded. Importing the same file again changes nothing.",
    "parameters": [
      patient,
      Parts.parameter(
        "accept", "query", "true: prescriptions become plans immediately.", type: "boolean"),
      Parts.parameter(
        "dryRun", "query", "true: nothing is stored; previews shows each prescription.",
        type: "boolean"),
      Parts.parameter("name", "query", "Name of the source, stored with the proposals."),
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
      "200": Parts.response("What was imported, and what was not.", "ImportReport"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "413": Parts.problem("The file is larger than 50 MB."),
      "415": Parts.problem("Send one of the listed media types."),
      "422": Parts.problem("The file is not FHIR JSON."),
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
      "ProposalAcceptance",
      object(
        ["patient": text, "supply": choice(["stop", "go-on"])], optional: ["patient", "supply"])
    ),
    (
      "SupplyQuestion",
      object(["question": text, "lastDay": text, "answers": list(choice(["stop", "go-on"]))])
    ),
    (
      "Proposal",
      object(
        proposal(with: [
          "medicine": text, "sentence": text, "text": list(text), "lookFirst": flag,
          "acceptable": flag, "unplanned": text, "next": list(instant),
          "findings": list(reference("MedicineFinding")), "unchecked": list(text),
          "unusualAmounts": list(text), "supply": reference("SupplyQuestion"),
          "before": object(
            ["id": text, "medicine": text, "sentence": text, "text": list(text)],
            optional: ["text"]),
        ]),
        optional: [
          "from", "plan", "text", "unplanned", "next", "before", "findings", "unchecked",
          "unusualAmounts", "supply",
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
          "measurements": object(["stored": count, "replaced": count, "unchanged": count]),
          "unplanned": list(object(["entry": count, "plan": text, "reason": text])),
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
                "unusualAmounts": list(text), "supply": reference("SupplyQuestion"),
              ],
              optional: [
                "reason", "plan", "medicine", "sentence", "text", "unplanned", "next", "findings",
                "unchecked", "unusualAmounts", "supply",
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
