// SPDX-License-Identifier: Apache-2.0

/// Parses the JSON of a question into nodes byte by byte, without Unicode's rules.
struct QuestionText {
  /// The maximum nesting depth of lists and objects; no Timing needs more.
  private static let deepest = 32

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Reads one value that only white space may surround; nil for anything else.
  static func node(_ bytes: UnsafeBufferPointer<UInt8>) -> TimingNode? {
    var text = QuestionText(bytes: bytes)
    guard let node = text.value(depth: 0) else { return nil }
    text.skipSpace()
    return text.position == bytes.count ? node : nil
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func skipSpace() {
    while next == 0x20 || next == 0x0A || next == 0x0D || next == 0x09 { position += 1 }
  }

  /// Skips white space and consumes the given byte if it comes next.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) -> TimingNode? {
    guard depth < Self.deepest else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object(depth)
    case UInt8(ascii: "["): return list(depth)
    case UInt8(ascii: "\""): return string().map { .text($0) }
    case UInt8(ascii: "t"): return word(4) ? .flag(true) : nil
    case UInt8(ascii: "f"): return word(5) ? .flag(false) : nil
    case UInt8(ascii: "n"): return word(4) ? .null : nil
    default: return number()
    }
  }

  private mutating func object(_ depth: Int) -> TimingNode? {
    position += 1
    var members: [TimingMember] = []
    if take(UInt8(ascii: "}")) { return .object([]) }
    repeat {
      skipSpace()
      guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1)
      else { return nil }
      members.append(TimingMember(name, value))
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func list(_ depth: Int) -> TimingNode? {
    position += 1
    var items: [TimingNode] = []
    if take(UInt8(ascii: "]")) { return .list([]) }
    repeat {
      guard let item = value(depth: depth + 1) else { return nil }
      items.append(item)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .list(items) : nil
  }

  /// Skips `true`, `false` or `null`; the browser wrote the JSON, so checking the first letter is enough.
  private mutating func word(_ length: Int) -> Bool {
    position += length
    return position <= bytes.count
  }

  private mutating func number() -> TimingNode? {
    let begin = position
    while isPartOfNumber(next) { position += 1 }
    guard position > begin else { return nil }
    return .number(String(UnsafeBufferPointer(rebasing: bytes[begin..<position])))
  }

  private func isPartOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private mutating func string() -> String? {
    guard next == UInt8(ascii: "\"") else { return nil }
    position += 1
    let begin = position
    var text: [UInt8]?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        return text.map { String($0) }
          ?? String(UnsafeBufferPointer(rebasing: bytes[begin..<position - 1]))
      case UInt8(ascii: "\\"):
        if text == nil { text = Array(bytes[begin..<position - 1]) }
        guard let character = escaped() else { return nil }
        text?.append(character)
      default: text?.append(byte)
      }
    }
    return nil
  }

  /// Reads the character after a backslash.
  ///
  /// A Timing needs no escapes apart from quotes, backslashes and slashes. Any other escape becomes a question
  /// mark, so an unknown name stays unknown.
  private mutating func escaped() -> UInt8? {
    let byte = next
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return byte
    case UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      return UInt8(ascii: "?")
    case UInt8(ascii: "u"):
      position += 4
      return UInt8(ascii: "?")
    default: return nil
    }
  }
}
