// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Gives every object in the schemas of the OpenAPI document a name, so that generated clients have a type for it.
///
/// The name consists of the name of the outer schema and the member: an item of `moves` of `Replan` is a `ReplanMove`.
struct OpenAPIComponents {
  private let written: Set<String>
  private var schemas = JSONObject()

  private init(_ written: JSONObject) {
    self.written = Set(written.keys)
  }

  /// Returns schemas in which all inner objects are schemas of their own.
  static func named(_ schemas: JSONValue) -> JSONValue {
    guard let written = schemas.object else { return schemas }
    var components = OpenAPIComponents(written)
    for (name, schema) in written {
      // The outer schema comes first.
      components.schemas[name] = schema
      components.schemas[name] = components.flat(schema, name)
    }
    return .object(components.schemas)
  }

  /// Returns an object whose members have no objects of their own.
  private mutating func flat(_ schema: JSONValue, _ name: String) -> JSONValue {
    guard let members = schema["properties"]?.object else { return schema }
    var flat = members
    for (member, value) in members { flat[member] = part(value, name + Self.capital(member)) }
    var result = schema
    result["properties"] = .object(flat)
    return result
  }

  private mutating func part(_ schema: JSONValue, _ name: String) -> JSONValue {
    if schema["type"]?.string == "array", let items = schema["items"] {
      var list = schema
      list["items"] = part(items, Self.singular(name))
      return list
    }
    guard schema["properties"] != nil else { return schema }
    let free = freeName(name)
    schemas[free] = schema
    schemas[free] = flat(schema, free)
    return OpenAPISchemas.reference(free)
  }

  private func freeName(_ name: String) -> String {
    var free = name
    while written.contains(free) || schemas[free] != nil { free += "Item" }
    return free
  }

  private static func capital(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  private static func singular(_ name: String) -> String {
    name.hasSuffix("s") ? String(name.dropLast()) : name
  }
}
