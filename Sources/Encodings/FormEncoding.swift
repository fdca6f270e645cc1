// SPDX-License-Identifier: Apache-2.0

/// Names and values as in queries and forms (`application/x-www-form-urlencoded`).
package enum FormEncoding {
  /// The media type of a form's body.
  package static let mediaType = "application/x-www-form-urlencoded"

  /// Returns encoded and joined pairs: `a=1&b=2`.
  ///
  /// - Parameter kept: the reserved characters that are not encoded.
  package static func encode(
    _ fields: [(String, String)], keeping kept: StaticString = ""
  ) -> String {
    fields.map { name, value in
      "\(PercentEncoding.encode(name, keeping: kept))=\(PercentEncoding.encode(value, keeping: kept))"
    }.joined(separator: "&")
  }
}
