// SPDX-License-Identifier: Apache-2.0

import FHIR

/// Turns elements into the JSON form of a resource, by the element tables.
struct XMLResourceReader {
  /// The names and positions that lead to the current element.
  private var path: [String] = []

  /// Returns the resource that an element is.
  mutating func resource(_ node: XMLNode) throws(XMLProblem) -> JSONValue {
    if path.isEmpty { path = [node.name] }
    guard let shape = TypeShape(resource: node.name) else {
      if R4ResourceNames.contains(node.name) {
        throw problem(.notSupported, "This server reads \(node.name) only as JSON.")
      }
      throw problem(.structure, "R4 has no resource type of this name.")
    }
    guard node.attributes.isEmpty else {
      throw problem(.structure, "A resource has no attributes. Its id is an element.")
    }
    var object = JSONObject()
    object["resourceType"] = .string(node.name)
    try readElements(of: node, as: shape, into: &object)
    return .object(object)
  }

  /// Reads the children of an element.
  private mutating func readElements(
    of node: XMLNode, as shape: TypeShape, into object: inout JSONObject
  ) throws(XMLProblem) {
    var names: [String] = []
    var groups: [String: [XMLNode]] = [:]
    for child in node.children {
      if groups[child.name] == nil { names.append(child.name) }
      groups[child.name, default: []].append(child)
    }
    for name in names {
      guard let children = groups[name] else { continue }
      path.append(String(name.prefix(64)))
      guard let element = shape[name], object[name] == nil else {
        throw problem(.structure, "\(shape.name) has no such element. Remove it.")
      }
      guard element.isList || children.count == 1 else {
        throw problem(.structure, "The element must appear once.")
      }
      try read(children, as: element, named: name, into: &object)
      path.removeLast()
    }
  }

  private mutating func read(
    _ nodes: [XMLNode], as element: TypeShape.Element, named name: String,
    into object: inout JSONObject
  ) throws(XMLProblem) {
    var values: [JSONValue] = []
    var siblings: [JSONValue] = []
    for (index, node) in nodes.enumerated() {
      if element.isList { path[path.count - 1] = "\(name)[\(index)]" }
      let (value, sibling) = try item(node, as: element.content)
      values.append(value)
      siblings.append(sibling)
    }
    if element.isList {
      if values.contains(where: { !$0.isNull }) { object[name] = .array(values) }
      if siblings.contains(where: { !$0.isNull }) { object["_" + name] = .array(siblings) }
    } else {
      if let value = values.first, !value.isNull { object[name] = value }
      if let sibling = siblings.first, !sibling.isNull { object["_" + name] = sibling }
    }
  }

  /// Returns the value of one element, and the id and extensions of a primitive one; null for what is missing.
  private mutating func item(
    _ node: XMLNode, as content: TypeShape.Content
  ) throws(XMLProblem) -> (value: JSONValue, sibling: JSONValue) {
    if let narrative = node.narrative {
      guard case .xhtml = content else {
        throw problem(.structure, "Only a narrative has XHTML.")
      }
      return (.string(narrative), .null)
    }
    switch content {
    case .xhtml:
      throw problem(.structure, "The div must be of the namespace http://www.w3.org/1999/xhtml.")
    case .resource:
      guard node.attributes.isEmpty, node.children.count == 1 else {
        throw problem(.structure, "Write exactly one resource here, as an element with its type.")
      }
      return (try resource(node.children[0]), .null)
    case .complex(let shape):
      var object = JSONObject()
      for (name, value) in node.attributes {
        guard name == "id" || name == "url" && shape.name == "Extension" else {
          throw problem(.structure, "The element has no attribute \(name.prefix(64)).")
        }
        object[name] = .string(value)
      }
      try readElements(of: node, as: shape, into: &object)
      guard !object.isEmpty else { throw problem(.structure, "An element must not be empty.") }
      return (.object(object), .null)
    case .boolean, .number, .text: return try primitive(node, as: content)
    }
  }

  private mutating func primitive(
    _ node: XMLNode, as content: TypeShape.Content
  ) throws(XMLProblem) -> (value: JSONValue, sibling: JSONValue) {
    var sibling = JSONObject()
    var text: String?
    for (name, value) in node.attributes {
      switch name {
      case "value": text = value
      case "id": sibling["id"] = .string(value)
      default: throw problem(.structure, "The element has no attribute \(name.prefix(64)).")
      }
    }
    if !node.children.isEmpty, let shape = TypeShape.element {
      try readElements(of: node, as: shape, into: &sibling)
    }
    guard text != nil || !sibling.isEmpty else {
      throw problem(.structure, "The element needs the attribute value, or an extension.")
    }
    let others: JSONValue = sibling.isEmpty ? .null : .object(sibling)
    guard let text else { return (.null, others) }
    return (try value(text, as: content), others)
  }

  private func value(
    _ text: String, as content: TypeShape.Content
  ) throws(XMLProblem) -> JSONValue {
    switch content {
    case .boolean:
      guard text == "true" || text == "false" else {
        throw problem(.value, "The value must be true or false.")
      }
      return .bool(text == "true")
    case .number:
      guard let number = JSONNumber(text: text) else {
        throw problem(.value, "The value must be a number.")
      }
      return .number(number)
    default: return .string(text)
    }
  }

  private func problem(_ code: FHIRIssueCode, _ message: String) -> XMLProblem {
    XMLProblem(code, at: path.joined(separator: "."), message)
  }
}
