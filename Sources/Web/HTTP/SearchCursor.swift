// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Records

/// The seal of a search's next-page cursor: only the same credential can use it, and only for the same search.
package struct SearchCursor: Sendable {
  /// The session or token that searches.
  package let credential: SessionID
  /// The address and the order of the search.
  package let context: String

  /// Creates the seal of a credential and a search.
  package init(credential: SessionID, context: String) {
    self.credential = credential
    self.context = context
  }

  /// Returns a cursor as text with its seal.
  package func seal(_ cursor: RecordCursor) -> String {
    let keys = cursor.keys.map { Base64URL.encode(Array($0.encoded.utf8)) }
    let place = (keys + [cursor.patient.text, cursor.id]).joined(separator: "/")
    return "\(place)/\(mac(of: place))"
  }

  /// Returns the cursor in a text; nil if its seal is wrong, or of another credential or search.
  package func open(_ text: String) -> RecordCursor? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 3, parts.last == mac(of: parts.dropLast().joined(separator: "/")) else {
      return nil
    }
    var keys: [SearchSortKey] = []
    for part in parts.dropLast(3) {
      guard let bytes = Base64URL.decode(part),
        let text = String(validating: bytes, as: UTF8.self),
        let key = SearchSortKey(encoded: text)
      else { return nil }
      keys.append(key)
    }
    return RecordCursor(
      keys: keys, patient: PatientID(parts[parts.count - 3]), id: parts[parts.count - 2])
  }

  private func mac(of place: String) -> String {
    let code = Fingerprint.code(
      for: Array("\(place)|\(context)".utf8), key: Array("cursor:\(credential)".utf8))
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
