// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Normalises names, so that case, accents and Thai tone marks make no difference.
enum NameNormalizer {
  static func normalised(_ text: String) -> String {
    String(decoding: units(text), as: UTF16.self)
  }

  static func words(_ normalised: String) -> [String] {
    normalised.split(separator: " ").map(String.init)
  }

  /// Returns the normalised form as UTF-16 units, which are enough for every script of a name.
  static func units(_ text: String) -> [UInt16] {
    var result: [UInt16] = []
    result.reserveCapacity(text.utf8.count)
    let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
    let decomposed = isPlain ? text : text.decomposedStringWithCompatibilityMapping
    for scalar in decomposed.unicodeScalars { add(scalar, to: &result) }
    while result.last == space { result.removeLast() }
    return result
  }

  static let space = UInt16(UInt8(ascii: " "))

  private static func add(_ scalar: Unicode.Scalar, to result: inout [UInt16]) {
    switch scalar {
    case "a"..."z", "0"..."9": result.append(UInt16(scalar.value))
    case "A"..."Z": result.append(UInt16(scalar.value + 32))
    // Combining marks; the Thai tone marks, with the short-vowel and the silencing mark.
    case "\u{0300}"..."\u{036F}", "\u{0E47}"..."\u{0E4C}": break
    case "ı": result.append(UInt16(UInt8(ascii: "i")))
    case "ø", "Ø": result.append(UInt16(UInt8(ascii: "o")))
    case "æ", "Æ": result += [UInt16(UInt8(ascii: "a")), UInt16(UInt8(ascii: "e"))]
    case "ß": result += [UInt16(UInt8(ascii: "s")), UInt16(UInt8(ascii: "s"))]
    default:
      let isLetter =
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.generalCategory == .spacingMark
        || scalar.properties.generalCategory == .decimalNumber
      if isLetter {
        result += Array(scalar.properties.lowercaseMapping.utf16)
      } else if let last = result.last, last != space {
        result.append(space)
      }
    }
  }
}
