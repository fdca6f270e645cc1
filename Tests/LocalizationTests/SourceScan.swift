// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Localization

/// The uses of message keys in the Swift sources of all modules.
///
/// A use is a string literal in the form of a key that is the first argument of `text(` or `MessageKey(`,
/// follows `: MessageKey =`, or begins with the first word of some key. A literal with an interpolation, such
/// as `"units.\(unit).name"`, uses every key that matches around it. Lines that end in `// not a message` are
/// skipped.
struct SourceScan {
  struct Use: Hashable {
    let key: String
    let place: String
    /// The argument names in a dictionary literal next to the key; nil if there is none.
    let arguments: [String]?
  }

  private(set) var uses: [Use] = []
  private(set) var patterns: [(prefix: String, suffix: String)] = []

  init(features: Set<String>) throws {
    let sources = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(
      atPath: sources.path(percentEncoded: false))
    for path in paths.sorted() where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      scan(text, path: path, features: features)
    }
  }

  init(text: String, features: Set<String>) {
    scan(text, path: "", features: features)
  }

  private mutating func scan(_ text: String, path: String, features: Set<String>) {
    for literal in SourceLiterals(text).literals {
      let isOfFeature = features.contains { literal.prefix.hasPrefix($0 + ".") }
      guard isOfFeature || Self.takesKey(literal.before),
        !literal.restOfLine.hasSuffix("// not a message")
      else { continue }
      if let suffix = literal.suffix {
        if literal.prefix.contains("."), CatalogueFile.isKey(literal.prefix + "x") {
          patterns.append((literal.prefix, suffix))
        }
      } else if CatalogueFile.isKey(literal.prefix) {
        uses.append(
          Use(
            key: literal.prefix, place: "\(path):\(literal.line)", arguments: literal.arguments))
      }
    }
  }

  /// Returns true if the code before a literal takes a message key.
  ///
  /// `.text(` after an operator or a bracket is the case of `MessageArgument`, not the call.
  private static func takesKey(_ before: String) -> Bool {
    if before.hasSuffix("MessageKey(") || before.hasSuffix(":MessageKey=") { return true }
    guard before.hasSuffix("text(") else { return false }
    let receiver = before.dropLast(5)
    guard let last = receiver.last else { return true }
    if last == "." {
      guard let end = receiver.dropLast().last else { return false }
      return end.isLetter || end.isNumber || end == "_" || end == ")" || end == "]" || end == "?"
    }
    return !(last.isLetter || last.isNumber || last == "_")
  }
}
