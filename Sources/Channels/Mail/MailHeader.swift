// SPDX-License-Identifier: Apache-2.0

import Encodings

/// An additional header field of a mail, such as `List-Unsubscribe`.
package struct MailHeader: Sendable, Hashable {
  /// The name of the field, in the case in which it is written.
  package let name: String
  /// The value, without line breaks and control characters.
  package let value: String

  /// Headers that ``MailMessage`` writes, or that affect where a message goes.
  private static let reserved: Set<String> = [
    "from", "to", "cc", "bcc", "sender", "reply-to", "subject", "date", "message-id",
    "mime-version", "auto-submitted", "return-path", "received",
  ]

  /// Creates a header field; nil unless the name has 1 to 40 letters, digits and hyphens and is not
  /// set by ``MailMessage``, and the value is not empty and has no line break or control character.
  package init?(name: String, value: String) {
    let lower = name.lowercased()
    guard (1...40).contains(name.utf8.count), !value.isEmpty,
      name.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          true
        default: false
        }
      }),
      !Self.reserved.contains(lower), !lower.hasPrefix("content-"), !lower.hasPrefix("resent-"),
      !value.unicodeScalars.contains(where: \.isLineBreakOrControl)
    else { return nil }
    self.name = name
    self.value = value
  }
}

/// Header fields folded to 78 characters a line, with anything beyond ASCII encoded (RFC 2047).
enum HeaderField {
  private static let lineLimit = 78
  /// The length of `=?utf-8?B?` and `?=` within an encoded word's 75 characters.
  private static let wordFrame = 12

  /// Returns a field with free text.
  static func text(_ name: String, _ value: String) -> [UInt8] {
    let clean = cleaned(value)
    let words = clean.split(separator: " ", omittingEmptySubsequences: false)
    // Unusual runs of spaces, words too long for a line and look-alikes of encoded words are encoded too, so
    // that the text arrives unchanged.
    let isPlain =
      clean.utf8.allSatisfy { $0 < 0x7F } && !clean.contains("=?")
      && words.allSatisfy { (1...(lineLimit - 2)).contains($0.utf8.count) }
      && name.utf8.count + 2 + (words.first?.utf8.count ?? 0) <= lineLimit
    return folded(name, isPlain ? words.map(String.init) : encodedWords(clean, after: name))
  }

  /// Returns a field with a mailbox, and its name in the required form.
  static func address(_ name: String, _ address: MailAddress) -> [UInt8] {
    guard let display = address.name.map(cleaned), !display.isEmpty else {
      return folded(name, [address.mailbox])
    }
    let quoted = "\"" + String(display.flatMap { "\"\\".contains($0) ? ["\\", $0] : [$0] }) + "\""
    let isPlain =
      display.utf8.allSatisfy { $0 < 0x7F } && !display.contains("=?")
      && name.utf8.count + 2 + quoted.utf8.count <= lineLimit
    let words = isPlain ? [quoted] : encodedWords(display, after: name)
    return folded(name, words + ["<\(address.mailbox)>"])
  }

  /// Returns a field with a complete web address, on its own line if it is long; nil for anything but visible
  /// ASCII without angle brackets.
  static func link(_ name: String, _ address: String) -> [UInt8]? {
    let isPlain = address.utf8.allSatisfy {
      (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">")
    }
    guard isPlain, !address.isEmpty else { return nil }
    let breaks = name.utf8.count + address.utf8.count + 4 > lineLimit
    return Array("\(name):\(breaks ? "\r\n" : "") <\(address)>\r\n".utf8)
  }

  /// Returns text with each run of line breaks and controls replaced by a space.
  static func cleaned(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isAfterControl = false
    for scalar in text.unicodeScalars {
      if scalar.isLineBreakOrControl {
        isAfterControl = true
        continue
      }
      if isAfterControl, !result.isEmpty { result.append(" ") }
      isAfterControl = false
      result.append(scalar)
    }
    return String(result)
  }

  /// Folds words into lines; each line after the first starts with a space.
  static func folded(_ name: String, _ words: [String]) -> [UInt8] {
    var line = "\(name):"
    var result: [UInt8] = []
    var isFirst = true
    for word in words {
      if !isFirst, line.utf8.count + 1 + word.utf8.count > lineLimit {
        result += line.utf8
        result += "\r\n".utf8
        line = ""
      }
      line += " " + word
      isFirst = false
    }
    result += line.utf8
    result += "\r\n".utf8
    return result
  }

  private static func encodedWords(_ text: String, after name: String) -> [String] {
    var words: [String] = []
    var chunk: [UInt8] = []
    func close() {
      words.append("=?utf-8?B?\(Base64.encode(chunk))?=")
      chunk = []
    }
    // Split only between scalars: each encoded word is decoded separately.
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // The first one shares its line with the field's name.
      let width = words.isEmpty ? lineLimit - name.utf8.count - 2 : 75
      if !chunk.isEmpty, chunk.count + bytes.count > (width - wordFrame) / 4 * 3 { close() }
      chunk += bytes
    }
    if !chunk.isEmpty { close() }
    return words
  }
}
