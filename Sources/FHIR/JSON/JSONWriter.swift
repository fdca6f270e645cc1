// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// The compact document as UTF-8.
  public var bytes: [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(512)
    write(into: &output)
    return output
  }

  /// The compact document as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends the compact document: order, numbers and strings stay as they are, with only the required
  /// escapes.
  public func write(into output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(true): output.append(contentsOf: "true".utf8)
    case .bool(false): output.append(contentsOf: "false".utf8)
    case .number(let number): JSONWriter.append(number.text, to: &output)
    case .string(let text): JSONWriter.quote(text, to: &output)
    case .array(let items):
      output.append(UInt8(ascii: "["))
      var isFirst = true
      for item in items {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        item.write(into: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      var isFirst = true
      for entry in object.entries {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        JSONWriter.quote(entry.key, to: &output)
        output.append(UInt8(ascii: ":"))
        entry.value.write(into: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }
}

/// Writes strings in runs of bytes that need no escape.
enum JSONWriter {
  static func append(_ text: String, to output: inout [UInt8]) {
    var copy = text
    copy.withUTF8 { output.append(contentsOf: $0) }
  }

  static func quote(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    var copy = text
    copy.withUTF8 { bytes in
      var written = 0
      for index in 0..<bytes.count {
        let byte = bytes[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        output.append(contentsOf: bytes[written..<index])
        escape(byte, to: &output)
        written = index + 1
      }
      output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[written...]))
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func escape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    default:
      let digits: StaticString = "0123456789abcdef"
      output.append(contentsOf: "u00".utf8)
      output.append(digits.utf8Start[Int(byte >> 4)])
      output.append(digits.utf8Start[Int(byte & 15)])
    }
  }
}
