// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operation of the OpenAPI document that receives heart rate, steps and weight.
enum OpenAPIVitals {
  private typealias Parts = OpenAPIDescription

  static let take: JSONValue = [
    "operationId": "vitals",
    "summary":
      "Stores heart rate, steps and weight, in this API's format or as phones and apps send them (see the guide). Repeated values change nothing.",
    "parameters": [
      Parts.parameter("patient", "query", "The patient's id; required if the account has several."),
      Parts.idempotencyKey,
    ],
    "requestBody": [
      "required": true,
      "content": [
        "application/json": ["schema": ["$ref": "#/components/schemas/Vitals"]],
        "application/fhir+json": ["schema": ["type": "object"]],
      ],
    ],
    "responses": [
      "200": Parts.response("How many were stored, which were not, and why.", "TakenVitals"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "415": Parts.problem("The body is not JSON."),
      "422": Parts.problem("The body has no known format."),
    ],
  ]

  /// The schemas that it uses.
  static let schemas: [(String, JSONValue)] = [
    (
      "Vitals",
      [
        "type": "object",
        "properties": [
          "patient": ["type": "string"],
          "readings": [
            "type": "array",
            "items": [
              "type": "object", "required": ["type", "at", "source"],
              "properties": [
                "type": [
                  "type": "string",
                  "enum": [
                    "resting-heart-rate", "heart-rate", "walking-heart-rate", "steps", "weight",
                  ],
                ],
                "at": ["type": "string"], "value": ["type": "number"],
                "unit": ["type": "string"], "source": ["type": "string"],
                "deleted": ["type": "boolean"],
              ],
            ],
          ],
        ],
      ]
    ),
    (
      "TakenVitals",
      [
        "type": "object", "required": ["stored", "replaced", "unchanged", "skipped"],
        "properties": [
          "stored": ["type": "integer"], "replaced": ["type": "integer"],
          "unchanged": ["type": "integer"],
          "skipped": [
            "type": "array",
            "items": [
              "type": "object", "required": ["index", "error", "place"],
              "properties": [
                "index": ["type": "integer"], "error": ["type": "string"],
                "place": ["type": "string"],
              ],
            ],
          ],
        ],
      ]
    ),
  ]
}
