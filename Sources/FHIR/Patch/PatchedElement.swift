// SPDX-License-Identifier: Apache-2.0

/// A step from a value in a resource to one inside it.
enum PatchStep: Sendable, Hashable {
  case key(String)
  case index(Int)
}

/// An element that a path has found, with its place.
struct PatchedElement {
  /// The steps to the object that has the element.
  let parent: [PatchStep]
  /// The property; nil for the resource itself.
  let key: String?
  /// The position in a list.
  let index: Int?
  /// The value; null if the element has only an id or extensions.
  let value: JSONValue
  /// The name of the type, if it is known.
  let typeName: String?
  /// The elements of the type, if they are known.
  let type: TypeDefinition?
  /// The name without type, if the element is one type of a choice.
  let choice: String?
  let isPrimitive: Bool

  /// The steps to the element itself.
  var steps: [PatchStep] {
    var steps = parent
    if let key { steps.append(.key(key)) }
    if let index { steps.append(.index(index)) }
    return steps
  }
}

/// Follows paths through a resource with the help of the element tables.
struct PatchedElementFinder {
  let tables = ElementTables.standard

  func root(_ resource: JSONValue) -> PatchedElement {
    let name = resource["resourceType"]?.string
    return PatchedElement(
      parent: [], key: nil, index: nil, value: resource, typeName: name,
      type: name.flatMap(tables.type(named:)), choice: nil, isPrimitive: false)
  }

  /// Returns the elements at the end of a path; throws if it names an element that its type does not have.
  func elements(
    along segments: ArraySlice<PatchPath.Segment>, of path: PatchPath, in resource: JSONValue
  ) throws(PatchProblem) -> [PatchedElement] {
    let root = root(resource)
    if let name = path.root, ![root.typeName, "Resource", "DomainResource"].contains(name) {
      throw path.problem(.value, "the path must begin with the type of the resource.")
    }
    var found = [root]
    for segment in segments {
      switch segment {
      case .name(let name):
        var children: [PatchedElement] = []
        for element in found { children += try self.children(of: element, named: name, path) }
        found = children
      case .index(let index): found = found.indices.contains(index) ? [found[index]] : []
      case .ofType(let name): found = found.filter { $0.typeName == name }
      case .matching(let conditions):
        var matching: [PatchedElement] = []
        for element in found {
          if try matches(element, conditions, path) { matching.append(element) }
        }
        found = matching
      }
    }
    return found
  }

  private func matches(
    _ element: PatchedElement, _ conditions: [PatchPath.Condition], _ path: PatchPath
  ) throws(PatchProblem) -> Bool {
    for condition in conditions {
      var found = [element]
      for name in condition.names {
        var children: [PatchedElement] = []
        for item in found { children += try self.children(of: item, named: name, path) }
        found = children
      }
      guard found.count == 1, found[0].value.isSame(as: condition.expected) else { return false }
    }
    return true
  }

  private func children(
    of element: PatchedElement, named name: String, _ path: PatchPath
  ) throws(PatchProblem) -> [PatchedElement] {
    guard !element.isPrimitive else {
      throw path.problem(
        .notSupported, "ids and extensions of primitive values cannot be patched by a path.")
    }
    guard let object = element.value.object else { return [] }
    guard let type = element.type else {
      return items(of: object, key: name, definition: nil, below: element.steps)
    }
    if type.choices.contains(name) {
      return object.entries.flatMap { entry -> [PatchedElement] in
        let key = entry.key.hasPrefix("_") ? String(entry.key.dropFirst()) : entry.key
        guard let definition = type.elements[key], definition.baseName == name,
          key == entry.key || object[key] == nil
        else { return [] }
        return items(of: object, key: key, definition: definition, below: element.steps)
      }
    }
    guard let definition = type.elements[name] else {
      throw path.problem(.notFound, "\(type.name) has no element \(name).")
    }
    return items(of: object, key: name, definition: definition, below: element.steps)
  }

  private func items(
    of object: JSONObject, key: String, definition: ElementDefinition?, below parent: [PatchStep]
  ) -> [PatchedElement] {
    let value = object[key]
    let sibling = object["_" + key]
    guard value != nil || sibling != nil else { return [] }
    func element(_ item: JSONValue, index: Int?) -> PatchedElement {
      let (name, type) = typeOf(item, definition)
      return PatchedElement(
        parent: parent, key: key, index: index, value: item, typeName: name, type: type,
        choice: definition.flatMap { $0.baseName == key ? nil : $0.baseName },
        isPrimitive: definition?.isPrimitive ?? (item.object == nil))
    }
    guard definition?.isList ?? (value?.array != nil) else {
      return [element(value ?? .null, index: nil)]
    }
    let count = max(value?.array?.count ?? 0, sibling?.array?.count ?? 0)
    return (0..<count).map { element(value?[$0] ?? .null, index: $0) }
  }

  private func typeOf(
    _ value: JSONValue, _ definition: ElementDefinition?
  ) -> (name: String?, type: TypeDefinition?) {
    switch definition?.content {
    case .primitive(let type, _)?: return (type.rawValue, nil)
    case .complex(let index, _)?:
      // SimpleQuantity is a profile: FHIRPath uses its base type.
      let name = tables.types[index].name
      return (name == "SimpleQuantity" ? "Quantity" : name, tables.types[index])
    case .resource?:
      let name = value["resourceType"]?.string
      let known = name.flatMap(ResourceType.init(rawValue:))
      return (name, known.flatMap { tables.type(named: $0.rawValue) })
    case nil: return (nil, nil)
    }
  }
}
