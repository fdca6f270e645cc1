// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The operations of the OpenAPI document for reminders.
enum OpenAPIReminders {
  private typealias Parts = OpenAPIDescription

  static let subscriptions: JSONValue = [
    "operationId": "subscriptions",
    "summary": "The account's reminder devices, and the key to subscribe with.",
    "responses": [
      "200": Parts.response("The devices; addresses are masked.", "PushSubscriptionList"),
      "401": Parts.problem("No valid token."),
    ],
  ]

  static let subscribe: JSONValue = [
    "operationId": "subscribe",
    "summary":
      "Adds a device: the browser's PushSubscription as JSON. The 21st device replaces the oldest.",
    "parameters": [Parts.idempotencyKey],
    "requestBody": Parts.body("PushSubscription"),
    "responses": [
      "200": Parts.response("The id of a known endpoint.", "Identified"),
      "201": Parts.response("The new device.", "Identified"),
      "400": Parts.problem("The body is not JSON."),
      "401": Parts.problem("No valid token."),
      "422": Parts.problem(
        "The keys are wrong, or the endpoint is not at an allowed push service."),
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
    "operationId": "testSubscription", "summary": "Sends a test reminder to a device now.",
    "parameters": [subscription, Parts.idempotencyKey],
    "responses": [
      "202": Parts.response("The test is on its way; follow this delivery.", "TestDelivery"),
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
    "summary": "Reminders for doses due in a period, with proof of delivery.",
    "parameters": .array(Parts.window),
    "responses": [
      "200": Parts.response("The deliveries, by due time.", "DeliveryList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "422": Parts.problem("A parameter is missing or wrong; see detail."),
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
      "Server-sent events: dose (a Dose) and delivery (a Delivery) when one changes or starts to ring; proposal (a Proposal without its sentences) when one arrives or is decided; warning (as in /api/v1/heart/warnings, without its sentences) when a heart rate warning starts or is answered; message (only id and patient) when the account gets a message.",
    "parameters": [
      Parts.parameter("patient", "query", "A patient's id from /me; all patients if left out."),
      Parts.parameter("Last-Event-ID", "header", "Continues after this event, up to a day back."),
      Parts.parameter("since", "query", "The same, for clients that cannot send the header."),
    ],
    "responses": [
      "200": [
        "description": "The events, until the session ends; a comment every 15 seconds.",
        "content": ["text/event-stream": ["schema": ["type": "string"]]],
      ],
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "503": Parts.problem("Too many streams: at most 6 per account and 2000 in all."),
    ],
  ]

  private static let subscription = Parts.parameter(
    "subscription", "path", "The device's id.", isRequired: true)

  private static let done: JSONValue = ["description": "Done."]
}
