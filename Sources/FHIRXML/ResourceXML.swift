// SPDX-License-Identifier: Apache-2.0

import FHIR

/// FHIR's XML format: the same content as JSON, read and written without loss.
package enum ResourceXML {
  /// Reads a resource as its JSON form; nothing is repaired, and what FHIR does not define is refused.
  package static func read(
    _ bytes: [UInt8], maximumBytes: Int = JSONLimits.standard.maximumBytes
  ) throws(XMLProblem) -> JSONValue {
    let root = try XMLTree.root(of: bytes, limits: XMLLimits(bytes: maximumBytes))
    guard root.narrative == nil else {
      throw XMLProblem(.structure, at: "div", "The document must be a resource.")
    }
    var reader = XMLResourceReader()
    return try reader.resource(root)
  }

  /// Returns a resource as an XML document.
  ///
  /// The elements are in the order of their definition; those of a type that the tables do not know keep their
  /// own. A character that XML cannot have becomes U+FFFD.
  ///
  /// - Parameter isPretty: True to begin a line for each element.
  package static func write(_ resource: JSONValue, isPretty: Bool = false) -> [UInt8] {
    var writer = XMLResourceWriter(isPretty: isPretty)
    writer.writeDocument(resource)
    return writer.output
  }
}
