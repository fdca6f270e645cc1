// SPDX-License-Identifier: Apache-2.0

import Adherence
import Storage

/// A part of the server because of which nothing rings, or nothing can be relied on.
struct Outage: Sendable, Hashable {
  let part: String
  var advice: String?
}

extension ServerEnvironment {
  /// The part because of which nothing rings; nil while everything goes round.
  func outage(at now: Timestamp) async -> Outage? {
    let isClockTrusted: Bool
    do {
      try await database.healthCheck()
      isClockTrusted = try await database.read { reader in
        try ReminderEngine.clockIsTrusted(now, in: reader)
      }
    } catch StorageError.corrupt {
      return Outage(
        part: "damaged database", advice: "Restore the last backup: regimen restore.")
    } catch {
      return Outage(part: "database")
    }
    return standstill(at: now).map { Outage(part: $0) }
      ?? (isClockTrusted ? nil : Outage(part: "clock"))
  }
}
