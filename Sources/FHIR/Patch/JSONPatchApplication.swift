// SPDX-License-Identifier: Apache-2.0

/// The document while a JSON Patch is applied to it.
struct JSONPatchApplication {
  /// A change at the end of a pointer.
  private enum Edit {
    case add(JSONValue)
    case replace(JSONValue)
    case remove
  }

  private var document: JSONValue
  /// The type of the resource, for the expressions of problems.
  private let resourceType: String?
  /// The bytes that may still be added, so that repeated copies cannot grow without end.
  private var budget = PatchRules.limits.maximumBytes
  /// True if an operation has removed the last item of a list.
  private var hasEmptiedList = false
  private var number = 0

  init(document: JSONValue) {
    self.document = document
    resourceType = document["resourceType"]?.string
  }

  /// The document after the operations so far, without the lists that they emptied.
  var result: JSONValue { hasEmptiedList ? document.withoutEmptyLists : document }

  mutating func apply(
    _ operation: JSONPatch.Operation, number: Int
  ) throws(PatchProblem) {
    self.number = number
    switch operation {
    case .add(let pointer, let value):
      try spend(value, at: pointer)
      try change(.add(value), at: pointer)
    case .replace(let pointer, let value):
      try spend(value, at: pointer)
      try change(.replace(value), at: pointer)
    case .remove(let pointer): try change(.remove, at: pointer)
    case .copy(let source, let target):
      let value = try value(at: source)
      try spend(value, at: target)
      try change(.add(value), at: target)
    case .move(let source, let target):
      let value = try value(at: source)
      guard !source.isProperPrefix(of: target) else {
        throw problem(.value, "a value cannot be moved into itself.", at: source)
      }
      guard source != target else { return }
      if target.steps.count > source.steps.count { try spend(value, at: target) }
      try change(.remove, at: source)
      try change(.add(value), at: target)
    case .test(let pointer, let expected):
      guard try value(at: pointer).isSame(as: expected) else {
        throw problem(.conflict, "the test failed: the value is another one.", at: pointer)
      }
    }
  }

  private mutating func spend(
    _ value: JSONValue, at pointer: JSONPointer
  ) throws(PatchProblem) {
    budget -= try PatchRules.size(of: value, depth: pointer.steps.count, upTo: budget)
  }

  private func value(at pointer: JSONPointer) throws(PatchProblem) -> JSONValue {
    var value = document
    for step in pointer.steps {
      switch value {
      case .object(let object):
        guard let next = object[step] else { throw missing(pointer) }
        value = next
      case .array(let items):
        guard let position = JSONPointer.position(step), items.indices.contains(position) else {
          throw missing(pointer)
        }
        value = items[position]
      default: throw missing(pointer)
      }
    }
    return value
  }

  private mutating func change(_ edit: Edit, at pointer: JSONPointer) throws(PatchProblem) {
    guard !pointer.steps.isEmpty else {
      switch edit {
      case .add(let value), .replace(let value): document = value
      case .remove: throw problem(.value, "the whole content cannot be removed.", at: pointer)
      }
      return
    }
    // Taking the document out lets the change happen in place.
    var changed = document
    document = .null
    defer { document = changed }
    try change(edit, in: &changed, along: pointer.steps[...], of: pointer)
  }

  private mutating func change(
    _ edit: Edit, in value: inout JSONValue, along steps: ArraySlice<String>,
    of pointer: JSONPointer
  ) throws(PatchProblem) {
    guard let step = steps.first else { return }
    let isLast = steps.count == 1
    switch value {
    case .object(var object):
      value = .null
      defer { value = .object(object) }
      if isLast {
        try change(edit, step, in: &object, of: pointer)
      } else {
        guard let index = object.entries.firstIndex(where: { $0.key == step }) else {
          throw missing(pointer)
        }
        try change(edit, in: &object.entries[index].value, along: steps.dropFirst(), of: pointer)
      }
    case .array(var items):
      value = .null
      defer { value = .array(items) }
      if isLast {
        try change(edit, step, in: &items, of: pointer)
      } else {
        guard let position = JSONPointer.position(step), items.indices.contains(position) else {
          throw missing(pointer)
        }
        try change(edit, in: &items[position], along: steps.dropFirst(), of: pointer)
      }
    default: throw missing(pointer)
    }
  }

  private func change(
    _ edit: Edit, _ key: String, in object: inout JSONObject, of pointer: JSONPointer
  ) throws(PatchProblem) {
    switch edit {
    case .add(let value): object[key] = value
    case .replace(let value):
      guard object[key] != nil else { throw missing(pointer) }
      object[key] = value
    case .remove:
      guard object[key] != nil else { throw missing(pointer) }
      object[key] = nil
    }
  }

  private mutating func change(
    _ edit: Edit, _ step: String, in items: inout [JSONValue], of pointer: JSONPointer
  ) throws(PatchProblem) {
    if case .add(let value) = edit {
      let position = step == "-" ? items.count : JSONPointer.position(step)
      guard let position, position <= items.count else { throw missing(pointer) }
      items.insert(value, at: position)
      return
    }
    guard let position = JSONPointer.position(step), items.indices.contains(position) else {
      throw missing(pointer)
    }
    if case .replace(let value) = edit {
      items[position] = value
    } else {
      items.remove(at: position)
      if items.isEmpty { hasEmptiedList = true }
    }
  }

  private func missing(_ pointer: JSONPointer) -> PatchProblem {
    problem(.notFound, "its path leads to nothing.", at: pointer)
  }

  private func problem(
    _ code: FHIRIssueCode, _ message: String, at pointer: JSONPointer
  ) -> PatchProblem {
    PatchProblem(
      code: code, expression: resourceType.map(pointer.expression(inResourceOf:)),
      diagnostics: "Operation \(number) of the patch: \(message)")
  }
}

extension JSONValue {
  /// Returns true if two values are equal as RFC 6902 compares them: numbers by their value, objects without
  /// regard to the order of their properties.
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      if left.text == right.text { return true }
      guard let first = left.decimal, let second = right.decimal else { return false }
      return first == second
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      // A dictionary keeps the comparison linear for objects with very many properties.
      let others = Dictionary(
        right.entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.entries.allSatisfy { entry in
        others[entry.key].map { entry.value.isSame(as: $0) } ?? false
      }
    default: return self == other
    }
  }

  /// The value without properties that are empty lists.
  var withoutEmptyLists: JSONValue {
    switch self {
    case .array(let items): .array(items.map(\.withoutEmptyLists))
    case .object(let object):
      .object(
        JSONObject(
          distinct: object.entries.compactMap { entry in
            entry.value == .array([])
              ? nil : JSONObject.Entry(key: entry.key, value: entry.value.withoutEmptyLists)
          }))
    default: self
    }
  }
}
