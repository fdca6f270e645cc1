// SPDX-License-Identifier: Apache-2.0

import Encodings
import FHIR
import HTTPTypes
import Web

/// The parameters of a FHIR request, none of which may be ignored or guessed.
enum FHIRQuery {
  /// The most characters of a parameter in an `expression`.
  private static let longestName = 100

  /// Returns the names and values of a query or a form in order.
  ///
  /// - Throws: The failure 400 for a value without a name, and for a parameter that is not valid percent-encoded
  ///   UTF-8; searched as it is written, it would find something else than was meant.
  static func pairs(_ query: String) throws -> [(name: String, value: String)] {
    for part in query.utf8.split(separator: UInt8(ascii: "&")) {
      let written = Substring(part)
      let name = Substring(part.prefix { $0 != UInt8(ascii: "=") })
      guard !name.isEmpty else {
        throw problem(written, "Write the name of the parameter before the equals sign.")
      }
      guard PercentEncoding.decode(written, readingPlus: true) != nil else {
        throw problem(
          PercentEncoding.decode(name, readingPlus: true).map { Substring($0) } ?? name,
          "The parameter must be UTF-8, with two hexadecimal digits after each percent sign.")
      }
    }
    return SearchQueryParser.pairs(query: query)
  }

  private static func problem(_ name: Substring, _ diagnostics: String) -> Failure {
    .element(.badRequest, .value, String(name.prefix(longestName)), diagnostics)
  }
}
