// SPDX-License-Identifier: Apache-2.0

import CExpat
import FHIR

/// Reads well-formed XML into a tree with libexpat.
///
/// A document type is refused, so there are no entities of the document's own, neither from outside nor ones that
/// multiply.
enum XMLTree {
  /// Returns the root element of a document.
  static func root(of bytes: [UInt8], limits: XMLLimits) throws(XMLProblem) -> XMLNode {
    guard bytes.count <= limits.bytes else {
      throw XMLProblem(.tooLong, "The document is larger than \(limits.bytes) bytes.")
    }
    let document = try XMLEncoding.inUTF8(bytes)
    let builder = XMLTreeBuilder(bytes: document, limits: limits)
    if let problem = parse(document, into: builder) { throw problem }
    guard let root = builder.root else { throw XMLProblem(.structure, "The document is empty.") }
    return root
  }

  /// Returns true if a text is one well-formed element of XHTML.
  static func isNarrative(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let builder = XMLTreeBuilder(bytes: bytes, limits: XMLLimits(bytes: bytes.count))
    return parse(bytes, into: builder) == nil && builder.root?.narrative != nil
  }

  /// Returns nil if the document was read to its end.
  private static func parse(_ bytes: [UInt8], into builder: XMLTreeBuilder) -> XMLProblem? {
    // Naming the encoding overrides the declaration of a document that was in UTF-16. A name arrives as its
    // namespace, a line feed and the local name.
    guard let parser = XML_ParserCreateNS("UTF-8", 10) else {
      return XMLProblem(.transient, "The document cannot be read at the moment.")
    }
    defer { XML_ParserFree(parser) }
    builder.parser = parser
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    XML_SetElementHandler(
      parser,
      { data, name, attributes in
        guard let name else { return }
        XMLTreeBuilder.from(data)?.start(name, attributes)
      },
      { data, _ in XMLTreeBuilder.from(data)?.end() })
    XML_SetCharacterDataHandler(parser) { data, text, length in
      XMLTreeBuilder.from(data)?.characters(text, length)
    }
    XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
      XMLTreeBuilder.from(data)?.refuse(.structure, "Remove the document type (DOCTYPE).")
    }
    let isRead = withExtendedLifetime(builder) {
      bytes.withUnsafeBytes { buffer in
        // An empty buffer has no address; expat then reports a missing element.
        let start = buffer.bindMemory(to: CChar.self).baseAddress
        return XML_Parse(parser, start, Int32(buffer.count), 1).rawValue == 1
      }
    }
    if let problem = builder.problem { return problem }
    guard !isRead else { return nil }
    let line = XML_GetCurrentLineNumber(parser)
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
    return XMLProblem(
      .structure, "The document is not well-formed XML: \(reason ?? "error") (line \(line)).")
  }
}

/// Receives the events of one parse.
///
/// It is used by one thread only, during the parse.
private final class XMLTreeBuilder {
  private let bytes: [UInt8]
  private let limits: XMLLimits
  private var ancestors: [XMLNode] = []
  private var count = 0
  /// The start of the current narrative, and the depth in it.
  private var narrativeStart = 0
  private var narrativeDepth = 0
  private(set) var root: XMLNode?
  private(set) var problem: XMLProblem?
  var parser: XML_Parser?

  init(bytes: [UInt8], limits: XMLLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  static func from(_ data: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    data.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  func refuse(_ code: FHIRIssueCode, _ message: String) {
    guard problem == nil else { return }
    problem = XMLProblem(code, at: place, message)
    if let parser { XML_StopParser(parser, 0) }
  }

  func start(
    _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard problem == nil else { return }
    if narrativeDepth > 0 {
      narrativeDepth += 1
      return
    }
    count += 1
    guard count <= limits.elements, ancestors.count < limits.depth else {
      refuse(.tooCostly, "The document has too many elements, or nests them too deeply.")
      return
    }
    let (namespace, local) = Self.split(String(cString: name))
    var node = XMLNode(name: local)
    switch namespace {
    case XMLLimits.xhtmlNamespace where local == "div":
      narrativeDepth = 1
      narrativeStart = position
    case XMLLimits.fhirNamespace: readAttributes(attributes, into: &node)
    default: refuse(.structure, "The element \(local.prefix(64)) is not of FHIR's namespace.")
    }
    ancestors.append(node)
  }

  func end() {
    guard problem == nil else { return }
    if narrativeDepth > 1 {
      narrativeDepth -= 1
      return
    }
    guard var node = ancestors.popLast() else { return }
    if narrativeDepth == 1 {
      narrativeDepth = 0
      node.narrative = narrative(upTo: position + length)
    }
    if ancestors.isEmpty {
      root = node
    } else {
      ancestors[ancestors.count - 1].children.append(node)
    }
  }

  func characters(_ text: UnsafePointer<CChar>?, _ length: Int32) {
    guard problem == nil, narrativeDepth == 0, let text else { return }
    let content = UnsafeBufferPointer(start: text, count: Int(length))
    // Expat has decoded the text: only white space may be between the elements.
    guard content.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      refuse(.structure, "Text is not allowed here. Values are in the attribute value.")
      return
    }
  }

  private func readAttributes(
    _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?, into node: inout XMLNode
  ) {
    guard let attributes else { return }
    var index = 0
    while let name = attributes[index], let value = attributes[index + 1] {
      let (namespace, local) = Self.split(String(cString: name))
      if namespace.isEmpty {
        node.attributes.append((local, String(cString: value)))
      } else if namespace != XMLLimits.schemaInstanceNamespace {
        refuse(.structure, "The attribute \(local.prefix(64)) is not one of FHIR's.")
      }
      index += 2
    }
  }

  /// Returns the narrative's own text; a `div` that inherits its namespace gets it.
  private func narrative(upTo end: Int) -> String {
    let range = min(narrativeStart, bytes.count)..<min(max(narrativeStart, end), bytes.count)
    let text = String(decoding: bytes[range], as: UTF8.self)
    guard text.hasPrefix("<div") else { return text }
    let tag = text.prefix { $0 != ">" }
    guard !tag.contains("xmlns=") else { return text }
    return "<div xmlns=\"\(XMLLimits.xhtmlNamespace)\"" + text.dropFirst(4)
  }

  private var position: Int { parser.map { Int(XML_GetCurrentByteIndex($0)) } ?? 0 }

  private var length: Int { parser.map { Int(XML_GetCurrentByteCount($0)) } ?? 0 }

  /// The names of the open elements.
  private var place: String? {
    ancestors.isEmpty ? nil : ancestors.map(\.name).joined(separator: ".")
  }

  private static func split(_ name: String) -> (namespace: String, local: String) {
    guard let separator = name.utf8.lastIndex(of: 10) else { return ("", name) }
    return (
      String(name[..<separator]), String(name[name.utf8.index(after: separator)...])
    )
  }
}
