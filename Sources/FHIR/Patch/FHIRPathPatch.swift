// SPDX-License-Identifier: Apache-2.0

/// A FHIRPath Patch of a resource, sent as a Parameters resource: all of its operations take effect, or none.
public struct FHIRPathPatch: Sendable, Hashable {
  enum Operation: Sendable, Hashable {
    case add(PatchPath, name: String, PatchValue)
    case insert(PatchPath, index: Int, PatchValue)
    case delete(PatchPath)
    case replace(PatchPath, PatchValue)
    case move(PatchPath, source: Int, destination: Int)
  }

  let operations: [Operation]

  /// Reads a patch from its Parameters resource.
  public init(parsing document: JSONValue) throws(PatchProblem) {
    guard document["resourceType"]?.string == ResourceType.parameters.rawValue else {
      throw PatchProblem(
        code: .structure, expression: "resourceType",
        diagnostics: "A FHIRPath Patch must be a Parameters resource.")
    }
    guard let parameters = document["parameter"]?.array else {
      throw PatchProblem(
        code: .required, expression: "Parameters.parameter",
        diagnostics: "Send a parameter named operation for each change.")
    }
    try PatchRules.checkCount(parameters.count)
    var operations: [Operation] = []
    for (index, parameter) in parameters.enumerated() {
      operations.append(
        try FHIRPathPatchReader(place: "Parameters.parameter[\(index)]").operation(parameter))
    }
    self.operations = operations
  }

  /// Returns the resource after all operations; a list that loses its last item is removed.
  ///
  /// - Throws: the first problem; the resource itself is a value and stays as it was.
  public func applied(to resource: JSONValue) throws(PatchProblem) -> JSONValue {
    var result = resource
    for (index, operation) in operations.enumerated() {
      do throws(PatchProblem) {
        try FHIRPathPatchApplication(resource: result).apply(operation, to: &result)
      } catch {
        throw PatchProblem(
          code: error.code, expression: error.expression,
          diagnostics: "Operation \(index + 1) of the patch: \(error.diagnostics)")
      }
    }
    try PatchRules.check(result, patched: resource)
    return result
  }
}

/// A value in a patch: JSON with the name of its type, or the elements of a type without a name.
enum PatchValue: Sendable, Hashable {
  struct Part: Sendable, Hashable {
    let name: String
    let value: PatchValue
  }

  /// The type is as in `valueHumanName`; nil for a resource.
  case json(JSONValue, type: String?)
  case parts([Part])
}

/// Reads one operation.
private struct FHIRPathPatchReader {
  let place: String

  func operation(_ parameter: JSONValue) throws(PatchProblem) -> FHIRPathPatch.Operation {
    guard parameter["name"]?.string == "operation", let items = parameter["part"]?.array else {
      throw problem(.structure, "Each parameter must be named operation and have parts.")
    }
    var parts: [String: JSONValue] = [:]
    for item in items {
      guard let name = item["name"]?.string, Self.names.contains(name) else {
        throw problem(
          .structure, "The parts are type, path, name, value, index, source and destination.")
      }
      guard parts.updateValue(item, forKey: name) == nil else {
        throw problem(.duplicate, "The operation has two parts named \(name).")
      }
    }
    let path = try PatchPath(text("path", of: parts))
    switch try text("type", of: parts) {
    case "add":
      return .add(path, name: try text("name", of: parts), try value(of: parts))
    case "insert":
      return .insert(path, index: try number("index", of: parts), try value(of: parts))
    case "delete": return .delete(path)
    case "replace": return .replace(path, try value(of: parts))
    case "move":
      return .move(
        path, source: try number("source", of: parts),
        destination: try number("destination", of: parts))
    default: throw problem(.value, "The type must be add, insert, delete, replace or move.")
    }
  }

  private static let names: Set<String> = [
    "type", "path", "name", "value", "index", "source", "destination",
  ]

  private func text(_ name: String, of parts: [String: JSONValue]) throws(PatchProblem) -> String {
    let part = parts[name]
    guard let text = part?["valueString"]?.string ?? part?["valueCode"]?.string, !text.isEmpty
    else { throw problem(.required, "The operation needs a part \(name) with a valueString.") }
    return text
  }

  private func number(_ name: String, of parts: [String: JSONValue]) throws(PatchProblem) -> Int {
    guard let number = parts[name]?["valueInteger"]?.number?.integer, number >= 0 else {
      throw problem(
        .required, "The operation needs a part \(name) with a valueInteger of 0 or more.")
    }
    return number
  }

  private func value(of parts: [String: JSONValue]) throws(PatchProblem) -> PatchValue {
    guard let part = parts["value"] else {
      throw problem(.required, "The operation needs a part value.")
    }
    return try value(part)
  }

  private func value(_ part: JSONValue) throws(PatchProblem) -> PatchValue {
    let content = (part.object?.entries ?? []).filter { !["name", "id"].contains($0.key) }
    guard content.count == 1, let entry = content.first else {
      throw problem(.structure, "A value must be one value[x], resource or list of parts.")
    }
    if entry.key == "resource" { return .json(entry.value, type: nil) }
    if entry.key == "part" {
      var values: [PatchValue.Part] = []
      for item in entry.value.array ?? [] {
        guard let name = item["name"]?.string else {
          throw problem(.required, "Each part of a value needs a name.")
        }
        values.append(PatchValue.Part(name: name, value: try value(item)))
      }
      return .parts(values)
    }
    guard entry.key.hasPrefix("value"), entry.key.utf8.count > 5 else {
      throw problem(.notSupported, "A value must be one value[x], resource or list of parts.")
    }
    return .json(entry.value, type: String(entry.key.dropFirst(5)))
  }

  private func problem(_ code: FHIRIssueCode, _ message: String) -> PatchProblem {
    PatchProblem(code: code, expression: place, diagnostics: message)
  }
}
