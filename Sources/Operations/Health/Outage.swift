// SPDX-License-Identifier: Apache-2.0

import Reminders
import Storage
import Web

/// A part of the server whose failure stops reminders or makes answers unreliable.
struct Outage: Sendable, Hashable {
  let part: String
  var advice: String?
}

extension ServerEnvironment {
  /// Returns the part whose failure stops reminders, or nil while everything works.
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

  /// Like ``outage(at:)``, but a database that takes longer than a limit counts as not answering.
  func outage(at now: Timestamp, within limit: Duration) async -> Outage? {
    guard let found = await LimitedWait.result(within: limit, of: { await self.outage(at: now) }) else {
      return Outage(part: "database")
    }
    return found
  }
}
