// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Parses a whole JSON document strictly; nothing is repaired and nothing is lost.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONSyntaxError) {
    self = try bytes.withUnsafeBufferPointer {
      (buffer: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> JSONValue in
      var reader = JSONReader(bytes: buffer, limits: limits)
      return try reader.readDocument()
    }
  }

  /// Parses a whole JSON document from text.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONSyntaxError) {
    self = try JSONValue(parsing: Array(text.utf8), limits: limits)
  }
}

/// A recursive-descent parser over bytes.
///
/// The depth limit bounds its use of the stack.
struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSONLimits
  var position = 0
  private var depth = 0
  private var keyCache = JSONKeyCache()

  init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func readDocument() throws(JSONSyntaxError) -> JSONValue {
    guard bytes.count <= limits.maximumBytes else {
      throw error(.tooLarge(limit: limits.maximumBytes), at: 0)
    }
    skipWhitespace()
    let value = try readValue()
    skipWhitespace()
    guard position == bytes.count else { throw error(.trailingContent, at: position) }
    return value
  }

  private mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
    guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
    switch bytes[position] {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "{"): return .object(try readObject())
    case UInt8(ascii: "["): return .array(try readArray())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
    case UInt8(ascii: "t"):
      try readLiteral("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try readLiteral("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try readLiteral("null")
      return .null
    default: throw error(.unexpectedByte, at: position)
    }
  }

  private mutating func readObject() throws(JSONSyntaxError) -> JSONObject {
    try enter()
    var names = JSONNameSet()
    var entries: [JSONObject.Entry] = []
    guard try !closes(with: UInt8(ascii: "}")) else { return JSONObject(distinct: []) }
    entries.reserveCapacity(4)
    repeat {
      skipWhitespace()
      let start = position
      try expect(UInt8(ascii: "\""), consume: false)
      let (key, hash) = try readKey()
      guard names.insert(key, hash: hash, into: entries) else {
        throw error(.duplicateKey(key), at: start)
      }
      skipWhitespace()
      try expect(UInt8(ascii: ":"), consume: true)
      skipWhitespace()
      entries.append(JSONObject.Entry(key: key, value: try readValue()))
    } while try continues(until: UInt8(ascii: "}"))
    return JSONObject(distinct: entries)
  }

  private mutating func readArray() throws(JSONSyntaxError) -> [JSONValue] {
    try enter()
    guard try !closes(with: UInt8(ascii: "]")) else { return [] }
    var items: [JSONValue] = []
    repeat {
      skipWhitespace()
      items.append(try readValue())
    } while try continues(until: UInt8(ascii: "]"))
    return items
  }

  /// Skips the opening bracket.
  private mutating func enter() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= limits.maximumDepth else {
      throw error(.tooDeep(limit: limits.maximumDepth), at: position)
    }
    position += 1
  }

  /// Skips the closing bracket and returns true if the array or object is empty.
  private mutating func closes(with bracket: UInt8) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
    guard bytes[position] == bracket else { return false }
    position += 1
    depth -= 1
    return true
  }

  /// Skips a comma (returns true) or the closing bracket (returns false).
  private mutating func continues(until bracket: UInt8) throws(JSONSyntaxError) -> Bool {
    skipWhitespace()
    guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
    let byte = bytes[position]
    position += 1
    if byte == UInt8(ascii: ",") { return true }
    guard byte == bracket else { throw error(.unexpectedByte, at: position - 1) }
    depth -= 1
    return false
  }

  private mutating func expect(_ byte: UInt8, consume: Bool) throws(JSONSyntaxError) {
    guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
    guard bytes[position] == byte else { throw error(.unexpectedByte, at: position) }
    if consume { position += 1 }
  }

  private mutating func readKey() throws(JSONSyntaxError) -> (text: String, hash: UInt) {
    let start = position + 1
    let scan = scanString(from: start)
    guard scan.isPlainASCII else {
      var text = try readString()
      return (text, text.withUTF8 { JSONKeyCache.hash($0) })
    }
    position = scan.end + 1
    return keyCache.name(at: start..<scan.end, in: bytes)
  }

  private mutating func readNumber() throws(JSONSyntaxError) -> JSONNumber {
    guard let length = JSONNumberGrammar.length(in: bytes, from: position) else {
      throw error(.invalidNumber, at: position)
    }
    let start = position
    position += length
    // Invalid characters after a number ("01", "1.2.3", "5x") are reported as a missing comma or bracket.
    if position < bytes.count, isNumberByte(bytes[position]) {
      throw error(.invalidNumber, at: start)
    }
    return JSONNumber(checkedText: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func readLiteral(_ literal: StaticString) throws(JSONSyntaxError) {
    for index in 0..<literal.utf8CodeUnitCount {
      guard position < bytes.count else { throw error(.unexpectedEnd, at: position) }
      guard bytes[position] == literal.utf8Start[index] else {
        throw error(.unexpectedByte, at: position)
      }
      position += 1
    }
  }

  @inline(__always)
  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  func error(_ reason: JSONSyntaxError.Reason, at offset: Int) -> JSONSyntaxError {
    var line = 1
    var lineStart = 0
    for index in 0..<min(offset, bytes.count) where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    return JSONSyntaxError(
      reason: reason, offset: offset, line: line, column: offset - lineStart + 1)
  }
}
