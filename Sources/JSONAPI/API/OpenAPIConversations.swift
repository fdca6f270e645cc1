// SPDX-License-Identifier: Apache-2.0

import CareTeam
import FHIR

/// The operations of the OpenAPI document for conversations.
enum OpenAPIConversations {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "conversations",
    "summary":
      "The account's conversations, newest first, and those it could start.",
    "parameters": [
      Parts.parameter(
        "patient", "query", "Only conversations about this patient.", isRequired: false)
    ],
    "responses": [
      "200": Parts.response("The conversations.", "ConversationList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let messages: JSONValue = [
    "operationId": "messages", "summary": "Messages of a conversation, oldest first.",
    "parameters": [
      conversation,
      Parts.parameter(
        "before", "query", "Messages before this number; the newest if left out.",
        type: "integer", minimum: 1),
      Parts.parameter(
        "limit", "query", "At most this many, up to 200.", type: "integer", minimum: 1,
        maximum: 200),
    ],
    "responses": [
      "200": Parts.response("The messages.", "MessageList"),
      "400": Parts.problem("before or limit is not a valid number."),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such conversation."),
    ],
  ]

  static let send: JSONValue = [
    "operationId": "sendMessage",
    "summary": "Sends a message. Repeating the event returns the first message and stores nothing.",
    "parameters": .array([conversation, Parts.idempotencyKey] + Parts.madeFor),
    "requestBody": Parts.body("MessageInput"),
    "responses": [
      "200": Parts.response("Sent earlier.", "MessageSent"),
      "201": Parts.response("Sent.", "MessageSent"),
      "401": Parts.problem("No valid token."),
      "403": Parts.problem("A token for the whole installation may only read."),
      "404": Parts.problem("No such conversation."),
      "409": Parts.problem(
        "code is ended (messages are no longer shared), wrong-account or wrong-person."
      ),
      "422": Parts.problem("The message is not valid; see detail."),
      "429": Parts.problem("Too many messages. Wait as many seconds as Retry-After says."),
    ],
  ]

  static let withdraw: JSONValue = [
    "operationId": "takeBackMessage",
    "summary": "Deletes the text and photo of the account's own message; an empty entry stays.",
    "parameters": [
      conversation,
      Parts.parameter("message", "path", "The message's id.", isRequired: true),
      Parts.idempotencyKey,
    ],
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "403": Parts.problem("Someone else wrote this message."),
      "404": Parts.problem("No such message."),
    ],
  ]

  static let seen: JSONValue = [
    "operationId": "seenMessages", "summary": "Records how far the account has read.",
    "parameters": [conversation, Parts.idempotencyKey], "requestBody": Parts.body("MessagesSeen"),
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such conversation."),
      "422": Parts.problem("Send number."),
    ],
  ]

  private static let conversation = Parts.parameter(
    "conversation", "path", "The conversation's id.", isRequired: true)

  private static let relationship = Schemas.choice(["self", "guardian", "family", "practitioner"])
  private static let side = Schemas.choice(ChatSide.allCases.map(\.rawValue))
  private static let whole: JSONValue = ["type": "integer"]

  static let schemas: [(String, JSONValue)] = [
    (
      "ConversationList",
      Schemas.object(["conversations": Schemas.list(Schemas.reference("Conversation"))])
    ),
    (
      "Conversation",
      Schemas.object(
        [
          "id": Schemas.text, "patient": Schemas.text,
          "member": Schemas.object(["name": Schemas.text, "relationship": relationship]),
          "side": side, "open": Schemas.flag, "unread": whole,
          "last": Schemas.reference("Message"),
        ], optional: ["last"])
    ),
    (
      "MessageList",
      Schemas.object(
        [
          "messages": Schemas.list(Schemas.reference("Message")), "more": Schemas.flag,
          "open": Schemas.flag,
          "seen": Schemas.object(["number": whole, "at": Schemas.instant]),
        ], optional: ["seen"])
    ),
    (
      "Message",
      Schemas.object(
        [
          "id": Schemas.text, "conversation": Schemas.text, "patient": Schemas.text,
          "number": whole, "sent": Schemas.instant, "written": Schemas.instant, "side": side,
          "role": relationship, "own": Schemas.flag, "by": Schemas.text, "text": Schemas.text,
          "photo": Schemas.text, "dose": Schemas.text, "warning": Schemas.text,
          "withdrawn": Schemas.instant,
        ], optional: ["by", "text", "photo", "dose", "warning", "withdrawn"])
    ),
    (
      "MessageSent",
      Schemas.object([
        "id": Schemas.text, "conversation": Schemas.text, "patient": Schemas.text,
        "number": whole, "event": Schemas.text, "sent": Schemas.instant,
        "written": Schemas.instant,
      ])
    ),
    (
      "MessageInput",
      Schemas.object(
        [
          "text": [
            "type": "string", "maxLength": .number(JSONNumber(ChatText.maximum)),
          ],
          "event": ["type": "string", "format": "uuid"], "at": Schemas.instant,
          "dose": Schemas.text, "warning": Schemas.text,
        ], optional: ["event", "at", "dose", "warning"])
    ),
    ("MessagesSeen", Schemas.object(["number": ["type": "integer", "minimum": 1]])),
  ]
}
