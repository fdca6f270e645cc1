// SPDX-License-Identifier: Apache-2.0
import CLibPQ
import Foundation

/// Escapes NUL characters, which PostgreSQL does not allow in text but SQLite does.
///
/// NUL is written as a character that Unicode never assigns, followed by a digit; that character is escaped
/// in the same way.
private enum EscapedText {
  /// U+10FFFF in UTF-8.
  static let mark: [UInt8] = [0xF4, 0x8F, 0xBF, 0xBF]

  static func needsEscape(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.contains { $0 == 0 || $0 == 0xF4 }
  }

  static func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0 {
        buffer += mark + [UInt8(ascii: "0")]
        index += 1
      } else if isMark(bytes, at: index) {
        buffer += mark + [UInt8(ascii: "1")]
        index += mark.count
      } else {
        buffer.append(bytes[index])
        index += 1
      }
    }
  }

  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(0xF4) else { return String(decoding: bytes, as: UTF8.self) }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard isMark(bytes, at: index), index + mark.count < bytes.count else {
        plain.append(bytes[index])
        index += 1
        continue
      }
      if bytes[index + mark.count] == UInt8(ascii: "0") {
        plain.append(0)
      } else {
        plain += mark
      }
      index += mark.count + 1
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static func isMark(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    bytes[index] == mark[0] && index + mark.count <= bytes.count
      && (1..<mark.count).allSatisfy { bytes[index + $0] == mark[$0] }
  }
}

/// The arguments of a statement in libpq's form: texts, and blobs as they are.
struct PostgresArguments {
  private static let blobType: Oid = 17
  private var buffer: [UInt8] = []
  /// The start of each value in the buffer; nil for null.
  private var starts: [Int?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  /// Converts arguments.
  ///
  /// - Parameter types: the types that the server expects.
  init(_ arguments: [SQLValue], types: [Oid]) {
    for (argument, type) in zip(arguments, types) {
      append(argument, type)
    }
  }

  private mutating func append(_ value: SQLValue, _ type: Oid) {
    let start = buffer.count
    var isBinary = false
    switch value {
    case .null:
      starts.append(nil)
      lengths.append(0)
      formats.append(0)
      return
    case .integer(let number):
      buffer += "\(number)".utf8
    case .real(let number):
      buffer += "\(number)".utf8
    case .text(var text):
      text.withUTF8 { bytes in
        if EscapedText.needsEscape(bytes) {
          EscapedText.append(bytes, to: &buffer)
        } else {
          buffer += bytes
        }
      }
    case .blob(let bytes):
      isBinary = type == Self.blobType
      if isBinary { buffer += bytes } else { buffer += Self.hexadecimal(bytes) }
    }
    starts.append(start)
    lengths.append(Int32(clamping: buffer.count - start))
    formats.append(isBinary ? 1 : 0)
    buffer.append(0)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("\\x".utf8)
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return text
  }

  typealias Pointers = UnsafePointer<UnsafePointer<CChar>?>

  /// Passes the arrays to a call of libpq.
  func lend<Result>(
    _ call: (Int32, Pointers?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
  ) -> Result {
    buffer.withUnsafeBytes { bytes in
      let base = bytes.bindMemory(to: CChar.self).baseAddress
      let values: [UnsafePointer<CChar>?] = starts.map { start in
        start.flatMap { base?.advanced(by: $0) }
      }
      return values.withUnsafeBufferPointer { values in
        lengths.withUnsafeBufferPointer { lengths in
          formats.withUnsafeBufferPointer { formats in
            call(
              Int32(clamping: values.count), values.baseAddress, lengths.baseAddress,
              formats.baseAddress)
          }
        }
      }
    }
  }
}

/// The type of a column, which decides how its text is parsed.
enum PostgresColumn {
  case integer, real, number, bool, blob, text

  init(type: Oid) {
    switch type {
    case 20, 21, 23, 26: self = .integer
    case 700, 701: self = .real
    case 1700: self = .number
    case 16: self = .bool
    case 17: self = .blob
    default: self = .text
    }
  }

  func value(_ bytes: UnsafeBufferPointer<UInt8>) -> SQLValue {
    switch self {
    case .integer: return Self.integer(bytes) ?? .null
    case .real: return .real(Double(String(decoding: bytes, as: UTF8.self)) ?? .nan)
    case .number:
      // A sum of whole numbers is a whole number, although PostgreSQL gives it a wider type.
      if let whole = Self.integer(bytes) { return whole }
      return .real(Double(String(decoding: bytes, as: UTF8.self)) ?? .nan)
    case .bool: return .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
    case .blob: return .blob(Self.blob(bytes))
    case .text: return .text(EscapedText.text(bytes))
    }
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> SQLValue? {
    Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) }
  }

  /// Reads `\x` followed by two digits for each byte.
  private static func blob(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    func digit(_ byte: UInt8) -> UInt8 {
      byte <= UInt8(ascii: "9") ? byte &- UInt8(ascii: "0") : byte &- UInt8(ascii: "a") &+ 10
    }
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count / 2)
    var index = 2
    while index + 1 < bytes.count {
      content.append(digit(bytes[index]) << 4 | digit(bytes[index + 1]))
      index += 2
    }
    return content
  }
}
