// SPDX-License-Identifier: Apache-2.0

/// References and the resources inside a resource.
extension ResourceWalk {
  /// Checks the syntax, the named type, and that a local reference has a target (ref-1).
  mutating func checkReference(_ value: JSONValue, targets: Set<String>?) {
    guard let text = value.text("reference") else { return }
    switch ReferenceSyntax(text) {
    case nil:
      report(
        .value, "A reference must be Type/id, #id, an absolute address or a urn.", at: "reference")
    case .contained(let id):
      if id.isEmpty ? !isInsideContained : !containedIDs.contains(id) {
        report(.invariant, "No contained resource has this id (ref-1).", at: "reference")
      }
    case .relative(let type):
      if let targets, !targets.contains(type) {
        report(
          .value, "The reference must be to one of: \(targets.sorted().joined(separator: ", ")).",
          at: "reference")
      }
    case .absolute: break
    }
  }

  /// Checks a contained resource by its table, or if it has none by the general rules of FHIR JSON.
  mutating func checkContained(_ value: JSONValue) {
    guard let object = value.object else {
      report(.structure, "A contained resource must be an object.")
      return
    }
    guard let typeName = value["resourceType"]?.string, R4ResourceNames.contains(typeName) else {
      report(.structure, "A contained resource must name its type in resourceType.")
      return
    }
    guard let id = value["id"]?.string, FHIRIdentifierText.isValidResourceID(id) else {
      report(.required, "A contained resource must have a valid id.", at: "id")
      return
    }
    if !seenContainedIDs.insert(id).inserted {
      report(.duplicate, "Two contained resources have the same id. Give each its own.", at: "id")
    }
    if value["contained"] != nil {
      report(.invariant, "A contained resource must not contain others (dom-2).", at: "contained")
      return
    }
    isInsideContained = true
    defer { isInsideContained = false }
    if ResourceType(rawValue: typeName) != nil, let definition = tables.type(named: typeName) {
      check(object, as: definition, isResource: true)
    } else {
      checkGeneric(value, depth: 0)
    }
  }

  /// Rejects null, empty strings, lists and objects, and local references without a target.
  private mutating func checkGeneric(_ value: JSONValue, depth: Int) {
    guard !isFull else { return }
    guard depth < Self.maximumDepth else {
      report(.tooCostly, "The content is nested too deeply.")
      return
    }
    switch value {
    case .null: report(.structure, "The value must not be null; leave the element out instead.")
    case .string(""): report(.value, "A string must not be empty.")
    case .array(let items):
      if items.isEmpty { report(.structure, "A list must not be empty.") }
      let hasContent = items.contains { !$0.isNull }
      for (index, item) in items.enumerated() where !(item.isNull && hasContent) {
        path.push(index)
        checkGeneric(item, depth: depth + 1)
        path.pop()
      }
    case .object(let object):
      if object.isEmpty { report(.structure, "An object must not be empty.") }
      for (key, item) in object {
        path.push(ExpressionPath.step(key))
        checkGeneric(item, depth: depth + 1)
        path.pop()
        if key == "reference", let text = item.string, text.hasPrefix("#") {
          checkReference(value, targets: nil)
        }
      }
    default: break
    }
  }
}
