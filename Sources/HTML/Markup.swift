// SPDX-License-Identifier: Apache-2.0

/// A piece of HTML as UTF-8, written with string literals whose interpolated values are escaped.
///
/// What stands in the literal is trusted markup; every interpolated `String` is text and comes out
/// escaped, in element content and inside quoted attributes alike. Only another `Markup` is taken
/// as it is, so unescaped text cannot enter a page by accident.
public struct Markup: Sendable, Hashable {
  /// The UTF-8 bytes of the markup.
  public private(set) var bytes: [UInt8]

  /// Makes an empty piece of markup.
  public init() {
    bytes = []
  }

  /// Makes markup from text that a person or another system wrote: it is escaped.
  public init(text: String) {
    bytes = []
    bytes.appendEscaped(text)
  }

  /// Takes a whole document part as it is; only for files that ship with the program.
  public init(trusted document: String) {
    bytes = Array(document.utf8)
  }

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// True if there is nothing to show.
  public var isEmpty: Bool { bytes.isEmpty }

  /// The markup as a string, for tests and golden files.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds another piece at the end.
  public mutating func append(_ other: Markup) {
    bytes.append(contentsOf: other.bytes)
  }

  /// Two pieces one after the other.
  public static func + (left: Markup, right: Markup) -> Markup {
    var result = left
    result.append(right)
    return result
  }

  /// Adds another piece at the end.
  public static func += (left: inout Markup, right: Markup) {
    left.append(right)
  }

  /// Pieces one after the other with a separator between them.
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

  /// A quoted attribute with a space before it, ` href="/today"`; nothing when there is no value.
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

  /// An attribute without a value, ` checked`, with a space before it; nothing when it is off.
  public static func attribute(_ name: StaticString, _ isOn: Bool) -> Markup {
    guard isOn else { return Markup() }
    var result: [UInt8] = [UInt8(ascii: " ")]
    name.withUTF8Buffer { result.append(contentsOf: $0) }
    return Markup(bytes: result)
  }
}
