// SPDX-License-Identifier: Apache-2.0

/// Walks one resource along the element tables, collects findings and continues after each.
struct ResourceWalk {
  static let maximumDepth = 128
  static let maximumWarnings = 10

  let tables = ElementTables.standard
  private(set) var issues: [FHIRIssue] = []
  /// Kept apart, so that they never take the room of an error.
  private(set) var warnings: [FHIRIssue] = []
  var path: ExpressionPath
  private var depth = 0
  /// The ids of all contained resources.
  var containedIDs: Set<String> = []
  var seenContainedIDs: Set<String> = []
  var isInsideContained = false
  /// True in a Bundle whose references may be searches, which the server replaces before it stores them.
  var allowsConditionalReferences = false

  init(rootName: String) { path = ExpressionPath(root: rootName) }

  var isFull: Bool { issues.count >= ResourceValidator.maximumIssues }

  mutating func report(_ code: FHIRIssueCode, _ message: String, at element: String? = nil) {
    guard !isFull else { return }
    issues.append(FHIRIssue(code: code, expression: expression(of: element), diagnostics: message))
  }

  mutating func warn(_ code: FHIRIssueCode, _ message: String, at element: String) {
    guard warnings.count < Self.maximumWarnings else { return }
    warnings.append(
      FHIRIssue(
        severity: .warning, code: code, expression: expression(of: element), diagnostics: message))
  }

  private func expression(of element: String?) -> String {
    element.map { "\(path.expression).\($0)" } ?? path.expression
  }

  mutating func checkRoot(_ resource: JSONValue, type: ResourceType) {
    guard let object = resource.object else {
      report(.structure, "The content must be a JSON object.")
      return
    }
    guard let stated = resource["resourceType"]?.string else {
      report(.required, "The property resourceType must name the type \(type.rawValue).")
      return
    }
    guard stated == type.rawValue, let definition = tables.type(named: stated) else {
      report(.structure, "The resourceType must be \(type.rawValue).")
      return
    }
    allowsConditionalReferences =
      type == .bundle && ["transaction", "batch"].contains(resource["type"]?.string)
    checkWhole(resource, object, as: definition)
  }

  /// Checks the properties of an object, then missing ones, then the rules between them.
  mutating func check(_ object: JSONObject, as type: TypeDefinition, isResource: Bool = false) {
    guard depth < Self.maximumDepth else {
      report(.tooCostly, "The content is nested too deeply.")
      return
    }
    depth += 1
    defer { depth -= 1 }
    if object.isEmpty {
      report(.structure, "An object must not be empty.")
      return
    }
    if !isResource, type.name != "Element", object.count == 1, object["id"] != nil {
      report(.structure, "An element must have more than an id (ele-1).")
    }
    var chosen: [String: String] = [:]
    for (key, value) in object {
      if isFull { return }
      if isResource, key == "resourceType" { continue }
      let isSibling = key.utf8.first == UInt8(ascii: "_")
      let name = isSibling ? String(key.dropFirst()) : key
      guard let element = type.elements[name], !isSibling || element.isPrimitive else {
        report(
          .structure, "\(type.name) has no such element. Remove it.", at: ExpressionPath.step(key))
        continue
      }
      if type.choices.contains(element.baseName),
        chosen.updateValue(name, forKey: element.baseName) ?? name != name
      {
        report(
          .structure, "Send only one type of \(element.baseName)[x].", at: element.baseName)
      }
      path.push(element.pathStep)
      if isSibling {
        checkSibling(value, of: element, beside: object[name])
      } else if name == "modifierExtension", case .array(let items) = value, !items.isEmpty {
        refuseModifiers(items)
      } else {
        checkElement(value, as: element, sibling: element.isList ? object["_" + key] : nil)
      }
      path.pop()
    }
    for requirement in type.required
    where !requirement.keys.contains(where: { object[$0] != nil || object["_" + $0] != nil }) {
      report(.required, "The element is required.", at: requirement.baseName)
    }
    guard let invariant = Invariants.byType[type.name] else { return }
    for finding in invariant(.object(object)) {
      report(finding.code, finding.message, at: finding.element)
    }
  }

  private mutating func checkElement(
    _ value: JSONValue, as element: ElementDefinition, sibling: JSONValue?
  ) {
    guard element.isList else {
      if case .array = value {
        report(.structure, "The element must not be a list: it appears once.")
      } else {
        checkValue(value, as: element)
      }
      return
    }
    guard case .array(let items) = value else {
      report(.structure, "The element must be a list.")
      return
    }
    if items.isEmpty { report(.structure, "A list must not be empty.") }
    for (index, item) in items.enumerated() {
      if isFull { return }
      path.push(index)
      // FHIR has null in a list of primitives if only the extension next to it has content.
      if item.isNull, element.isPrimitive, let beside = sibling?[index], !beside.isNull {
        path.pop()
        continue
      }
      checkValue(item, as: element)
      path.pop()
    }
  }

  private mutating func checkValue(_ value: JSONValue, as element: ElementDefinition) {
    if value.isNull {
      report(.structure, "The value must not be null; leave the element out instead.")
      return
    }
    switch element.content {
    case .primitive(let type, let codes):
      if let problem = type.problem(with: value) {
        report(problem.code, problem.message)
      } else if let codes, let code = value.string, !codes.contains(code) {
        report(.codeInvalid, "The code must be one of: \(codes.sorted().joined(separator: ", ")).")
      }
    case .complex(let index, let targets):
      guard let object = value.object else {
        report(.structure, "The value must be an object.")
        return
      }
      let type = tables.types[index]
      check(object, as: type)
      if type.name == "Reference" { checkReference(value, targets: targets) }
    case .resource:
      if element.baseName == "contained" { checkContained(value) } else { checkInner(value) }
    }
  }

  /// Checks the `_name` property, which has the id and extensions of a primitive.
  private mutating func checkSibling(
    _ value: JSONValue, of element: ElementDefinition, beside base: JSONValue?
  ) {
    guard let definition = tables.type(named: "Element") else { return }
    guard element.isList else {
      guard let object = value.object else {
        report(.structure, "The _ property of a primitive must be an object.")
        return
      }
      check(object, as: definition)
      return
    }
    guard case .array(let items) = value, !items.isEmpty else {
      report(.structure, "The _ property of a list of primitives must be a list that is not empty.")
      return
    }
    if let count = base?.array?.count, items.count > count {
      report(.structure, "The list must not be longer than its list of values.")
    }
    for (index, item) in items.enumerated() {
      if isFull { return }
      path.push(index)
      defer { path.pop() }
      if let object = item.object {
        check(object, as: definition)
      } else if !item.isNull {
        report(.structure, "The _ property of a primitive must be an object or null.")
      } else if base?[index]?.isNull ?? true {
        report(.structure, "Send a value or an extension.")
      }
    }
  }
}
