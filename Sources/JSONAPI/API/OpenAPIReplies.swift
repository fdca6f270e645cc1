// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operation of the OpenAPI document that a phone gateway calls.
enum OpenAPIReplies {
  private typealias Parts = OpenAPIDescription

  static let receive: JSONValue = [
    "operationId": "receiveReply",
    "summary":
      "Takes a text that someone replied with, or a key pressed in a call. For the operator's gateway, which signs it; no sign-in.",
    "security": [],
    "parameters": [
      Parts.parameter("delivery", "query", "The reminder that a call was about; in calls only.")
    ],
    "requestBody": [
      "required": true,
      "content": [
        "application/x-www-form-urlencoded": ["schema": ["type": "object"]],
        "application/json": ["schema": ["type": "object"]],
      ],
    ],
    "responses": [
      "200": [
        "description":
          "Received. The answer is the same for unknown numbers, repeated messages and other events.",
        "content": [
          "application/json": ["schema": ["type": "object"]],
          "text/xml": ["schema": ["type": "string"]],
        ],
      ],
      "403": Parts.problem("The request is not signed by the gateway."),
      "404": Parts.problem("This server takes no replies."),
    ],
  ]
}
