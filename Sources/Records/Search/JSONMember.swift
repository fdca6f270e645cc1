// SPDX-License-Identifier: Apache-2.0

/// Finds one member of a stored resource without parsing the others, because a page may need thousands of them.
package enum JSONMember {
  /// Returns the bytes of an array or object that is a member of a JSON object.
  ///
  /// - Returns: Nil if there is no such member, or if its name is written with escapes; the caller then parses all.
  package static func value(_ name: String, of text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    let key = Array("\"\(name)\"".utf8)
    var depth = 0
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(bytes, from: place) else { return nil }
        let next = afterSpaces(bytes, from: end)
        if depth == 1, next < bytes.count, bytes[next] == UInt8(ascii: ":"),
          bytes[place..<end].elementsEqual(key)
        {
          return container(bytes, from: afterSpaces(bytes, from: next + 1))
        }
        place = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
    }
    return nil
  }

  /// Returns the place after the string that begins at a quotation mark; nil if it does not end.
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int? {
    var place = start + 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\"): place += 2
      case UInt8(ascii: "\""): return place + 1
      default: place += 1
      }
    }
    return nil
  }

  private static func afterSpaces(_ bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count, isSpace(bytes[place]) { place += 1 }
    return place
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Returns the bytes of the array or object that begins at a place; nil for any other value.
  private static func container(_ bytes: [UInt8], from start: Int) -> [UInt8]? {
    var depth = 0
    var place = start
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        guard depth > 0, let end = endOfString(bytes, from: place) else { return nil }
        place = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return Array(bytes[start...place]) }
      default: break
      }
      guard depth > 0 else { return nil }
      place += 1
    }
    return nil
  }
}
