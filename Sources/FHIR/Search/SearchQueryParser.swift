// SPDX-License-Identifier: Apache-2.0

/// Parses the query of a URL, or the body of a form, into search parameters.
public enum SearchQueryParser {
  /// Returns the parameters in order; a part without a name is dropped, and a malformed percent escape stays
  /// as it is.
  public static func parse(query: String) -> [SearchParameter] {
    pairs(query: query).map { SearchParameter(decodedName: $0.name, decodedValue: $0.value) }
  }

  /// Returns the decoded names and values in order, before modifiers and commas are processed.
  public static func pairs(query: String) -> [(name: String, value: String)] {
    query.utf8.split(separator: UInt8(ascii: "&")).compactMap { part in
      let sides = part.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = sides.first, !name.isEmpty else { return nil }
      return (decode(name), sides.count == 2 ? decode(sides[1]) : "")
    }
  }

  private static func decode(_ text: Substring.UTF8View) -> String {
    let bytes = Array(text)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "+") {
        decoded.append(UInt8(ascii: " "))
      } else if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 2
      } else {
        decoded.append(bytes[index])
      }
      index += 1
    }
    return String(validating: decoded, as: UTF8.self) ?? String(Substring(text))
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
