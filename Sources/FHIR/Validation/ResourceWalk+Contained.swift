// SPDX-License-Identifier: Apache-2.0

/// References and the resources inside a resource.
extension ResourceWalk {
  /// Checks the syntax, the named type, and that a local reference has a target (ref-1).
  mutating func checkReference(_ value: JSONValue, targets: Set<String>?) {
    guard let text = value.text("reference") else { return }
    if allowsConditionalReferences, Self.isConditional(text) { return }
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

  /// Returns true for a search that stands for one resource, such as `Patient?identifier=1`.
  private static func isConditional(_ text: String) -> Bool {
    guard let mark = text.firstIndex(of: "?"), !text.utf8.contains(where: { $0 <= 0x20 }) else {
      return false
    }
    return R4ResourceNames.contains(String(text[..<mark]))
  }

  /// Refuses each modifier extension, because Regimen defines none and an unknown one may reverse the meaning.
  mutating func refuseModifiers(_ items: [JSONValue]) {
    for index in items.indices {
      path.push(index)
      report(
        .extension,
        "This server does not know this modifier extension, so it cannot act on the resource "
          + "safely. Remove it.")
      path.pop()
    }
  }

  /// Checks a resource that stands by itself, with the resources that it contains.
  mutating func checkWhole(
    _ resource: JSONValue, _ object: JSONObject, as definition: TypeDefinition
  ) {
    let contained = resource.items("contained")
    containedIDs = Set(contained.compactMap { $0.text("id") })
    seenContainedIDs = []
    isInsideContained = false
    check(object, as: definition, isResource: true)
    if !contained.isEmpty { checkUse(of: contained, in: resource) }
  }

  /// Checks a resource inside a Bundle or Parameters, which needs no id and may contain others.
  mutating func checkInner(_ value: JSONValue) {
    guard let object = value.object else {
      report(.structure, "The resource must be an object.")
      return
    }
    guard let typeName = value["resourceType"]?.string, R4ResourceNames.contains(typeName) else {
      report(.structure, "The resource must name its type in resourceType.")
      return
    }
    let outer = (containedIDs, seenContainedIDs, isInsideContained)
    defer { (containedIDs, seenContainedIDs, isInsideContained) = outer }
    if ResourceType(rawValue: typeName) != nil, let definition = tables.type(named: typeName) {
      checkWhole(value, object, as: definition)
    } else {
      containedIDs = Set(value.items("contained").compactMap { $0.text("id") })
      checkGeneric(value, depth: 0)
    }
  }

  /// Warns of contained resources that nothing refers to (dom-3), since others may drop them.
  private mutating func checkUse(of contained: [JSONValue], in resource: JSONValue) {
    var links: Set<String> = []
    Self.collectLinks(in: resource, into: &links, depth: 0)
    for (index, item) in contained.enumerated() {
      guard let id = item.text("id"), !links.contains("#" + id) else { continue }
      var own: Set<String> = []
      Self.collectLinks(in: item, into: &own, depth: 0)
      if own.contains("#") { continue }
      warn(
        .invariant, "Nothing refers to this contained resource (dom-3).", at: "contained[\(index)]")
    }
  }

  /// Collects the texts that start with `#`, which local references have.
  private static func collectLinks(
    in value: JSONValue, into links: inout Set<String>, depth: Int
  ) {
    guard depth < maximumDepth else { return }
    switch value {
    case .string(let text): if text.hasPrefix("#") { links.insert(text) }
    case .array(let items):
      for item in items { collectLinks(in: item, into: &links, depth: depth + 1) }
    case .object(let object):
      for (_, item) in object { collectLinks(in: item, into: &links, depth: depth + 1) }
    default: break
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
    for element in ["versionId", "lastUpdated"] where value["meta"]?[element] != nil {
      report(
        .invariant, "A contained resource must not have this (dom-4).", at: "meta.\(element)")
    }
    if value["meta"]?["security"] != nil {
      report(
        .invariant, "A contained resource must not have a security label (dom-5).",
        at: "meta.security")
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
        if key == "modifierExtension", let items = item.array, !items.isEmpty {
          refuseModifiers(items)
        } else {
          checkGeneric(item, depth: depth + 1)
        }
        path.pop()
        if key == "reference", let text = item.string, text.hasPrefix("#") {
          checkReference(value, targets: nil)
        }
      }
    default: break
    }
  }
}
