// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A sign-in with the right password that still needs its second step.
package struct PendingSignIn: Sendable, Hashable {
  /// The time for the second step, in milliseconds.
  package static let lifetime: Int64 = 10 * 60_000

  /// The account whose password was right.
  package let account: Account
  /// The kind of device on which the session will be opened.
  package let kind: SessionKind
  /// The second factors of the account.
  package let secondFactor: SecondFactorState
}

extension AccountStore {
  /// Stores the first step of a sign-in for ten minutes.
  func startPending(
    _ secret: Secret, for account: AccountID, kind: SessionKind, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try PendingSignInStore.delete(expiredAt: now, in: writer)
    try PendingSignInStore.insert(
      secret.digest, for: account, kind: kind, at: now,
      expires: now.adding(milliseconds: PendingSignIn.lifetime), in: writer)
  }

  /// Returns the sign-in of a secret; nil if it is unknown or has expired.
  package func pending(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> PendingSignIn? {
    let row = try reader.first(Self.pendingStatement, [.blob(secret.digest), SQLValue(now)])
    guard let pending = row?.read(PendingSignInRow.self),
      let account = try account(pending.id(.account), in: reader)
    else { return nil }
    return PendingSignIn(
      account: account, kind: SessionKind(rawValue: try pending.text(.kind)) ?? .passing,
      secondFactor: try secondFactor(of: account.id, in: reader))
  }

  private static let pendingStatement = SQLStatement(
    """
    SELECT \(PendingSignInRow.columns) FROM pending_sign_ins WHERE digest = $1 AND expires > $2
    """)

  /// Ends a sign-in that is complete or was abandoned.
  func endPending(_ secret: Secret, in writer: any SQLWriter) throws(StorageError) {
    try PendingSignInStore.delete(secret.digest, in: writer)
  }
}

enum PendingSignInRow: SQLRowType {
  enum Column: Int, SQLColumn { case account, kind }

  static let columns = SQLColumns<Column>()
}
