// SPDX-License-Identifier: Apache-2.0

import FHIR
import HomeDevices

/// The operations of the OpenAPI document for devices in the home.
enum OpenAPIHomeDevices {
  private typealias Parts = OpenAPIDescription
  private typealias Schemas = OpenAPISchemas

  static let list: JSONValue = [
    "operationId": "homeDevices", "summary": "The devices in a patient's home.",
    "parameters": [Parts.patient],
    "responses": [
      "200": Parts.response("The devices.", "HomeDeviceList"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
    ],
  ]

  static let add: JSONValue = [
    "operationId": "addHomeDevice",
    "summary": "Adds a device. The answer contains its token, which is not shown again.",
    "requestBody": Parts.body("HomeDeviceInput"),
    "responses": [
      "201": Parts.response("The device, with its token.", "HomeDevice"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such patient."),
      "409": Parts.problem("The patient has the most devices allowed."),
      "422": Parts.problem("The device is not valid; see detail."),
    ],
  ]

  static let show: JSONValue = [
    "operationId": "homeDevice",
    "summary": "A device with its compartments and its last 100 events.",
    "parameters": [device, Parts.patient],
    "responses": [
      "200": Parts.response("The device.", "HomeDevice"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such device."),
    ],
  ]

  static let change: JSONValue = [
    "operationId": "changeHomeDevice",
    "summary": "Renames a device and replaces its compartments; its kind stays.",
    "parameters": [device, Parts.idempotencyKey],
    "requestBody": Parts.body("HomeDeviceInput"),
    "responses": [
      "200": Parts.response("The device.", "HomeDevice"),
      "401": Parts.problem("No valid token."), "404": Parts.problem("No such device."),
      "422": Parts.problem("The device is not valid; see detail."),
    ],
  ]

  static let revoke: JSONValue = [
    "operationId": "revokeHomeDevice",
    "summary": "Ends the token of a device. What it reported stays.",
    "parameters": [device, Parts.patient, Parts.idempotencyKey],
    "responses": [
      "204": ["description": "Done."], "401": Parts.problem("No valid token."),
      "404": Parts.problem("No such device."),
    ],
  ]

  static let events: JSONValue = [
    "operationId": "homeDeviceEvents",
    "summary":
      "Takes events of the device whose token is sent. Each boot and sequence counts once.",
    "requestBody": Parts.body("HomeDeviceReport"),
    "responses": [
      "200": Parts.response("What became of each event.", "HomeDeviceResults"),
      "401": Parts.problem("Not the token of a device, or it was revoked."),
      "403": Parts.problem("A token or session of a person, which is no device."),
      "404": Parts.problem("The account that added the device may no longer act for the patient."),
      "422": Parts.problem("An event is not valid; see detail. Nothing was kept."),
      "429": Parts.problem(
        "More than 600 events in a minute. Keep them, and send them after Retry-After."),
    ],
  ]

  static let broker: JSONValue = [
    "operationId": "homeDeviceBroker",
    "summary": "The topics and the signing key of the device whose token is sent.",
    "responses": [
      "200": Parts.response("How the device speaks over the MQTT broker.", "HomeDeviceBroker"),
      "401": Parts.problem("Not the token of a device, or it was revoked."),
      "403": Parts.problem("A token or session of a person, which is no device."),
      "404": Parts.problem(
        "The server uses no broker, or the account that added the device may no longer act."),
    ],
  ]

  static let schemas: [(String, JSONValue)] = [
    (
      "HomeDevice",
      Schemas.object(
        [
          "id": Schemas.text, "patient": Schemas.text, "kind": kind, "name": Schemas.text,
          "created": Schemas.instant, "revoked": Schemas.instant, "seen": Schemas.instant,
          "battery": percent, "token": Schemas.text,
          "compartments": Schemas.list(Schemas.reference("HomeDeviceCompartment")),
          "events": Schemas.list(Schemas.reference("HomeDeviceEvent")),
        ], optional: ["revoked", "seen", "battery", "token", "compartments", "events"])
    ),
    (
      "HomeDeviceList",
      Schemas.object(["devices": Schemas.list(Schemas.reference("HomeDevice"))])
    ),
    (
      "HomeDeviceInput",
      Schemas.object(
        [
          "patient": Schemas.text, "kind": kind,
          "name": [
            "type": "string", "maxLength": JSONValue.number(JSONNumber(HomeDevice.longestName)),
          ],
          "compartments": Schemas.list(Schemas.reference("HomeDeviceCompartment")),
        ], optional: ["patient", "compartments"])
    ),
    (
      "HomeDeviceCompartment",
      Schemas.object(
        [
          "name": Schemas.text,
          "meaning": Schemas.choice(HomeDeviceCompartment.Meaning.allCases.map(\.rawValue)),
          "plan": Schemas.text,
        ], optional: ["name", "plan"])
    ),
    (
      "HomeDeviceEvent",
      Schemas.object(
        [
          "boot": Schemas.text, "sequence": number, "event": event, "compartment": Schemas.text,
          "at": Schemas.instant, "received": Schemas.instant, "happened": Schemas.instant,
          "outcome": Schemas.choice(DeviceOutcome.allCases.map(\.rawValue)), "reason": reason,
          "doses": Schemas.list(Schemas.text),
        ], optional: ["at", "reason"])
    ),
    (
      "HomeDeviceReport",
      Schemas.object(
        [
          "boot": Schemas.text, "sent": Schemas.instant,
          "events": Schemas.list(
            Schemas.object(
              [
                "sequence": number, "event": event, "compartment": Schemas.text,
                "at": Schemas.instant, "secondsAgo": number, "grams": ["type": "number"],
                "percent": percent,
              ], optional: ["compartment", "at", "secondsAgo", "grams", "percent"])),
        ], optional: ["boot", "sent"])
    ),
    (
      "HomeDeviceResults",
      Schemas.object([
        "results": Schemas.list(
          Schemas.object(
            [
              "sequence": number,
              "outcome": Schemas.choice(
                DeviceOutcome.allCases.map(\.rawValue) + ["counted"]),
              "reason": reason, "repeated": Schemas.flag, "warn": Schemas.flag,
            ], optional: ["reason"]))
      ])
    ),
    (
      "HomeDeviceBroker",
      Schemas.object(["events": Schemas.text, "answers": Schemas.text, "key": Schemas.text])
    ),
  ]

  private static let device = Parts.parameter(
    "device", "path", "The device's id.", isRequired: true)
  private static let kind = Schemas.choice(HomeDevice.Kind.allCases.map(\.rawValue))
  private static let event = Schemas.choice(DeviceEvent.Kind.allCases.map(\.rawValue))
  private static let reason = Schemas.choice(DeviceReason.allCases.map(\.rawValue))
  private static let number: JSONValue = ["type": "integer", "minimum": 0]
  private static let percent: JSONValue = ["type": "integer", "minimum": 0, "maximum": 100]
}
