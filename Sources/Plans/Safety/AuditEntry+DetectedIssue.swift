// SPDX-License-Identifier: Apache-2.0

import Access
import Storage

extension AuditEntry {
  /// Returns an entry for a change in confirmations, notes or ingredient limits.
  package static func detectedIssue(
    _ kind: Kind, _ id: String?, _ right: Authorization, at now: Timestamp
  ) -> AuditEntry {
    AuditEntry(
      at: now, actor: right.actor.accountID, kind: kind, patient: right.patient,
      resource: "DetectedIssue", resourceID: id, purpose: right.purpose.rawValue)
  }
}
