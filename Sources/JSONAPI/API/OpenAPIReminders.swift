// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for reminders.
enum OpenAPIReminders {
  private typealias Parts = OpenAPIDescription

  static let subscriptions: JSONValue = [
    "operationId": "subscriptions",
    "summary": "The devices that ring for the account, and the key to subscribe with.",
    "responses": [
      "200": Parts.response("The devices; addresses are masked.", "PushSubscriptionList"),
      "401": Parts.problem("No valid token."),
    ],
  ]

  static let subscribe: JSONValue = [
    "operationId": "subscribe",
    "summary":
      "Adds a device: the browser's own PushSubscription as JSON. Of more than 20 the oldest goes.",
    "parameters": [Parts.idempotencyKey],
    "requestBody": Parts.body("PushSubscription"),
    "responses": [
      "200": Parts.response("This endpoint was known: its id.", "Identified"),
      "201": Parts.response("The new device.", "Identified"),
      "400": Parts.problem("The body is not JSON."),
      "401": Parts.problem("No valid token."),
      "422": Parts.problem(
        "The keys are wrong, or the endpoint is not one of an allowed push service."),
    ],
  ]

  static let unsubscribe: JSONValue = [
    "operationId": "unsubscribe", "summary": "Removes a device.",
    "parameters": [subscription, Parts.idempotencyKey],
    "responses": [
      "204": done, "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such device of this account."),
    ],
  ]

  static let test: JSONValue = [
    "operationId": "testSubscription", "summary": "Rings a device now, with nothing to take.",
    "parameters": [subscription, Parts.idempotencyKey],
    "responses": [
      "202": Parts.response("It will ring; the delivery to follow.", "TestDelivery"),
      "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such device of this account."),
    ],
  ]

  static let confirm: JSONValue = [
    "operationId": "confirmSubscription",
    "summary": "Records that the person saw the test on the device.",
    "parameters": [subscription, Parts.idempotencyKey],
    "responses": [
      "204": done, "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such device of this account."),
    ],
  ]

  static let deliveries: JSONValue = [
    "operationId": "deliveries",
    "summary": "Reminders of doses due from an instant until before another, with their proof.",
    "parameters": .array(Parts.window),
    "responses": [
      "200": Parts.response("The deliveries, by due time.", "DeliveryList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "422": Parts.problem("A parameter is missing or wrong."),
    ],
  ]

  static let shown: JSONValue = [
    "operationId": "shown", "summary": "Reports that a device of the account showed a reminder.",
    "parameters": [
      Parts.parameter("delivery", "path", "The delivery's id.", isRequired: true),
      Parts.idempotencyKey,
    ],
    "responses": [
      "204": done, "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such delivery to this account."),
    ],
  ]

  static let events: JSONValue = [
    "operationId": "events",
    "summary":
      "Server-sent events: dose (a Dose) and delivery (a Delivery), whenever one changes or begins to ring, proposal (a Proposal without its sentences), whenever one begins to wait or is decided, warning (as in /api/v1/heart/warnings), whenever the heart rate asks something or it is answered, and message (id and patient alone), whenever the account is told something.",
    "parameters": [
      Parts.parameter("patient", "query", "A patient of /me; all of them, if left out."),
      Parts.parameter("Last-Event-ID", "header", "Goes on after this event, up to a day back."),
      Parts.parameter("since", "query", "The same for a client that cannot send the header."),
    ],
    "responses": [
      "200": [
        "description": "The events, until the session ends; a comment every 15 seconds.",
        "content": ["text/event-stream": ["schema": ["type": "string"]]],
      ],
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "503": Parts.problem("Too many streams: 6 of an account, 2000 in all."),
    ],
  ]

  private static let subscription = Parts.parameter(
    "subscription", "path", "The device's id.", isRequired: true)

  private static let done: JSONValue = ["description": "It is done."]
}
