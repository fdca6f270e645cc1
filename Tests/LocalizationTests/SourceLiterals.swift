// SPDX-License-Identifier: Apache-2.0

/// Parses Swift source far enough to find its string literals, including those inside interpolations.
struct SourceLiterals {
  struct Literal {
    /// The text before the first interpolation.
    var prefix = ""
    /// The text after the last interpolation; nil if there is none.
    var suffix: String?
    let line: Int
    /// The code before the literal, without white space and comments.
    let before: String
    /// The names in `, ["name": value]` after the literal; nil if something else follows.
    var arguments: [String]?
    /// The rest of the line after the literal.
    var restOfLine = ""
  }

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var before: [UInt8] = []
  private(set) var literals: [Literal] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
    code(isNested: false)
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private mutating func advance() {
    if byte() == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[min(index, bytes.count)...].starts(with: $0) }
  }

  /// Reads code up to the end, or through the parenthesis that closes an interpolation.
  private mutating func code(isNested: Bool) {
    var depth = 0
    while let next = byte() {
      if starts(with: "//") {
        while let next = byte(), next != UInt8(ascii: "\n") { index += 1 }
        continue
      }
      if let hashes = literalStart() {
        literal(hashes: hashes)
        continue
      }
      if next == UInt8(ascii: "(") { depth += 1 }
      if next == UInt8(ascii: ")") {
        depth -= 1
        if isNested, depth < 0 {
          advance()
          return
        }
      }
      if next > 0x20 { before.append(next) }
      advance()
    }
  }

  /// Returns the number of `#` before the quotation mark of a literal; nil if none begins here.
  private func literalStart() -> Int? {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    return byte(hashes) == UInt8(ascii: "\"") ? hashes : nil
  }

  private mutating func literal(hashes: Int) {
    index += hashes
    let isMultiline = starts(with: "\"\"\"")
    let quotes = isMultiline ? 3 : 1
    index += quotes
    var result = Literal(line: line, before: String(decoding: before.suffix(60), as: UTF8.self))
    var text: [UInt8] = []
    var hasInterpolation = false
    while let next = byte(), isMultiline || next != UInt8(ascii: "\n") {
      if closes(quotes: quotes, hashes: hashes) {
        index += quotes + hashes
        break
      }
      if next == UInt8(ascii: "\\"), escapes(hashes: hashes) {
        index += 1 + hashes
        if byte() == UInt8(ascii: "(") {
          index += 1
          if !hasInterpolation { result.prefix = String(decoding: text, as: UTF8.self) }
          hasInterpolation = true
          text = []
          code(isNested: true)
          continue
        }
      }
      if let next = byte() { text.append(next) }
      advance()
    }
    if hasInterpolation {
      result.suffix = String(decoding: text, as: UTF8.self)
    } else {
      result.prefix = String(decoding: text, as: UTF8.self)
    }
    result.restOfLine = String(
      decoding: bytes[min(index, bytes.count)...].prefix { $0 != UInt8(ascii: "\n") },
      as: UTF8.self)
    result.arguments = argumentNames()
    before.append(UInt8(ascii: "\""))
    literals.append(result)
  }

  private func closes(quotes: Int, hashes: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
      && (0..<hashes).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
  }

  private func escapes(hashes: Int) -> Bool {
    (0..<hashes).allSatisfy { byte(1 + $0) == UInt8(ascii: "#") }
  }

  /// Looks ahead from the end of a literal for a dictionary literal as the next argument.
  private func argumentNames() -> [String]? {
    var ahead = self
    ahead.skipSpace()
    guard ahead.byte() == UInt8(ascii: ",") else { return nil }
    ahead.index += 1
    ahead.skipSpace()
    guard ahead.byte() == UInt8(ascii: "[") else { return nil }
    ahead.index += 1
    var depth = 0
    var names: [String] = []
    while let next = ahead.byte() {
      if let hashes = ahead.literalStart() {
        ahead.literals = []
        ahead.literal(hashes: hashes)
        if depth == 0, ahead.byte() == UInt8(ascii: ":"), let name = ahead.literals.last {
          names.append(name.prefix)
        }
        continue
      }
      switch next {
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "]"):
        if depth == 0 { return names }
        depth -= 1
      default: break
      }
      ahead.advance()
    }
    return nil
  }

  private mutating func skipSpace() {
    while let next = byte(), next <= 0x20 { index += 1 }
  }
}
