// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Writes the JSON form of a resource as elements.
///
/// The tables give the order; the form of each element follows from its JSON value, so that resources of any type
/// can be written.
struct XMLResourceWriter {
  private(set) var output: [UInt8] = []
  private let isPretty: Bool
  private var depth = 0

  init(isPretty: Bool) { self.isPretty = isPretty }

  mutating func writeDocument(_ resource: JSONValue) {
    output.reserveCapacity(1_024)
    output += #"<?xml version="1.0" encoding="UTF-8"?>"#.utf8
    writeResource(resource, namespace: XMLLimits.fhirNamespace)
    if isPretty { output.append(UInt8(ascii: "\n")) }
  }

  private mutating func writeResource(_ resource: JSONValue, namespace: String? = nil) {
    guard let object = resource.object, let type = object["resourceType"]?.string,
      Self.isName(type)
    else { return }
    let elements = object.filter { $0.key != "resourceType" }
    let attributes = namespace.map { [("xmlns", $0)] } ?? []
    begin(type, attributes, isEmpty: elements.isEmpty)
    guard !elements.isEmpty else { return }
    writeElements(elements, shape: TypeShape(resource: type))
    end(type)
  }

  /// Writes the properties of an object, each with the id and extensions of primitive values.
  private mutating func writeElements(
    _ properties: [(key: String, value: JSONValue)], shape: TypeShape?
  ) {
    // A dictionary keeps this linear for objects with very many properties.
    let object = Dictionary(
      properties.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    var names: [String] = []
    for (key, _) in properties {
      let name = key.hasPrefix("_") ? String(key.dropFirst()) : key
      if Self.isName(name), key == name || object[name] == nil { names.append(name) }
    }
    if let shape {
      let present = Set(names)
      let known = shape.names.filter(present.contains)
      names = known + names.filter { !known.contains($0) }
    }
    for name in names {
      let items: JSONValue = object[name] ?? .null
      let siblings: JSONValue = object["_" + name] ?? .null
      var inner: TypeShape?
      if case .complex(let type)? = shape?[name]?.content { inner = type }
      let isNarrative = name == "div" && (shape == nil || shape?.name == "Narrative")
      guard items.array != nil || siblings.array != nil else {
        if isNarrative, let text = items.string {
          writeNarrative(text)
        } else {
          write(items, siblings, named: name, shape: inner)
        }
        continue
      }
      let count = max(items.array?.count ?? 0, siblings.array?.count ?? 0)
      for index in 0..<count {
        write(items[index] ?? .null, siblings[index] ?? .null, named: name, shape: inner)
      }
    }
  }

  /// Writes one element.
  private mutating func write(
    _ value: JSONValue, _ sibling: JSONValue, named name: String, shape: TypeShape?
  ) {
    switch value {
    case .object(let object) where object["resourceType"] != nil:
      begin(name, [], isEmpty: false)
      writeResource(value)
      end(name)
    case .object(let object):
      let isExtension = name == "extension" || name == "modifierExtension"
      writeElement(name, object, attributes: isExtension ? ["id", "url"] : ["id"], shape: shape)
    case .array(let items):
      // FHIR has no lists of lists; if there is one, its items are written.
      for item in items { write(item, .null, named: name, shape: shape) }
    case .null, .bool, .number, .string:
      let text: String? =
        switch value {
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.text
        case .string(let text): text
        default: nil
        }
      writeElement(
        name, sibling.object ?? JSONObject(), attributes: ["id"], value: text,
        shape: TypeShape.element)
    }
  }

  /// Writes an element of which some properties are attributes.
  private mutating func writeElement(
    _ name: String, _ object: JSONObject, attributes: Set<String>, value: String? = nil,
    shape: TypeShape?
  ) {
    var written: [(String, String)] = []
    var rest: [(key: String, value: JSONValue)] = []
    for (key, item) in object {
      if attributes.contains(key), let text = item.string {
        written.append((key, text))
      } else {
        rest.append((key, item))
      }
    }
    if let value { written.append(("value", value)) }
    if written.isEmpty, rest.isEmpty { return }
    begin(name, written, isEmpty: rest.isEmpty)
    guard !rest.isEmpty else { return }
    writeElements(rest, shape: shape)
    end(name)
  }

  private mutating func writeNarrative(_ text: String) {
    startLine()
    output += NarrativeText.wellFormed(text).utf8
  }

  private mutating func begin(_ name: String, _ attributes: [(String, String)], isEmpty: Bool) {
    startLine()
    output.append(UInt8(ascii: "<"))
    output += name.utf8
    for (key, value) in attributes {
      output += " \(key)=\"".utf8
      XMLText.append(value, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    output += (isEmpty ? "/>" : ">").utf8
    if !isEmpty { depth += 1 }
  }

  private mutating func end(_ name: String) {
    depth -= 1
    startLine()
    output += "</\(name)>".utf8
  }

  private mutating func startLine() {
    guard isPretty else { return }
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: 2 * depth)
  }

  /// Returns true if a property can be the name of an element.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, (first | 0x20) &- UInt8(ascii: "a") < 26 else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- 0x30 < 10
    }
  }
}
