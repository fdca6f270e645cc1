// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document that a phone gateway and a bot's server call.
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

  static let chat: JSONValue = [
    "operationId": "receiveChatUpdate",
    "summary":
      "Takes a message or a pressed button from the operator's chat bot, which proves itself with a secret; no sign-in.",
    "security": [],
    "parameters": [
      Parts.parameter(
        "X-Telegram-Bot-Api-Secret-Token", "header", "The secret, as Telegram sends it."),
      Parts.parameter("secret", "query", "The secret, for signal-cli."),
    ],
    "requestBody": [
      "required": true, "content": ["application/json": ["schema": ["type": "object"]]],
    ],
    "responses": [
      "200": [
        "description": "Received. The answer is the same for unknown chats and repeated updates.",
        "content": ["application/json": ["schema": ["type": "object"]]],
      ],
      "403": Parts.problem("The secret is not the bot's."),
      "404": Parts.problem("This server has no bot."),
    ],
  ]
}
