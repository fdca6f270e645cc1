// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of devices and apps, each decoded once.
struct SourceNames {
  /// The maximum number of names, more than any phone has; further ones share one name.
  private static let limit = 500
  private static let further = "…"

  private var known: [(bytes: [UInt8], name: String)] = []
  private var last = 0

  /// Returns the name in some bytes, without characters that XML does not allow.
  mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    if last < known.count, matches(known[last].bytes, bytes) { return known[last].name }
    for index in known.indices where matches(known[index].bytes, bytes) {
      last = index
      return known[index].name
    }
    guard known.count < Self.limit else { return Self.further }
    let name = Self.clean(bytes)
    last = known.count
    known.append((Array(bytes), name))
    return name
  }

  private func matches(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count, let start = right.baseAddress else {
      return left.isEmpty && right.isEmpty
    }
    return memcmp(left, start, left.count) == 0
  }

  /// Returns the text of an attribute with character references decoded and invalid characters removed.
  static func clean(_ bytes: UnsafeBufferPointer<UInt8>, most: Int = 100) -> String {
    var text: [UInt8] = []
    var p = 0
    while p < bytes.count {
      let byte = bytes[p]
      p += 1
      if byte == 0x26, let base = bytes.baseAddress,
        TagCheck.isEntity(base + p, bytes.count - p),
        let semicolon = bytes[p...].firstIndex(of: 0x3B)
      {
        text += Array(Self.character(bytes[p..<semicolon]).utf8)
        p = semicolon + 1
      } else if byte >= 0x20, byte != 0x7F {
        text.append(byte)
      } else if byte == 0x09 || byte == 0x0A || byte == 0x0D {
        text.append(0x20)
      }
    }
    let name = String(decoding: text, as: UTF8.self)
    return String(name.trimmingCharacters(in: .whitespaces).prefix(most))
  }

  private static func character(_ reference: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    let text = String(decoding: reference, as: UTF8.self)
    switch text {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    default:
      let number =
        text.hasPrefix("#x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text.dropFirst(1))
      guard let scalar = number.flatMap(Unicode.Scalar.init), scalar.value >= 0x20 else {
        return ""
      }
      return String(Character(scalar))
    }
  }
}
