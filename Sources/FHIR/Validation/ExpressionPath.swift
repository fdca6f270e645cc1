// SPDX-License-Identifier: Apache-2.0

/// The current position in a resource, converted to a FHIRPath expression only for findings.
struct ExpressionPath {
  enum Step {
    case name(String)
    case index(Int)
  }

  private var steps: [Step]

  init(root: String) { steps = [.name(root)] }

  mutating func push(_ name: String) { steps.append(.name(name)) }
  mutating func push(_ index: Int) { steps.append(.index(index)) }
  mutating func pop() { if steps.count > 1 { steps.removeLast() } }

  var expression: String {
    var text = ""
    for step in steps {
      switch step {
      case .name(let name): text += text.isEmpty ? name : "." + name
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  /// Returns a name from the content as a FHIRPath step, quoted unless it is a plain identifier, and
  /// shortened.
  static func step(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
    }
    if isPlain, !name.isEmpty { return String(name.prefix(64)) }
    let cleaned = name.unicodeScalars.prefix(64).map { scalar in
      scalar == "`" || scalar == "\\" || scalar.value < 0x20 ? "?" : String(scalar)
    }
    return "`\(cleaned.joined())`"
  }
}
