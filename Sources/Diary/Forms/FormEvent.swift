// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Foundation
import Identifiers

/// The event of a form: sent twice, by a page and by the queue of a device, it stores its content once.
package struct FormEvent: Sendable, Hashable {
  /// The UUID in lower case, so that two spellings of one are one event.
  private let uuid: String
  /// True if another content under the same event is stored as well, as for a page that someone went back to; false
  /// if it is refused.
  let isRenewable: Bool

  /// Creates an event; nil for a text that is not a UUID.
  package init?(_ text: String, isRenewable: Bool = false) {
    guard let uuid = UUID(uuidString: text) else { return nil }
    self.uuid = uuid.uuidString.lowercased()
    self.isRenewable = isRenewable
  }

  /// Returns the id of the resource that the form creates.
  ///
  /// It depends on the patient, so that nobody can reach by an event what belongs to someone else. Because the id is
  /// never used again, even after a deletion, no further record of events is needed.
  func id(for patient: PatientID) -> String {
    let digest = Fingerprint.digest(of: Array("form:\(patient.text):\(uuid)".utf8))
    let digits = Array(Hexadecimal.encode(Array(digest.prefix(16))))
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return parts.map { String(digits[$0]) }.joined(separator: "-")
  }
}
