// SPDX-License-Identifier: Apache-2.0

import Access
import Records
import Storage

extension ServerEnvironment {
  /// Records a read in the audit trail; an actor's first access to a patient is written before the
  /// answer goes out.
  package func audit(_ authorization: Authorization, count: Int, at now: Timestamp) async throws {
    try await readAudit.note(authorization, count: count, at: now, in: database)
  }
}
