// SPDX-License-Identifier: Apache-2.0

/// A JSON Merge Patch (RFC 7396) of a resource: a part of it with new values; `null` removes an element.
///
/// R4 has no such patch, but public clients send it as `application/json`.
public struct MergePatch: Sendable, Hashable {
  private let change: JSONObject

  /// Reads a patch from its document, an object.
  public init(parsing document: JSONValue) throws(PatchProblem) {
    guard let object = document.object else {
      throw PatchProblem(code: .structure, diagnostics: "A merge patch must be an object.")
    }
    change = object
  }

  /// Returns the resource with the changes; lists are replaced as a whole.
  public func applied(to resource: JSONValue) throws(PatchProblem) -> JSONValue {
    let result = Self.merged(.object(change), into: resource)
    try PatchRules.check(result, patched: resource)
    return result
  }

  private static func merged(_ change: JSONValue, into value: JSONValue?) -> JSONValue {
    guard let change = change.object else { return change }
    var result = value?.object ?? JSONObject()
    for (key, part) in change {
      // A literal nil would be the value null here.
      result[key] = part.isNull ? JSONValue?.none : merged(part, into: result[key])
    }
    return .object(result)
  }
}
