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
  ///
  /// A database that does not answer within a few seconds counts as failing, see ``DatabaseCheck``.
  func outage(at now: Timestamp) async -> Outage? {
    let database = database
    let finding = await features[DatabaseCheck.self].finding { await Self.ask(database, at: now) }
    switch finding {
    case .damaged:
      return Outage(
        part: "damaged database", advice: "Restore the last backup: regimen restore.")
    case .failing:
      return Outage(part: "database")
    case .silent:
      return Outage(
        part: "database",
        advice: """
          It gave no answer within \(DatabaseCheck.secondsOfPatience) seconds: check whether \
          \(database.isShared ? "PostgreSQL or its disk" : "the disk") has stalled.
          """)
    case .working(let isClockTrusted):
      return standstill(at: now).map { Outage(part: $0) }
        ?? (isClockTrusted ? nil : Outage(part: "clock"))
    }
  }

  /// Asks a database for a read and a write; it may take any time.
  private static func ask(_ database: Database, at now: Timestamp) async -> DatabaseCheck.Finding {
    do {
      try await database.healthCheck()
      let isClockTrusted = try await database.read { reader in
        try ReminderEngine.clockIsTrusted(now, in: reader)
      }
      return .working(isClockTrusted: isClockTrusted)
    } catch StorageError.corrupt {
      return .damaged
    } catch {
      return .failing
    }
  }
}
