// SPDX-License-Identifier: Apache-2.0

/// A piece of HTML as UTF-8, written with string literals whose interpolated values are escaped.
///
/// The literal itself is trusted markup; every interpolated `String` is escaped, in element content and
/// inside quoted attributes. Only another `Markup` is inserted unchanged, so unescaped text cannot enter a
/// page by accident.
public struct Markup: Sendable, Hashable {
  /// The UTF-8 bytes of the markup.
  public private(set) var bytes: [UInt8]

  /// Creates an empty piece of markup.
  public init() {
    bytes = []
  }

  /// Creates markup from text that a person or another system wrote, which is escaped.
  public init(text: String) {
    bytes = []
    bytes.appendEscaped(text)
  }

  /// Creates markup from a trusted document; only for files that ship with the program.
  public init(trusted document: String) {
    bytes = Array(document.utf8)
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// True if it is empty.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The markup as a string, for tests and golden files.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Appends another piece.
  public mutating func append(_ other: Markup) {
    bytes.append(contentsOf: other.bytes)
  }

  /// Returns two pieces, one after the other.
  public static func + (left: Markup, right: Markup) -> Markup {
    var result = left
    result.append(right)
    return result
  }

  /// Appends another piece.
  public static func += (left: inout Markup, right: Markup) {
    left.append(right)
  }

  /// Returns pieces joined with a separator between them.
  public static func joined(_ parts: some Sequence<Markup>, separator: Markup = "") -> Markup {
    var result: [UInt8] = []
    var isFirst = true
    for part in parts {
      if !isFirst { result.append(contentsOf: separator.bytes) }
      isFirst = false
      result.append(contentsOf: part.bytes)
    }
    return Markup(bytes: result)
  }

  /// Returns a quoted attribute with a leading space, such as ` href="/today"`; empty for nil.
  public static func attribute(_ name: StaticString, _ value: String?) -> Markup {
    guard let value else { return Markup() }
    var result: [UInt8] = [UInt8(ascii: " ")]
    name.withUTF8Buffer { result.append(contentsOf: $0) }
    result.append(UInt8(ascii: "="))
    result.append(UInt8(ascii: "\""))
    result.appendEscaped(value)
    result.append(UInt8(ascii: "\""))
    return Markup(bytes: result)
  }

  /// Returns an attribute without a value and with a leading space, such as ` checked`; empty if it is off.
  public static func attribute(_ name: StaticString, _ isOn: Bool) -> Markup {
    guard isOn else { return Markup() }
    var result: [UInt8] = [UInt8(ascii: " ")]
    name.withUTF8Buffer { result.append(contentsOf: $0) }
    return Markup(bytes: result)
  }
}
