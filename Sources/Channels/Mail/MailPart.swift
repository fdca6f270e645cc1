// SPDX-License-Identifier: Apache-2.0

import Encodings

/// One body part in UTF-8, encoded so that every line is short ASCII (RFC 2045).
struct MailPart {
  let type: String
  let text: String

  private static let lineLimit = 76

  /// The headers, an empty line and the content, ending with a line end.
  var rendered: [UInt8] {
    let content = Self.normalised(text)
    let foreign = content.count { $0 >= 0x80 }
    // Base64 if most would be escaped, as in Thai; otherwise an encoding that is readable in the source.
    let isDense = foreign * 4 > content.count
    var result: [UInt8] = []
    result += HeaderField.folded("Content-Type", ["\(type);", "charset=utf-8"])
    result += HeaderField.folded(
      "Content-Transfer-Encoding", [isDense ? "base64" : "quoted-printable"])
    result += "\r\n".utf8
    result += isDense ? Self.base64Lines(content) : Self.quotedPrintable(content)
    return result
  }

  /// Returns the bytes with CRLF line ends, including one at the end.
  private static func normalised(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 64)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\n") where previous == UInt8(ascii: "\r"): break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): result += "\r\n".utf8
      default: result.append(byte)
      }
      previous = byte
    }
    if !result.isEmpty, result.last != UInt8(ascii: "\n") { result += "\r\n".utf8 }
    return result
  }

  private static func base64Lines(_ content: [UInt8]) -> [UInt8] {
    let digits = Array(Base64.encode(content).utf8)
    var result: [UInt8] = []
    result.reserveCapacity(digits.count + digits.count / lineLimit * 2 + 2)
    var start = 0
    while start < digits.count {
      let end = min(start + lineLimit, digits.count)
      result += digits[start..<end]
      result += "\r\n".utf8
      start = end
    }
    return result
  }

  /// Encodes content with CRLF line ends as quoted-printable (RFC 2045 section 6.7).
  private static func quotedPrintable(_ content: [UInt8]) -> [UInt8] {
    let hexadecimal = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(content.count * 5 / 4)
    var column = 0
    for (index, byte) in content.enumerated() {
      if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") {
        result.append(byte)
        column = 0
        continue
      }
      // Leave room for an escaped byte and the sign of a soft line break.
      if column + 3 > lineLimit - 1 {
        result += "=\r\n".utf8
        column = 0
      }
      let isLineEnd = index + 1 < content.count && content[index + 1] == UInt8(ascii: "\r")
      let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      let isPlain =
        (UInt8(ascii: "!")...UInt8(ascii: "~")).contains(byte) && byte != UInt8(ascii: "=")
        // A lone dot ends a message for some programs, "From " starts one in a mailbox file.
        && !(column == 0 && (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "F")))
      if isPlain || isBlank && !isLineEnd {
        result.append(byte)
        column += 1
      } else {
        result += [UInt8(ascii: "="), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 0x0F)]]
        column += 3
      }
    }
    return result
  }
}
