// SPDX-License-Identifier: Apache-2.0

/// The part of FHIRPath that names elements in a patch, such as `Patient.name.where(use = 'old').given[0]`.
struct PatchPath: Sendable, Hashable {
  /// A comparison inside `where()`: the names that lead to the value, and the value as text.
  struct Condition: Sendable, Hashable {
    let names: [String]
    let expected: JSONValue
  }

  enum Segment: Sendable, Hashable {
    case name(String)
    case index(Int)
    case matching([Condition])
    case ofType(String)
  }

  /// The path as it was written.
  let text: String
  /// The type that the path begins with; nil if it begins with an element.
  let root: String?
  let segments: [Segment]

  init(_ text: String) throws(PatchProblem) {
    guard text.utf8.count <= 1_000 else {
      throw PatchProblem(code: .tooLong, diagnostics: "The path is too long.")
    }
    self.text = text
    var reader = PatchPathReader(text)
    let (root, segments) = try reader.readPath()
    self.root = root
    self.segments = segments
  }

  /// Splits off the last name; nil if the path ends with something else.
  var list: (parent: ArraySlice<Segment>, name: String)? {
    guard case .name(let name)? = segments.last else { return nil }
    return (segments.dropLast(), name)
  }

  /// Creates a problem about this path.
  func problem(_ code: FHIRIssueCode, _ message: String) -> PatchProblem {
    PatchProblem(code: code, expression: text, diagnostics: message)
  }
}

/// Reads a path; everything outside the supported part is refused.
private struct PatchPathReader {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func readPath() throws(PatchProblem) -> (String?, [PatchPath.Segment]) {
    skipSpace()
    let first = try readName()
    let isType = first.utf8.first.map { $0 &- UInt8(ascii: "A") < 26 } ?? false
    var segments: [PatchPath.Segment] = isType ? [] : [.name(first)]
    while true {
      skipSpace()
      if position == bytes.count { return (isType ? first : nil, segments) }
      if take(".") {
        segments.append(try readStep())
      } else if take("[") {
        skipSpace()
        guard let digits = readDigits(), let index = Int(digits) else { throw unsupported }
        skipSpace()
        guard take("]") else { throw unsupported }
        segments.append(.index(index))
      } else {
        throw unsupported
      }
    }
  }

  private mutating func readStep() throws(PatchProblem) -> PatchPath.Segment {
    skipSpace()
    let name = try readName()
    skipSpace()
    guard take("(") else { return .name(name) }
    skipSpace()
    let segment: PatchPath.Segment
    switch name {
    case "first": segment = .index(0)
    case "ofType": segment = .ofType(try readName())
    case "where": segment = .matching(try readConditions())
    default: throw unsupported
    }
    skipSpace()
    guard take(")") else { throw unsupported }
    return segment
  }

  private mutating func readConditions() throws(PatchProblem) -> [PatchPath.Condition] {
    var conditions: [PatchPath.Condition] = []
    repeat {
      skipSpace()
      var names = [try readName()]
      while take(".") { names.append(try readName()) }
      skipSpace()
      guard take("=") else { throw unsupported }
      skipSpace()
      conditions.append(PatchPath.Condition(names: names, expected: try readLiteral()))
      skipSpace()
    } while take("and ")
    return conditions
  }

  private mutating func readLiteral() throws(PatchProblem) -> JSONValue {
    if take("'") { return .string(try readString()) }
    if take("true") { return true }
    if take("false") { return false }
    let start = position
    _ = take("-")
    _ = readDigits()
    if take(".") { _ = readDigits() }
    guard let number = JSONNumber(text: String(decoding: bytes[start..<position], as: UTF8.self))
    else { throw unsupported }
    return .number(number)
  }

  /// Reads a string after its opening quote.
  private mutating func readString() throws(PatchProblem) -> String {
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "'"): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard position < bytes.count,
          bytes[position] == UInt8(ascii: "'") || bytes[position] == UInt8(ascii: "\\")
        else { throw unsupported }
        content.append(bytes[position])
        position += 1
      default: content.append(byte)
      }
    }
    throw unsupported
  }

  private mutating func readName() throws(PatchProblem) -> String {
    let start = position
    while position < bytes.count, isNameByte(bytes[position], isFirst: position == start) {
      position += 1
    }
    guard position > start else { throw unsupported }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func isNameByte(_ byte: UInt8, isFirst: Bool) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_")
      || !isFirst && byte &- 0x30 < 10
  }

  /// Reads at most nine digits; nil if there are none.
  private mutating func readDigits() -> String? {
    let start = position
    while position < bytes.count, position - start < 9, bytes[position] &- 0x30 < 10 {
      position += 1
    }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for offset in 0..<length where bytes[position + offset] != word.utf8Start[offset] {
      return false
    }
    position += length
    return true
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
  }

  private var unsupported: PatchProblem {
    PatchProblem(
      code: .notSupported, expression: text,
      diagnostics: """
        The path is not understood at character \(position + 1). Write names, [0], first(), \
        ofType(Type) and where(name = 'text').
        """)
  }
}
