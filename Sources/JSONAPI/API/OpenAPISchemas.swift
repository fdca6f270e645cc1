// SPDX-License-Identifier: Apache-2.0

import FHIR
import Presentation
import Reminders

/// The schemas of the OpenAPI document.
enum OpenAPISchemas {
  static let json: JSONValue = {
    var all = common
    let parts = [
      ofProposals, ofAudit, ofAsNeeded, OpenAPIVoice.schemas, OpenAPIVitals.schemas,
      OpenAPIHeartRate.schemas, OpenAPIFollowUps.schemas, OpenAPISites.schemas,
      OpenAPIEffect.schemas,
      OpenAPIWidgets.schemas, OpenAPIAlarms.schemas, OpenAPICaregiverMessages.schemas,
      OpenAPIConversations.schemas, OpenAPIHomeDevices.schemas, OpenAPIResearch.schemas,
      OpenAPIQuestionnaires.schemas,
      OpenAPIStock.schemas, OpenAPIDiary.schemas, OpenAPIAppearance.schemas, OpenAPIProblem.schemas,
    ]
    for (name, schema) in parts.flatMap(\.self) { all[name] = schema }
    return OpenAPIExamples.added(to: OpenAPIComponents.named(all))
  }()

  private static let common: JSONValue = [
    "Health": object(
      [
        "status": choice(["ok", "unavailable"]),
        "part": choice(["database", "damaged database", "planning", "reminders", "clock"]),
        "advice": text,
        "faults": list(choice(InstallationFault.allCases.map(\.rawValue))),
      ], optional: ["part", "advice", "faults"]),
    "Me": object([
      "account": object(
        ["id": text, "email": text, "phone": text, "name": text, "administrator": flag],
        optional: ["email", "phone"]),
      "patients": list(
        object(
          [
            "id": text, "name": text,
            "relationship": choice(["self", "guardian", "family", "practitioner"]),
            "categories": list(
              choice(["medicines", "adherence", "heart-rate", "diary", "messages", "stock"])),
          ], optional: ["categories"])),
    ]),
    "Amount": object(["value": ["type": "number", "exclusiveMinimum": 0], "unit": text]),
    "DoseAnswer": object(
      [
        "action": choice(["taken", "skipped", "refused", "later"]), "at": instant,
        "recorded": instant, "by": text, "reason": text, "amount": reference("Amount"),
      ], optional: ["reason", "amount"]),
    "Dose": object(
      [
        "id": text, "patient": text, "plan": text, "medicine": text, "due": instant,
        "state": choice([
          "scheduled", "due", "later", "taken", "skipped", "refused", "missed", "withheld",
          "cancelled",
        ]), "late": flag, "version": ["type": "integer"], "amount": reference("Amount"),
        "reason": text, "laterUntil": instant, "answer": reference("DoseAnswer"),
      ], optional: ["amount", "reason", "laterUntil", "answer"]),
    "DoseList": object([
      "doses": list(reference("Dose")),
      "unplanned": list(object(["plan": text, "reason": text])),
    ]),
    "DoseReasons": object([
      "dose": text, "due": instant,
      "reasons": list(object(["rule": ["type": "integer"], "moved": flag, "text": text])),
    ]),
    "Replan": object(
      [
        "dose": text, "due": instant,
        "verdict": choice(["take", "take-now", "take-and-move", "leave-out", "ask", "none"]),
        "until": instant,
        "moves": list(object(["dose": text, "from": instant, "to": instant])),
        "decision": choice(["moved", "left"]),
        "made": list(object(["dose": text, "from": instant, "to": instant])),
        "rules": list(object(["against": flag, "text": text])),
      ], optional: ["until", "decision", "made"]),
    "ReplanChoice": object(
      ["decision": choice(["moved", "left"]), "to": instant], optional: ["to"]),
    "IntakeTimes": object([
      "patient": text, "before": list(text), "after": list(text), "exhaustive": flag,
      "medicines": list(
        object(
          [
            "plan": text, "medicine": text, "times": list(text), "proposed": list(text),
            "kept": text,
          ], optional: ["kept"])),
      "unkept": list(
        object(
          ["medicines": list(text), "text": text, "distance": ["type": "integer"], "mended": flag])
      ),
    ]),
    "Answer": object(
      [
        "action": choice(["taken", "skipped", "refused", "later", "undo"]),
        "event": ["type": "string", "format": "uuid"], "at": instant, "reason": text,
        "minutes": ["type": "integer", "minimum": 1], "amount": reference("Amount"),
        "corrects": ["type": "integer"], "confirm": flag,
      ],
      optional: ["event", "at", "reason", "minutes", "amount", "corrects", "confirm"]),
    "Administration": object(
      [
        "patient": text, "medicine": text, "at": instant, "amount": reference("Amount"),
        "taken": flag, "reason": text, "event": ["type": "string", "format": "uuid"],
        "confirm": flag,
      ], optional: ["patient", "amount", "reason", "event", "confirm"]),
    "AdministrationUndo": object(
      ["event": ["type": "string", "format": "uuid"]], optional: ["event"]),
    "Recorded": object(["id": text, "dose": reference("Dose")], optional: ["dose"]),
    "PushSubscription": object(
      [
        "endpoint": ["type": "string", "format": "uri", "maxLength": 2048],
        "keys": object(["p256dh": text, "auth": text]),
        "expirationTime": ["type": ["number", "null"]], "label": text,
      ], optional: ["expirationTime", "label"]),
    "PushSubscriptionList": object([
      "subscriptions": list(
        object(
          [
            "id": text, "address": text, "label": text, "created": instant,
            "confirmed": instant, "lastShown": instant, "broken": flag,
          ], optional: ["label", "confirmed", "lastShown"])),
      "vapidPublicKey": text,
    ]),
    "Identified": object(["id": text]),
    "TestDelivery": object(["delivery": text]),
    "Delivery": object(
      [
        "id": text, "patient": text, "subject": text, "doses": list(text), "due": instant,
        "generation": ["type": "integer", "minimum": 1],
        "rung": ["type": "integer", "minimum": 0],
        "channel": choice(ReminderChannel.allCases.map(\.rawValue)),
        "address": text, "attempts": ["type": "integer", "minimum": 0], "planned": instant,
        "handedOver": instant, "shown": instant, "answered": instant,
        "outcome": choice([
          "planned", "handedOver", "retrying", "gone", "failed", "stale", "answered",
        ]),
      ], optional: ["handedOver", "shown", "answered"]),
    "DeliveryList": object(["deliveries": list(reference("Delivery"))]),
  ]

  static let text: JSONValue = ["type": "string"]
  static let flag: JSONValue = ["type": "boolean"]
  static let instant: JSONValue = ["type": "string", "format": "date-time"]

  static func choice(_ values: [String]) -> JSONValue {
    ["type": "string", "enum": .array(values.map(JSONValue.string))]
  }

  static func list(_ items: JSONValue) -> JSONValue {
    ["type": "array", "items": items]
  }

  static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  static func object(
    _ properties: KeyValuePairs<String, JSONValue>, optional: Set<String> = []
  ) -> JSONValue {
    object(Array(properties), optional: optional)
  }

  static func object(
    _ properties: [(key: String, value: JSONValue)], optional: Set<String> = []
  ) -> JSONValue {
    let required = properties.map(\.key).filter { !optional.contains($0) }
    return [
      "type": "object",
      "properties": .object(JSONObject(properties.map { ($0.key, $0.value) })),
      "required": .array(required.map(JSONValue.string)),
    ]
  }
}
