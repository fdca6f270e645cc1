// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Storage

/// A connection that this process fetches from, until its lease ends.
package struct ClaimedSync: Sendable {
  package let connection: HospitalConnection
  let credentials: HospitalCredentials?
  /// Whether somebody asked for it: the server is then asked who it is, too.
  let isForced: Bool
  /// Fences what is written at the end.
  let attempt: Int64
  /// How whoever connected it is called; nil where that account may not act for the person any more.
  let byName: String?

  /// Long enough for every page of a slow server.
  static let leaseMilliseconds: Int64 = 15 * 60_000

  /// Leases the connections whose time has come.
  package static func claim(
    limit: Int, accounts: AccountStore, now: Timestamp, in writer: any SQLWriter
  ) throws -> [ClaimedSync] {
    let rows = try writer.query(
      """
      SELECT connection, patient, account, base, label, version, access, identity, types, person,
        state, trouble, accepts, writes_since, created, synced, tried, next_at, failures, identified,
        credentials_sealed, forced, attempt
      FROM hospital_connections WHERE state = 'working' AND next_at <= $1
      ORDER BY next_at LIMIT $2 /*postgresql FOR UPDATE SKIP LOCKED */
      """, [SQLValue(now), SQLValue(limit)])
    let lease = now.adding(milliseconds: leaseMilliseconds)
    var claimed: [ClaimedSync] = []
    for row in rows {
      let connection = try HospitalConnection(row)
      let attempt = try row.integer(22) + 1
      try writer.execute(
        """
        UPDATE hospital_connections SET next_at = $1, attempt = $2, tried = $3
        WHERE patient = $4 AND connection = $5
        """,
        [
          SQLValue(lease), .integer(attempt), SQLValue(now), .text(connection.patient),
          .text(connection.id),
        ])
      claimed.append(
        ClaimedSync(
          connection: connection,
          credentials: try row.optionalBlob(20).flatMap { sealed in
            HospitalCredentials(
              kept: try accounts.cipher.open(
                sealed, context: HospitalCredentials.context(connection.id)))
          }, isForced: try row.optionalInteger(21) == 1, attempt: attempt,
          byName: try name(connection, accounts: accounts, now: now, in: writer)))
    }
    return claimed
  }

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

/// What a fetch has brought, once it is taken over; or why it has not.
struct SyncOutcome: Sendable {
  var trouble: HospitalTrouble?
  /// What the trouble says of when to come again.
  var credentials: HospitalCredentials?
  var marks: [String: HospitalMark] = [:]
  var identified: Timestamp?
  var types: Set<String>?

  /// Ends a fetch with a trouble; what was read is then fetched again.
  mutating func fail(_ trouble: HospitalTrouble) {
    self.trouble = trouble
    marks = [:]
  }
}

extension ClaimedSync {
  /// Milliseconds between two fetches while all is well.
  package static let interval: Int64 = 15 * 60_000
  private static let longestPause: Int64 = 24 * 3_600_000

  /// When to come again.
  static func next(after trouble: HospitalTrouble?, failures: Int, now: Timestamp) -> Timestamp {
    guard let trouble else { return now.adding(milliseconds: interval) }
    // 1, 2, 4 … minutes, an hour at most.
    let pause = min(Int64(60_000) << Int64(min(max(failures - 1, 0), 6)), 3_600_000)
    if case .busy(let seconds?) = trouble {
      let asked = Int64(min(max(seconds, 1), 86_400)) * 1_000
      return now.adding(milliseconds: min(asked, longestPause))
    }
    return now.adding(milliseconds: pause)
  }

  /// The state that a trouble leads to.
  static func state(after trouble: HospitalTrouble?) -> HospitalConnection.State {
    switch trouble {
    case .expired?, .audience?, .signIn?: .expired
    case .forbidden?, .noRight?: .revoked
    case .identity?: .refused
    default: .working
    }
  }

  /// Writes down what became of it, unless another process has meanwhile taken over.
  ///
  /// Marks move on only here, after all that came before them was taken over: a crash fetches it again.
  func finish(
    _ outcome: SyncOutcome, cipher: FieldCipher, now: Timestamp, in writer: any SQLWriter
  ) throws {
    let failures = outcome.trouble == nil ? 0 : connection.failures + 1
    let count = try writer.execute(
      """
      UPDATE hospital_connections SET trouble = $1, failures = $2, next_at = $3, forced = NULL,
        synced = COALESCE($4, synced), identified = COALESCE($5, identified), state = $6,
        types = COALESCE($7, types)
      WHERE patient = $8 AND connection = $9 AND attempt = $10
      """,
      [
        SQLValue(outcome.trouble?.code), SQLValue(failures),
        SQLValue(Self.next(after: outcome.trouble, failures: failures, now: now)),
        outcome.trouble == nil ? SQLValue(now) : .null, SQLValue(outcome.identified),
        .text(Self.state(after: outcome.trouble).rawValue),
        SQLValue(outcome.types?.sorted().joined(separator: " ")), .text(connection.patient),
        .text(connection.id), .integer(attempt),
      ])
    guard count == 1 else { return }
    for (type, mark) in outcome.marks {
      try writer.execute(
        """
        INSERT INTO hospital_marks (patient, connection, type, since, tag, address)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (patient, connection, type) DO UPDATE
        SET since = excluded.since, tag = excluded.tag, address = excluded.address
        """,
        [
          .text(connection.patient), .text(connection.id), .text(type), SQLValue(mark.since),
          SQLValue(mark.tag), SQLValue(mark.address),
        ])
    }
    // Pages that are open show it.
    writer.announce([connection.patient])
  }
}
