// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Adds to each operation of the OpenAPI document what all operations of its kind have: its tag, and the responses
/// that do not depend on what it does.
enum OpenAPIOperations {
  private typealias Parts = OpenAPIDescription

  /// The tags with their descriptions, and the beginnings of the addresses that they cover.
  private static let tags: [(name: String, description: JSONValue, paths: [String])] = [
    ("Account", "The account and its patients.", ["/api/v1/me"]),
    (
      "Doses", "Doses, answers, intakes and advice.",
      [
        "/api/v1/doses", "/api/v1/administrations", "/api/v1/as-needed", "/api/v1/intake-times",
        "/api/v1/voice", "/api/v1/follow-ups", "/api/v1/sites",
      ]
    ),
    (
      "Prescriptions", "Prescriptions from elsewhere, and how medicines look.",
      ["/api/v1/proposals", "/api/v1/imports", "/api/v1/looks"]
    ),
    (
      "Reminders", "Devices, deliveries, alarms and live events.",
      [
        "/api/v1/push-subscriptions", "/api/v1/deliveries", "/api/v1/events", "/api/v1/alarms",
        "/api/v1/gateways", "/api/v1/chat",
      ]
    ),
    (
      "Measurements", "Heart rate, steps and weight, and values beside medicines.",
      ["/api/v1/vitals", "/api/v1/heart", "/api/v1/medicines"]
    ),
    (
      "Diary", "Symptoms, mood, notes, measurements and questionnaires.",
      ["/api/v1/diary", "/api/v1/questionnaires"]
    ),
    (
      "Messages", "Conversations, and messages about patients.",
      ["/api/v1/conversations", "/api/v1/notices"]
    ),
    ("Home devices", "Pill boxes and other devices that report.", ["/api/v1/home-devices"]),
    ("Research", "Counts and exports of studies, under pseudonyms.", ["/api/v1/research"]),
    ("Supply", "Medicines at home.", ["/api/v1/stock"]),
    ("Access log", "Who read and changed data.", ["/api/v1/audit"]),
    ("Widgets", "Small displays with an address of their own.", ["/glance", "/widget"]),
    ("Decision support", "Cards for the systems of clinicians (CDS Hooks).", ["/cds-services"]),
    ("Server", "The server itself.", ["/health", "/api/v1/openapi.json"]),
  ]

  /// The list of tags for the document.
  static let list = JSONValue.array(
    tags.map { ["name": .string($0.name), "description": $0.description] })

  /// Returns the paths with complete operations.
  static func completed(_ paths: JSONValue) -> JSONValue {
    guard var all = paths.object else { return paths }
    for (path, item) in all {
      guard var operations = item.object else { continue }
      for (method, operation) in operations {
        operations[method] = completed(operation, method: method, path: path)
      }
      all[path] = .object(operations)
    }
    return .object(all)
  }

  private static func completed(
    _ operation: JSONValue, method: String, path: String
  ) -> JSONValue {
    var operation = operation
    let tag = tags.first { $0.paths.contains(where: path.hasPrefix) }
    operation["tags"] = .array(tag.map { [.string($0.name)] } ?? [])
    var responses = operation["responses"]?.object ?? JSONObject()
    func add(_ status: String, _ description: String) {
      if responses[status] == nil { responses[status] = Parts.problem(description) }
    }
    let isOpen = operation["security"]?.array?.isEmpty == true
    let hasBody = operation["requestBody"] != nil
    let takesKey =
      operation["parameters"]?.array?.contains { $0["name"]?.string == "Idempotency-Key" } == true
    if hasBody {
      add("400", "The body is not JSON, or Idempotency-Key is not valid.")
      add("413", "The body is too large.")
      add("415", "The body has another media type than the listed ones.")
      add("422", "The body is not valid, or Idempotency-Key was used with another body; see code.")
    } else if takesKey {
      add("400", "Idempotency-Key is not valid.")
    } else if operation["parameters"]?.array?.isEmpty == false {
      add("400", "The address contains %00.")
    }
    if method != "get", !isOpen {
      add(
        "403",
        "The token may not write (forbidden), or a session's request came from another site (forgery)."
      )
    }
    let sorted = responses.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    operation["responses"] = .object(JSONObject(sorted))
    return operation
  }
}
