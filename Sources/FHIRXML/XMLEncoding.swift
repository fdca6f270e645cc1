// SPDX-License-Identifier: Apache-2.0

import FHIR

/// The encodings of XML documents that are read: UTF-8 and UTF-16.
enum XMLEncoding: Sendable {
  case utf8
  case utf16(isBigEndian: Bool)

  /// Returns a document in UTF-8, without a mark of its byte order.
  ///
  /// - Throws: The problem that the bytes are not in their encoding, or that the declaration names another one.
  static func inUTF8(_ bytes: [UInt8]) throws(XMLProblem) -> [UInt8] {
    let (encoding, mark) = detected(bytes.prefix(4))
    let document: [UInt8]
    switch encoding {
    case .utf8: document = mark == 0 ? bytes : Array(bytes.dropFirst(mark))
    case .utf16(let isBigEndian):
      document = try decoded(bytes.dropFirst(mark), isBigEndian: isBigEndian)
    }
    if let name = declared(in: document), !encoding.names.contains(name.lowercased()) {
      let isKnown = Self.all.contains { $0.names.contains(name.lowercased()) }
      throw XMLProblem(
        .structure,
        isKnown
          ? "The document declares the encoding \(name), but its bytes are in another one."
          : "The encoding \(name.prefix(40)) is not supported. Send UTF-8 or UTF-16.")
    }
    return document
  }

  private static let all: [XMLEncoding] = [
    .utf8, .utf16(isBigEndian: true), .utf16(isBigEndian: false),
  ]

  /// The names of the encoding in a declaration, in lower case.
  private var names: [String] {
    switch self {
    case .utf8: ["utf-8"]
    case .utf16(let isBigEndian): ["utf-16", isBigEndian ? "utf-16be" : "utf-16le"]
    }
  }

  /// Returns the encoding by the mark of the byte order, or else by the first character, which is `<`; and the length
  /// of the mark.
  private static func detected(_ start: ArraySlice<UInt8>) -> (encoding: XMLEncoding, mark: Int) {
    if start.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    if start.starts(with: [0x00, 0x3C]) { return (.utf16(isBigEndian: true), 0) }
    if start.starts(with: [0x3C, 0x00]) { return (.utf16(isBigEndian: false), 0) }
    return (.utf8, 0)
  }

  /// Returns UTF-16 as UTF-8.
  private static func decoded(
    _ bytes: ArraySlice<UInt8>, isBigEndian: Bool
  ) throws(XMLProblem) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else { throw notUTF16 }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index -> UInt16 in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw notUTF16 }
    return Array(text.utf8)
  }

  private static var notUTF16: XMLProblem {
    XMLProblem(.structure, "The document is not valid UTF-16.")
  }

  /// Returns the name in the XML declaration at the start of a document; nil without one.
  ///
  /// A declaration that is not well-formed is left to the parser.
  private static func declared(in document: [UInt8]) -> String? {
    guard document.starts(with: "<?xml".utf8),
      let end = document.prefix(longestDeclaration).firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let declaration = String(decoding: document[..<end], as: UTF8.self)
    guard let place = declaration.firstRange(of: "encoding") else { return nil }
    let rest = declaration[place.upperBound...].drop { $0.isWhitespace }
    guard rest.first == "=" else { return nil }
    let quoted = rest.dropFirst().drop { $0.isWhitespace }
    guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
    return String(quoted.dropFirst().prefix { $0 != quote })
  }

  private static let longestDeclaration = 1_000
}
