// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Records

/// The seal of a search's next-page cursor: only the same credential can use it.
package struct SearchCursor: Sendable {
  /// The session or token that searches.
  package let credential: SessionID

  /// Creates the seal of a credential.
  package init(credential: SessionID) {
    self.credential = credential
  }

  /// Returns a cursor as text with its seal.
  package func seal(_ cursor: RecordCursor) -> String {
    let place = "\(cursor.patient)/\(cursor.id)"
    return "\(place)/\(mac(of: place))"
  }

  /// Returns the cursor in a text; nil if its seal is wrong or another credential's.
  package func open(_ text: String) -> RecordCursor? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[2] == mac(of: "\(parts[0])/\(parts[1])") else { return nil }
    return RecordCursor(patient: PatientID(parts[0]), id: parts[1])
  }

  private func mac(of place: String) -> String {
    let code = Fingerprint.code(
      for: Array(place.utf8), key: Array("cursor:\(credential)".utf8))
    return Base64URL.encode(Array(code.prefix(12)))
  }
}

/// Encodes the query of a page's address; `/`, `:` and `,` stay readable.
package enum QueryText {
  /// Returns a name or value, percent-encoded.
  package static func encode(_ text: String) -> String {
    PercentEncoding.encode(text, keeping: "/:,")
  }

  /// Returns encoded pairs: `a=1&b=2`.
  package static func encode(_ fields: [(String, String)]) -> String {
    FormEncoding.encode(fields, keeping: "/:,")
  }
}
