// SPDX-License-Identifier: Apache-2.0

/// Checks `Narrative.div`: one well-formed XHTML `div` with content and only the elements and attributes that
/// FHIR allows.
///
/// These include nothing executable: no scripts, event attributes, `javascript:` addresses, objects or forms.
struct NarrativeCheck {
  private let bytes: [UInt8]
  private var position = 0
  private var openElements: [String] = []
  private var hasContent = false
  private var isClosed = false

  /// Returns the problem with a text; nil if it may be stored and shown.
  static func problem(in text: String) -> String? {
    var check = NarrativeCheck(bytes: Array(text.utf8))
    return check.run()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run() -> String? {
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<") {
        if let problem = markup() { return problem }
      } else if let problem = characters() {
        return problem
      }
    }
    guard isClosed else { return "The narrative must be one complete div element." }
    return hasContent ? nil : "The narrative must have some content."
  }

  private mutating func characters() -> String? {
    let byte = bytes[position]
    if byte == UInt8(ascii: "&") {
      guard skipEntity() else { return "Write & as &amp; in the narrative." }
    } else {
      position += 1
    }
    if byte <= 0x20 { return nil }
    guard !openElements.isEmpty else { return "The narrative must be a single div element." }
    hasContent = true
    return nil
  }

  private mutating func skipEntity() -> Bool {
    guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      return false
    }
    let name = bytes[(position + 1)..<end]
    guard !name.isEmpty, name.allSatisfy({ Self.isNameByte($0) || $0 == UInt8(ascii: "#") }) else {
      return false
    }
    position = end + 1
    return true
  }

  private mutating func markup() -> String? {
    if bytes[position...].starts(with: "<!--".utf8) { return comment() }
    position += 1
    let isClosing = take(UInt8(ascii: "/"))
    let name = readName()
    guard Self.elements.contains(name) else {
      return "Remove markup that FHIR does not allow from the narrative."
    }
    if isClosing {
      skipSpace()
      guard take(UInt8(ascii: ">")), openElements.popLast() == name else {
        return "The narrative's elements must be nested properly."
      }
      isClosed = openElements.isEmpty
      return nil
    }
    if openElements.isEmpty, isClosed || name != "div" {
      return "The narrative must be a single div element."
    }
    return startTag(name)
  }

  private mutating func comment() -> String? {
    position += 4
    while position < bytes.count {
      if bytes[position...].starts(with: "-->".utf8) {
        position += 3
        return nil
      }
      position += 1
    }
    return "The narrative has a comment that is not closed."
  }

  /// Reads attributes up to the end of the start tag.
  private mutating func startTag(_ name: String) -> String? {
    let isRoot = openElements.isEmpty
    var namespace: String?
    while true {
      let hadSpace = skipSpace()
      if take(UInt8(ascii: ">")) {
        openElements.append(name)
        break
      }
      if take(UInt8(ascii: "/")) {
        guard take(UInt8(ascii: ">")) else { return "The narrative has a malformed tag." }
        isClosed = openElements.isEmpty
        break
      }
      let attribute = readName()
      guard hadSpace, !attribute.isEmpty else { return "The narrative has a malformed tag." }
      guard Self.attributes.contains(attribute) else {
        return "Remove attributes that FHIR does not allow from the narrative."
      }
      guard let value = attributeValue() else { return "Quote the narrative's attribute values." }
      guard Self.isSafe(value) else { return "Remove addresses that could run code." }
      if attribute == "xmlns" { namespace = value }
    }
    if name == "img" { hasContent = true }
    if isRoot, namespace != "http://www.w3.org/1999/xhtml" {
      return "The narrative's div must have the namespace http://www.w3.org/1999/xhtml."
    }
    return openElements.count > 128 ? "The narrative is nested too deeply." : nil
  }

  private mutating func attributeValue() -> String? {
    skipSpace()
    guard take(UInt8(ascii: "=")) else { return nil }
    skipSpace()
    guard position < bytes.count else { return nil }
    let quote = bytes[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    position += 1
    guard let end = bytes[position...].firstIndex(of: quote) else { return nil }
    let value = bytes[position..<end]
    guard !value.contains(UInt8(ascii: "<")) else { return nil }
    position = end + 1
    return String(decoding: value, as: UTF8.self)
  }

  /// Returns false for script addresses and styles that load or run something, and for entities, which could
  /// hide them.
  private static func isSafe(_ value: String) -> Bool {
    let compact = String(
      decoding: value.lowercased().utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "\\") },
      as: UTF8.self)
    if compact.contains("&#") || compact.contains("&colon") || compact.contains("&tab")
      || compact.contains("&newline")
    {
      return false
    }
    return !["javascript:", "vbscript:", "data:text", "expression(", "@import", "-moz-binding"]
      .contains { compact.contains($0) }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @discardableResult
  private mutating func skipSpace() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    return position > start
  }

  private mutating func readName() -> String {
    let start = position
    while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- 0x30 < 10
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-")
  }

  private static let elements = Set(
    """
    a abbr acronym b big blockquote br caption cite code col colgroup dd dfn div dl dt em h1 h2 h3
    h4 h5 h6 hr i img li ol p pre q samp small span strong sub sup table tbody td tfoot th thead
    tr tt ul var
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  private static let attributes = Set(
    """
    abbr accesskey align alt axis bgcolor border cellhalign cellpadding cellspacing cellvalign char
    charoff charset cite class colspan compact coords dir frame headers height href hreflang hspace
    id lang longdesc name nowrap rel rev rowspan rules scope shape span src start style summary
    tabindex title type valign value vspace width xmlns xml:lang
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}
