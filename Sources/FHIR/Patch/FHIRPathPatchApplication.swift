// SPDX-License-Identifier: Apache-2.0

/// Applies single operations of a FHIRPath Patch.
struct FHIRPathPatchApplication {
  /// The resource before the operation.
  let resource: JSONValue
  private let finder = PatchedElementFinder()

  init(resource: JSONValue) { self.resource = resource }

  func apply(
    _ operation: FHIRPathPatch.Operation, to result: inout JSONValue
  ) throws(PatchProblem) {
    guard let change = try change(for: operation) else { return }
    change.edit.apply(to: &result, along: change.parent[...])
  }

  /// Returns the change and the steps to its object; nil if there is nothing to change.
  private func change(
    for operation: FHIRPathPatch.Operation
  ) throws(PatchProblem) -> (parent: [PatchStep], edit: ElementEdit)? {
    switch operation {
    case .add(let path, let name, let value):
      let target = try single(path, path.segments[...])
      let (key, isList, json) = try property(name, of: target, for: value, path)
      if isList { return (target.steps, .append(key, json)) }
      let segments = path.segments + [.name(name)]
      guard try finder.elements(along: segments[...], of: path, in: resource).isEmpty else {
        throw path.problem(.conflict, "the element \(name) exists already. Replace it.")
      }
      return (target.steps, .set(key, json))
    case .insert(let path, let index, let value):
      let (target, name, count) = try list(path)
      let (key, _, json) = try property(name, of: target, for: value, path)
      guard index <= count else {
        throw path.problem(.notFound, "the index must be at most \(count).")
      }
      return (target.steps, .insert(key, at: index, json))
    case .move(let path, let source, let destination):
      let (target, name, count) = try list(path)
      guard max(source, destination) < count else {
        throw path.problem(.notFound, "source and destination must be less than \(count).")
      }
      return (target.steps, .moveItem(name, from: source, to: destination))
    case .delete(let path):
      let found = try finder.elements(along: path.segments[...], of: path, in: resource)
      guard !found.isEmpty else { return nil }
      let (element, key) = try property(of: single(path, path.segments[...]), path)
      guard let index = element.index else { return (element.parent, .remove(key)) }
      return (element.parent, .removeItem(key, at: index))
    case .replace(let path, let value):
      let (element, key) = try property(of: single(path, path.segments[...]), path)
      return (element.parent, try replacement(of: element, key: key, by: value, path))
    }
  }

  private func replacement(
    of element: PatchedElement, key: String, by value: PatchValue, _ path: PatchPath
  ) throws(PatchProblem) -> ElementEdit {
    let json = try json(value, as: element.type, path)
    if let index = element.index { return .replaceItem(key, at: index, json) }
    guard let choice = element.choice, case .json(_, let type?) = value, choice + type != key
    else { return .set(key, json) }
    return .rename(key, to: choice + type, json)
  }

  /// Returns the one element at the end of a path.
  private func single(
    _ path: PatchPath, _ segments: ArraySlice<PatchPath.Segment>
  ) throws(PatchProblem) -> PatchedElement {
    let found = try finder.elements(along: segments, of: path, in: resource)
    guard let first = found.first else {
      throw path.problem(.notFound, "the path leads to nothing.")
    }
    guard found.count == 1 else {
      throw path.problem(.multipleMatches, "the path leads to several elements. Name one.")
    }
    return first
  }

  private func property(
    of element: PatchedElement, _ path: PatchPath
  ) throws(PatchProblem) -> (PatchedElement, String) {
    guard let key = element.key else {
      throw path.problem(.value, "the whole resource cannot be changed. Name an element.")
    }
    return (element, key)
  }

  /// Returns the object that has the list at the end of a path, the list's name and its number of items.
  private func list(
    _ path: PatchPath
  ) throws(PatchProblem) -> (PatchedElement, name: String, count: Int) {
    guard let (parent, name) = path.list else {
      throw path.problem(.value, "the path must end with the name of a list.")
    }
    let target = try single(path, parent)
    let isList = target.type?.elements[name]?.isList ?? (target.value[name]?.array != nil)
    guard isList else { throw path.problem(.value, "the element \(name) is not a list.") }
    let count = try finder.elements(along: path.segments[...], of: path, in: resource).count
    return (target, name, count)
  }

  /// Returns the property for an element, and the value as it is there.
  private func property(
    _ name: String, of target: PatchedElement, for value: PatchValue, _ path: PatchPath
  ) throws(PatchProblem) -> (key: String, isList: Bool, json: JSONValue) {
    guard let type = target.type else {
      guard !target.isPrimitive, target.value[name]?.array != nil else {
        throw path.problem(
          .notSupported, "this element can only be added to a type that the server knows.")
      }
      return (name, true, try json(value, as: nil, path))
    }
    var key = name
    if type.choices.contains(name) {
      guard case .json(_, let valueType?) = value else {
        throw path.problem(.value, "the element \(name) needs a value[x] with its type.")
      }
      key = name + valueType
    }
    guard let element = type.elements[key] else {
      throw path.problem(.value, "\(type.name) has no element \(key).")
    }
    var content: TypeDefinition?
    if case .complex(let index, _) = element.content { content = finder.tables.types[index] }
    return (key, element.isList, try json(value, as: content, path))
  }

  /// Returns a value as JSON; parts become the elements of a type.
  private func json(
    _ value: PatchValue, as type: TypeDefinition?, _ path: PatchPath
  ) throws(PatchProblem) -> JSONValue {
    switch value {
    case .json(let json, _): return json
    case .parts(let parts):
      guard let type else {
        throw path.problem(.value, "this element has no parts. Send it as a value[x].")
      }
      let target = PatchedElement(
        parent: [], key: nil, index: nil, value: .null, typeName: type.name, type: type,
        choice: nil, isPrimitive: false)
      var object = JSONObject()
      for part in parts {
        let (key, isList, json) = try property(part.name, of: target, for: part.value, path)
        guard isList || object[key] == nil else {
          throw path.problem(.duplicate, "\(type.name) has only one \(part.name).")
        }
        object[key] = isList ? .array((object[key]?.array ?? []) + [json]) : json
      }
      return .object(object)
    }
  }
}
