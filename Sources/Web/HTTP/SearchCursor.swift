// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import Identifiers
import Records

/// The place where the next page begins, sealed so that only the same credential can use it.
package struct SearchCursor: Sendable {
  package let credential: SessionID

  package init(credential: SessionID) {
    self.credential = credential
  }

  package func seal(_ cursor: RecordCursor) -> String {
    let place = "\(cursor.patient)/\(cursor.id)"
    return "\(place)/\(mac(of: place))"
  }

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

/// Names and values in the query of a page's address, with the reserved characters that mean nothing there left as they are.
package enum QueryText {
  package static func encode(_ text: String) -> String {
    PercentEncoding.encode(text, keeping: "/:,")
  }

  /// Joins encoded pairs: `a=1&b=2`.
  package static func encode(_ fields: [(String, String)]) -> String {
    FormEncoding.encode(fields, keeping: "/:,")
  }
}
