// SPDX-License-Identifier: Apache-2.0

/// A JSON Patch (RFC 6902) of a resource: all of its operations take effect, or none.
public struct JSONPatch: Sendable, Hashable {
  enum Operation: Sendable, Hashable {
    case add(JSONPointer, JSONValue)
    case remove(JSONPointer)
    case replace(JSONPointer, JSONValue)
    case move(from: JSONPointer, to: JSONPointer)
    case copy(from: JSONPointer, to: JSONPointer)
    case test(JSONPointer, JSONValue)
  }

  let operations: [Operation]

  /// Reads a patch from its document, an array of operations.
  public init(parsing document: JSONValue) throws(PatchProblem) {
    guard let items = document.array else {
      throw PatchProblem(
        code: .structure, diagnostics: "A JSON Patch must be an array of operations.")
    }
    try PatchRules.checkCount(items.count)
    var operations: [Operation] = []
    for (index, item) in items.enumerated() {
      operations.append(try Self.operation(item, number: index + 1))
    }
    self.operations = operations
  }

  private static func operation(
    _ item: JSONValue, number: Int
  ) throws(PatchProblem) -> Operation {
    guard item.object != nil else {
      throw PatchProblem(
        code: .structure, expression: expression(number),
        diagnostics: "Operation \(number) of the patch must be an object.")
    }
    let path = try pointer("path", of: item, number: number)
    switch item["op"]?.string {
    case "add": return .add(path, try value(of: item, number: number))
    case "remove": return .remove(path)
    case "replace": return .replace(path, try value(of: item, number: number))
    case "move": return .move(from: try pointer("from", of: item, number: number), to: path)
    case "copy": return .copy(from: try pointer("from", of: item, number: number), to: path)
    case "test": return .test(path, try value(of: item, number: number))
    default:
      throw PatchProblem(
        code: .value, expression: expression(number, "op"),
        diagnostics:
          "The op of operation \(number) must be add, remove, replace, move, copy or test.")
    }
  }

  private static func pointer(
    _ key: String, of item: JSONValue, number: Int
  ) throws(PatchProblem) -> JSONPointer {
    guard let text = item[key]?.string else {
      throw PatchProblem(
        code: .required, expression: expression(number, key),
        diagnostics: "Operation \(number) of the patch needs a string \(key).")
    }
    guard let pointer = JSONPointer(text) else {
      throw PatchProblem(
        code: .value, expression: expression(number, key),
        diagnostics:
          "The \(key) of operation \(number) must be a JSON Pointer, such as /name/0/family.")
    }
    return pointer
  }

  private static func value(
    of item: JSONValue, number: Int
  ) throws(PatchProblem) -> JSONValue {
    guard let value = item["value"] else {
      throw PatchProblem(
        code: .required, expression: expression(number, "value"),
        diagnostics: "Operation \(number) of the patch needs a value.")
    }
    return value
  }

  /// Returns the place of an operation, or of one of its members, in the patch itself.
  private static func expression(_ number: Int, _ member: String? = nil) -> String {
    let operation = "$this[\(number - 1)]"
    return member.map { "\(operation).\($0)" } ?? operation
  }

  /// Returns the document after all operations.
  ///
  /// A list that has lost its last item is removed at the end, because FHIR has no empty lists.
  ///
  /// - Throws: the first problem; the document itself is a value and stays as it was.
  public func applied(to document: JSONValue) throws(PatchProblem) -> JSONValue {
    var application = JSONPatchApplication(document: document)
    for (index, operation) in operations.enumerated() {
      try application.apply(operation, number: index + 1)
    }
    let result = application.result
    try PatchRules.check(result, patched: document)
    return result
  }
}
