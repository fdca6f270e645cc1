// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Storage

/// A connection that this process fetches from until its lease expires.
package struct ClaimedSync: Sendable {
  /// The connection as it was when the lease began.
  package let connection: HospitalConnection
  let credentials: HospitalCredentials?
  /// True if someone requested it; the server's identity is then checked too.
  let isForced: Bool
  /// The number of the attempt, which protects the final write against later attempts.
  let attempt: Int64
  /// The name of the person who made the connection; nil if that account may no longer act for the patient.
  let byName: String?

  /// The lease in milliseconds: long enough for every page of a slow server.
  ///
  /// No planned fetch is as far away, so that a lease can be told from one.
  static let leaseMilliseconds: Int64 = 15 * 60_000 + 30_000

  /// Leases the connections whose fetch is due, those that have waited longest first.
  package static func claim(
    limit: Int, accounts: AccountStore, now: Timestamp, in writer: any SQLWriter
  ) throws -> [ClaimedSync] {
    let rows = try writer.query(due, [SQLValue(now), SQLValue(limit)])
    let lease = now.adding(milliseconds: leaseMilliseconds)
    var claimed: [ClaimedSync] = []
    for row in rows {
      let connection = try HospitalConnection(row.read(HospitalConnectionRow.self))
      let claim = row.read(SyncClaimRow.self, after: HospitalConnectionRow.self)
      let attempt = try claim.integer(.attempt) + 1
      try HospitalConnectionStore.lease(
        connection, until: lease, attempt: attempt, at: now, in: writer)
      claimed.append(
        ClaimedSync(
          connection: connection,
          credentials: try claim.optionalBlob(.credentialsSealed).flatMap { sealed in
            HospitalCredentials(
              kept: try accounts.cipher.open(
                sealed, context: HospitalCredentials.context(connection.id)))
          }, isForced: try claim.optionalBool(.forced) == true, attempt: attempt,
          byName: try name(connection, accounts: accounts, now: now, in: writer)))
    }
    return claimed
  }

  private static let due = SQLStatement(
    """
    SELECT \(HospitalConnectionRow.columns), \(SyncClaimRow.columns)
    FROM hospital_connections WHERE state = 'working' AND next_at <= $1
    ORDER BY next_at LIMIT $2 /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  private static func name(
    _ connection: HospitalConnection, accounts: AccountStore, now: Timestamp,
    in reader: any SQLReader
  ) throws -> String? {
    guard let account = try accounts.account(connection.account, in: reader),
      let right = try accounts.rights(of: account.id, at: now, in: reader)[connection.patient],
      right.relationship.actsForPatient
    else { return nil }
    return account.displayName
  }
}

/// The columns of a connection that only fetching needs.
enum SyncClaimRow: SQLRowType {
  enum Column: Int, SQLColumn { case credentialsSealed, forced, attempt }

  static let columns = SQLColumns<Column>()
}

/// The result of a fetch after it was imported, or the reason for its failure.
struct SyncOutcome: Sendable {
  var trouble: HospitalTrouble?
  /// The refreshed credentials; nil if there are none.
  var credentials: HospitalCredentials?
  var marks: [String: HospitalMark] = [:]
  var identified: Timestamp?
  var types: Set<String>?
  /// The types whose deletions the server lists; nil if it was not asked.
  var histories: Set<String>?
  /// The state of the comparison before and after the fetch; nil if it did not get that far.
  var comparison: (before: HospitalComparison, after: HospitalComparison)?

  /// Ends a fetch with an error; everything is then fetched again.
  mutating func fail(_ trouble: HospitalTrouble) {
    self.trouble = trouble
    marks = [:]
    comparison = nil
  }
}

extension ClaimedSync {
  /// The time between two fetches while everything works, in milliseconds.
  package static let interval: Int64 = 15 * 60_000
  private static let longestPause: Int64 = 24 * 3_600_000

  /// Returns the time of the next fetch.
  static func next(after trouble: HospitalTrouble?, failures: Int, now: Timestamp) -> Timestamp {
    guard let trouble else { return now.adding(milliseconds: interval) }
    // 1, 2, 4 … minutes, at most an hour.
    let pause = min(Int64(60_000) << Int64(min(max(failures - 1, 0), 6)), 3_600_000)
    if case .busy(let seconds?) = trouble {
      let asked = Int64(min(max(seconds, 1), 86_400)) * 1_000
      return now.adding(milliseconds: min(asked, longestPause))
    }
    return now.adding(milliseconds: pause)
  }

  /// Returns the state after an error.
  static func state(after trouble: HospitalTrouble?) -> HospitalConnection.State {
    switch trouble {
    case .expired?, .audience?, .signIn?: .expired
    case .forbidden?, .noRight?: .revoked
    case .identity?: .refused
    default: .working
    }
  }

  /// Records the result, unless another process has meanwhile taken over.
  ///
  /// Marks advance only here, after everything before them was imported, so that a crash leads to another
  /// fetch.
  func finish(
    _ outcome: SyncOutcome, cipher: FieldCipher, now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard try HospitalConnectionStore.finish(self, outcome, at: now, in: writer) else { return }
    for (type, mark) in outcome.marks {
      try HospitalMarkStore.put(
        HospitalMarkRow(
          patient: connection.patient, connection: connection.id, type: type, mark: mark),
        in: writer)
    }
    if let (before, after) = outcome.comparison {
      try HospitalComparisonStore.finish(after, from: before, of: connection, in: writer)
    }
    // Open pages show it.
    writer.announce([connection.patient])
  }
}
