// SPDX-License-Identifier: Apache-2.0

/// An element of FHIR's namespace, or a narrative.
struct XMLNode {
  /// The name without prefix.
  let name: String
  /// The attributes without namespace.
  var attributes: [(name: String, value: String)] = []
  var children: [XMLNode] = []
  /// The text of an XHTML `div` with its tags; nil for elements of FHIR.
  var narrative: String?
}

/// The limits beyond which an XML document is refused.
struct XMLLimits {
  /// The depth of elements outside narratives.
  let depth = 64
  /// The bytes of a document.
  let bytes: Int

  /// The number of elements outside narratives.
  var elements: Int { bytes / 20 }

  static let fhirNamespace = "http://hl7.org/fhir"
  static let xhtmlNamespace = "http://www.w3.org/1999/xhtml"
  static let schemaInstanceNamespace = "http://www.w3.org/2001/XMLSchema-instance"
}
