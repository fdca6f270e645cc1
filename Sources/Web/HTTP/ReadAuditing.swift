// SPDX-License-Identifier: Apache-2.0

import Access
import Records
import Storage

extension ServerEnvironment {
  /// Audits a read; an actor's first access to a patient is recorded before the answer is sent.
  package func audit(_ authorization: Authorization, count: Int, at now: Timestamp) async throws {
    try await readAudit.note(authorization, count: count, at: now, in: database)
  }
}
