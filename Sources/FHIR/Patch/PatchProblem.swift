// SPDX-License-Identifier: Apache-2.0

/// A reason why a patch cannot be read or applied.
public struct PatchProblem: Error, Equatable, Sendable {
  /// The kind of problem: `structure` or `value` for a patch that is wrong in itself, `notSupported` for a path
  /// that is not understood, `notFound` for a path that leads nowhere, `conflict` for a failed test or an
  /// element that exists already, `businessRule` for a change of `id` or `resourceType`, and `tooCostly` for
  /// too many operations or too large a result.
  public let code: FHIRIssueCode
  /// The element that the problem is about, if there is one.
  public let expression: String?
  /// The problem and its remedy, in English for developers.
  public let diagnostics: String

  /// Creates a problem.
  public init(code: FHIRIssueCode, expression: String? = nil, diagnostics: String) {
    self.code = code
    self.expression = expression
    self.diagnostics = diagnostics
  }

  /// The problem as an entry of an OperationOutcome.
  public var issue: FHIRIssue {
    FHIRIssue(code: code, expression: expression, diagnostics: diagnostics)
  }
}

/// The rules that every kind of patch follows.
enum PatchRules {
  /// The maximum number of operations in one patch.
  static let maximumOperations = 1_000
  /// The limits of the result, which are those of a posted resource.
  static let limits = JSONLimits.standard

  static func checkCount(_ count: Int) throws(PatchProblem) {
    guard count <= maximumOperations else {
      throw PatchProblem(
        code: .tooCostly, diagnostics: "A patch may have at most \(maximumOperations) operations.")
    }
  }

  /// Returns the approximate size of a value in bytes.
  ///
  /// - Throws: a problem if the value, placed at a depth, is nested too deeply or exceeds a size.
  static func size(
    of value: JSONValue, depth: Int, upTo maximum: Int
  ) throws(PatchProblem) -> Int {
    guard depth <= limits.maximumDepth else {
      throw PatchProblem(
        code: .tooCostly,
        diagnostics: "The patch would nest the content deeper than \(limits.maximumDepth) levels.")
    }
    var size = 2
    switch value {
    case .null, .bool: size += 2
    case .number(let number): size = number.text.utf8.count
    case .string(let text): size += text.utf8.count
    case .array(let items):
      for item in items {
        size += 1 + (try self.size(of: item, depth: depth + 1, upTo: maximum - size))
      }
    case .object(let object):
      for entry in object.entries {
        size += 4 + entry.key.utf8.count
        size += try self.size(of: entry.value, depth: depth + 1, upTo: maximum - size)
      }
    }
    guard size <= maximum else {
      throw PatchProblem(
        code: .tooCostly,
        diagnostics: "The patch would make the content larger than \(limits.maximumBytes) bytes.")
    }
    return size
  }

  /// Checks a result: its size, its depth, and that it is still the same resource.
  static func check(_ result: JSONValue, patched original: JSONValue) throws(PatchProblem) {
    _ = try size(of: result, depth: 0, upTo: limits.maximumBytes)
    for key in ["resourceType", "id"] where result[key] != original[key] {
      let type = original["resourceType"]?.string
      throw PatchProblem(
        code: .businessRule, expression: [type, key].compactMap(\.self).joined(separator: "."),
        diagnostics: "A patch must not change \(key).")
    }
  }
}
