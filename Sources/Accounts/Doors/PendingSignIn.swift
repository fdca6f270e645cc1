// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A sign-in whose password was right and whose second step is still to come.
package struct PendingSignIn: Sendable, Hashable {
  /// Milliseconds in which the second step must be done.
  package static let lifetime: Int64 = 10 * 60_000

  package let account: Account
  package let kind: SessionKind
  package let secondFactor: SecondFactorState
}

extension AccountStore {
  /// Keeps what was shown so far, for ten minutes.
  func startPending(
    _ secret: Secret, for account: AccountID, kind: SessionKind, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM pending_sign_ins WHERE expires <= $1", [SQLValue(now)])
    try writer.execute(
      """
      INSERT INTO pending_sign_ins (digest, account, kind, created, expires)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .blob(secret.digest), .text(account), .text(kind.rawValue), SQLValue(now),
        SQLValue(now.adding(milliseconds: PendingSignIn.lifetime)),
      ])
  }

  /// The sign-in that a secret stands for; nil when it is unknown or took too long.
  package func pending(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> PendingSignIn? {
    let row = try reader.first(
      "SELECT account, kind FROM pending_sign_ins WHERE digest = $1 AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    guard let row, let account = try account(try row.id(0), in: reader) else { return nil }
    return PendingSignIn(
      account: account, kind: SessionKind(rawValue: try row.text(1)) ?? .passing,
      secondFactor: try secondFactor(of: account.id, in: reader))
  }

  /// Ends a sign-in, done or given up.
  func endPending(_ secret: Secret, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM pending_sign_ins WHERE digest = $1", [.blob(secret.digest)])
  }
}
