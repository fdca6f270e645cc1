// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Makes the examples of the OpenAPI document from its schemas, so that they always follow them.
struct OpenAPIExamples {
  private let schemas: JSONValue

  /// The texts of members whose form is not in the schema.
  private static let texts: [String: String] = [
    "id": "83b6f2c0", "patient": "83b6f2c0", "account": "d069c1aa", "plan": "1d96a7e4",
    "dose": "1d96a7e4_1_20260301-1", "administration": "5c20be11", "proposal": "7be0d9f3",
    "medicine": "Metoprolol 50 mg", "unit": "tablet", "name": "Ann", "by": "Ann",
    "email": "ann@example.org", "phone": "+4915112345678", "time": "08:00",
    "type": "about:blank", "title": "Conflict", "trace": "1f3a5c7e9b2d4f60",
    "detail": "This dose is already answered.", "text": "Take 1 tablet at 08:00.",
    "sentence": "1 tablet at 08:00", "day": "2026-03-01", "language": "en",
    "times": "08:00", "before": "08:00", "after": "08:00", "label": "Phone",
  ]

  /// Returns schemas with an example each.
  static func added(to schemas: JSONValue) -> JSONValue {
    guard var all = schemas.object else { return schemas }
    let examples = OpenAPIExamples(schemas: schemas)
    for name in all.keys {
      guard var schema = all[name] else { continue }
      schema["examples"] = .array([examples.value(of: schema, named: name, depth: 0)])
      all[name] = schema
    }
    return .object(all)
  }

  /// Returns a value that follows a schema; only required members are in it.
  private func value(of schema: JSONValue, named name: String, depth: Int) -> JSONValue {
    if let reference = schema["$ref"]?.string, depth < 8 {
      let target = String(reference.split(separator: "/").last ?? "")
      return value(of: schemas[target] ?? .null, named: name, depth: depth + 1)
    }
    if let first = schema["enum"]?[0] { return first }
    switch schema["type"]?.string ?? schema["type"]?[0]?.string {
    case "object": return object(schema, depth)
    case "array":
      guard let items = schema["items"], depth < 8 else { return .array([]) }
      return .array([value(of: items, named: name, depth: depth + 1)])
    case "string": return .string(text(schema, name))
    case "integer", "number":
      return schema["minimum"] == nil ? 1 : .number(schema["minimum"]?.number ?? JSONNumber(1))
    case "boolean": return false
    default: return .null
    }
  }

  private func object(_ schema: JSONValue, _ depth: Int) -> JSONValue {
    var object = JSONObject()
    let required = schema["required"]?.array?.compactMap(\.string) ?? []
    for (name, member) in schema["properties"]?.object ?? JSONObject()
    where required.contains(name) {
      object[name] = value(of: member, named: name, depth: depth + 1)
    }
    return .object(object)
  }

  private func text(_ schema: JSONValue, _ name: String) -> String {
    switch schema["format"]?.string {
    case "date-time": "2026-03-01T08:00:00+01:00"
    case "date": "2026-03-01"
    case "uuid": "0b7c1f5e-2f6d-4a34-9a3f-6f0a4f1c2d3e"
    case "uri": "https://push.example.org/send/abc"
    default: Self.texts[name] ?? "text"
    }
  }
}
