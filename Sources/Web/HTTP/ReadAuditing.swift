// SPDX-License-Identifier: Apache-2.0

import Access
import Records
import Storage

extension ServerEnvironment {
  /// Notes a read; an actor's first look at a patient is written before the answer goes out.
  package func audit(_ authorization: Authorization, count: Int, at now: Timestamp) async throws {
    try await readAudit.note(authorization, count: count, at: now, in: database)
  }
}
