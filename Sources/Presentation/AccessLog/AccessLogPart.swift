// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// A page of the access log: who viewed a patient's data and who changed them.
package struct AccessLogPart: Sendable {
  /// The lines, newest first.
  package let events: [AuditEvent]
  /// The names of the people who acted, by account.
  package let names: [AccountID: String]
  /// The names of the apps that acted for them, by client id.
  package let apps: [AppID: String]
  /// The last line shown if there are older ones; nil on the last page.
  package let next: AuditEvent.Place?

  /// Reads a page of at most `limit` lines; the caller has checked that it may be shown.
  package static func read(
    _ query: AuditQuery, limit: Int, accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> AccessLogPart {
    let found = try AuditHistory.events(query, limit: limit + 1, in: reader)
    let events = Array(found.prefix(limit))
    return AccessLogPart(
      events: events,
      names: try accounts.displayNames(of: Set(events.map(\.entry.actor)), in: reader),
      apps: try accounts.appNames(of: Set(events.compactMap(\.entry.app)), in: reader),
      next: found.count > limit ? events.last?.place : nil)
  }
}

/// The encoding of a line's place in an address.
package enum AccessLogPlace {
  /// Returns the milliseconds and the sequence number of a place, joined by a full stop.
  package static func text(_ place: AuditEvent.Place) -> String {
    "\(place.at.milliseconds).\(place.sequence)"
  }

  /// Returns the place that a text encodes; nil if it is malformed.
  package static func parse(_ text: String) -> AuditEvent.Place? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let at = Int64(parts[0]), let sequence = Int64(parts[1]) else {
      return nil
    }
    return AuditEvent.Place(at: Timestamp(milliseconds: at), sequence: sequence)
  }
}
