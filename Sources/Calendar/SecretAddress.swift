// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The rules that the secret addresses of calendars, widgets and stickers share.
enum SecretAddress {
  /// The maximum number of bytes of a secret that is looked up.
  private static let longest = 99
  /// The minimum time between two recorded fetches, in milliseconds.
  private static let noteMilliseconds: Int64 = 15 * 60_000

  /// Returns true if a text can be a secret with this prefix; others are not looked up.
  static func isPossible(_ secret: Secret, prefix: String) -> Bool {
    secret.text.hasPrefix(prefix) && secret.text.utf8.count <= longest
  }

  /// Returns true if a fetch now should be recorded, which happens at most every 15 minutes.
  static func isToNote(fetched: Timestamp?, at now: Timestamp) -> Bool {
    fetched.map { $0.adding(milliseconds: noteMilliseconds) <= now } ?? true
  }

  /// Records in the audit trail that an address was made, changed or ended; its secret is not named.
  static func audit(
    _ kind: AuditEntry.Kind, _ resource: String, of patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: resource,
        resourceID: nil, version: nil, purpose: "care", outcome: .success))
  }
}
