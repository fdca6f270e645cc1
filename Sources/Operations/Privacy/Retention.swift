// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import HomeDevices
import Plans
import Reminders
import Storage
import Web

/// The number of days after which rows are removed.
///
/// Some limits are not set here. First answers to writes with an Idempotency-Key (30 days) and
/// uploaded files (one day) are removed every few seconds. Events of devices in the home are removed
/// after ``HomeDeviceRetention/days`` days. The audit trail is never removed,
/// because its chain would break.
package struct Retention: Sendable, Hashable {
  /// The days for which the history of a reminder is kept: its alerts, deliveries and displays.
  package var reminderDays = 400
  /// The days for which an ended session, token or invitation is kept.
  package var credentialDays = 30
  /// The days for which messages of conversations are kept; nil for as long as the patient has an
  /// entry here.
  package var chatDays: Int?

  /// The days that the operator may choose; fewer would remove data that the status page and the
  /// API show.
  package static let allowedDays = 30...36_500

  /// Creates the standard rule.
  package init() {}
}

extension ServerSettings {
  /// The number of days that old rows are kept.
  package var retention: Retention {
    get { features[ifSet: Retention.self] ?? Retention() }
    set { features[ifSet: Retention.self] = newValue }
  }
}

/// Removes rows that have passed their retention period.
struct RetentionSweep: Sendable {
  private static let day: Int64 = 24 * 3_600_000
  /// The rows per transaction: few, so that answers never wait behind a long sweep.
  private static let limit = 500

  let environment: ServerEnvironment

  /// The number of removed rows.
  struct Result: Sendable, Hashable {
    var reminders = 0
    var deliveries = 0
    var drafts = 0
    var credentials = 0
    var messages = 0
  }

  func perform() async throws -> Result {
    let retention = environment.settings.retention
    let now = environment.now()
    func instant(daysAgo days: Int) -> Timestamp {
      now.adding(milliseconds: -Int64(days) * Self.day)
    }
    var result = Result()
    let reminders = instant(daysAgo: retention.reminderDays)
    while true {
      let gone = try await environment.database.write { writer in
        try ReminderRetention.forget(before: reminders, limit: Self.limit, in: writer)
      }
      result.reminders += gone.reminders
      result.deliveries += gone.deliveries
      guard max(gone.reminders, gone.deliveries) >= Self.limit, !Task.isCancelled else { break }
    }
    while true {
      let gone = try await environment.database.write { writer in
        try MessageEngine.forgetOld(before: reminders, limit: Self.limit, in: writer)
      }
      guard gone >= Self.limit, !Task.isCancelled else { break }
    }
    while true {
      let gone = try await environment.database.write { writer in
        try HomeDeviceRetention.forget(at: now, limit: Self.limit, in: writer)
      }
      guard gone >= Self.limit, !Task.isCancelled else { break }
    }
    let drafts = instant(daysAgo: MedicineDrafts.days)
    while true {
      let gone = try await environment.database.write { writer in
        try MedicineDrafts.forget(before: drafts, limit: Self.limit, in: writer)
      }
      result.drafts += gone
      guard gone >= Self.limit, !Task.isCancelled else { break }
    }
    let (accounts, credentials) = (
      environment.accounts, instant(daysAgo: retention.credentialDays)
    )
    result.credentials = try await environment.database.write { writer in
      // The row of a token determines which devices end with it.
      _ = try PushSubscriptions.removeOfExpiredTokens(at: now, in: writer)
      return try accounts.forgetCredentials(endedBefore: credentials, at: now, in: writer)
    }
    if let days = retention.chatDays {
      result.messages = try await messages(instant(daysAgo: days))
    }
    return result
  }

  private func messages(_ before: Timestamp) async throws -> Int {
    var count = 0
    while true {
      let gone = try await environment.database.write { writer in
        try ChatRetention.forget(before: before, limit: Self.limit, in: writer)
      }
      count += gone
      guard gone >= Self.limit, !Task.isCancelled else { return count }
    }
  }
}
