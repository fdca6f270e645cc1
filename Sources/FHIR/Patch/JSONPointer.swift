// SPDX-License-Identifier: Apache-2.0

/// The place of a value in a JSON document, as in RFC 6901.
struct JSONPointer: Sendable, Hashable {
  /// The names and positions from the root, unescaped.
  let steps: [String]

  /// Reads a pointer; nil if it does not begin with a slash or has a wrong escape.
  init?(_ text: String) {
    guard !text.isEmpty else {
      steps = []
      return
    }
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    var steps: [String] = []
    let parts = text.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for part in parts {
      guard let step = Self.unescape(Array(part)) else { return nil }
      steps.append(step)
    }
    self.steps = steps
  }

  private static func unescape(_ bytes: [UInt8]) -> String? {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "0"): plain.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): plain.append(UInt8(ascii: "/"))
        default: return nil
        }
        isEscaped = false
      } else if byte == UInt8(ascii: "~") {
        isEscaped = true
      } else {
        plain.append(byte)
      }
    }
    return isEscaped ? nil : String(decoding: plain, as: UTF8.self)
  }

  /// Returns true if another pointer leads to a value inside the value here.
  func isProperPrefix(of other: JSONPointer) -> Bool {
    steps.count < other.steps.count && other.steps.starts(with: steps)
  }

  /// Returns the position that a step names in an array; nil if it is not a number without leading zeros.
  static func position(_ step: String) -> Int? {
    let digits = step.utf8
    guard (1...9).contains(digits.count), digits.allSatisfy({ $0 &- 0x30 < 10 }),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    return Int(step)
  }

  /// Returns the pointer as a FHIRPath expression, such as `Patient.name[0].family`.
  func expression(inResourceOf type: String) -> String {
    var path = ExpressionPath(root: ExpressionPath.step(type))
    for step in steps.prefix(PatchRules.limits.maximumDepth) {
      if let position = Self.position(step) {
        path.push(position)
      } else {
        path.push(ExpressionPath.step(step))
      }
    }
    return path.expression
  }
}
