// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// Some lines about who looked at a patient's data and who changed them.
package struct AccessLogPart: Sendable {
  /// Newest first.
  package let events: [AuditEvent]
  /// The names of those who acted, by account.
  package let names: [AccountID: String]
  /// Where older lines begin.
  package let next: AuditEvent.Place?

  /// Reads a page; the caller has decided that it may be shown.
  package static func read(
    _ query: AuditQuery, limit: Int, accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> AccessLogPart {
    let found = try AuditHistory.events(query, limit: limit + 1, in: reader)
    let events = Array(found.prefix(limit))
    return AccessLogPart(
      events: events,
      names: try accounts.displayNames(of: Set(events.map(\.entry.actor)), in: reader),
      next: found.count > limit ? events.last?.place : nil)
  }
}

/// The place of a line as it stands in an address.
package enum AccessLogPlace {
  package static func text(_ place: AuditEvent.Place) -> String {
    "\(place.at.milliseconds).\(place.sequence)"
  }

  /// Nil for what is none.
  package static func parse(_ text: String) -> AuditEvent.Place? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let at = Int64(parts[0]), let sequence = Int64(parts[1]) else {
      return nil
    }
    return AuditEvent.Place(at: Timestamp(milliseconds: at), sequence: sequence)
  }
}
