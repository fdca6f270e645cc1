// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The invalid characters in a tag.
struct TagCheck: OptionSet {
  let rawValue: UInt8
  static let controlCharacter = TagCheck(rawValue: 1)
  static let invalidUTF8 = TagCheck(rawValue: 2)
  static let bareAmpersand = TagCheck(rawValue: 4)
  static let bareBracket = TagCheck(rawValue: 8)

  /// Checks a tag without its first bracket, eight bytes at a time.
  static func of(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) -> TagCheck {
    var found: TagCheck = []
    var p = range.lowerBound
    let end = range.upperBound
    let raw = UnsafeRawPointer(base)
    while p + 8 <= end {
      let odd = odd(in: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: p, as: UInt64.self)))
      if odd == 0 {
        p += 8
      } else {
        // The lowest mark is exact; the ones above it are checked again.
        p += odd.trailingZeroBitCount >> 3
        found.formUnion(check(base, &p, end))
      }
    }
    while p < end { found.formUnion(check(base, &p, end)) }
    return found
  }

  /// Marks the highest bit of each byte that is below a space, above ASCII, a bracket or an ampersand.
  @inline(__always)
  private static func odd(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let bracket = word ^ (ones &* 0x3C)
    let ampersand = word ^ (ones &* 0x26)
    let below = (word &- (ones &* 0x20)) & ~word
    let brackets = (bracket &- ones) & ~bracket
    let ampersands = (ampersand &- ones) & ~ampersand
    return (word | below | brackets | ampersands) & tops
  }

  /// Checks one character and moves past it.
  private static func check(_ base: UnsafePointer<UInt8>, _ p: inout Int, _ end: Int) -> TagCheck {
    let byte = base[p]
    p += 1
    switch byte {
    case 0x09, 0x0A, 0x0D: return []
    case 0..<0x20: return .controlCharacter
    case 0x3C: return .bareBracket
    case 0x26: return isEntity(base + p, end - p) ? [] : .bareAmpersand
    case 0..<0x80: return []
    default:
      let length = length(of: byte, base + p, end - p)
      p += max(0, length - 1)
      return length == 0 ? .invalidUTF8 : []
    }
  }

  /// Returns true if the text after an ampersand is a character reference.
  static func isEntity(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    func begins(_ word: StaticString) -> Bool {
      count >= word.utf8CodeUnitCount && memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }
    if begins("lt;") || begins("gt;") || begins("amp;") || begins("quot;") || begins("apos;") {
      return true
    }
    guard count >= 3, start[0] == 0x23 else { return false }
    let isHexadecimal = start[1] == 0x78
    var p = isHexadecimal ? 2 : 1
    let first = p
    while p < count, p < 10 {
      let byte = start[p]
      let isDigit = byte >= 0x30 && byte <= 0x39
      let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
      guard isDigit || (isHexadecimal && isLetter) else { break }
      p += 1
    }
    return p > first && p < count && start[p] == 0x3B
  }

  /// Returns the number of bytes of a character that begins with `lead`; 0 if it is invalid.
  private static func length(
    of lead: UInt8, _ rest: UnsafePointer<UInt8>, _ count: Int
  ) -> Int {
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, count >= length - 1 else { return 0 }
    for index in 0..<(length - 1) where rest[index] & 0xC0 != 0x80 { return 0 }
    switch lead {
    case 0xE0: return rest[0] >= 0xA0 ? length : 0
    case 0xED: return rest[0] < 0xA0 ? length : 0
    case 0xF0: return rest[0] >= 0x90 ? length : 0
    case 0xF4: return rest[0] < 0x90 ? length : 0
    default: return length
    }
  }
}
