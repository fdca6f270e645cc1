// SPDX-License-Identifier: Apache-2.0

import Access
import Encodings
import Identifiers
import Storage

/// A sign-in of another device, confirmed on one that is signed in: by a QR code, a number shown on
/// both, and a confirmation.
package struct DeviceSignIn: Sendable, Hashable {
  /// The state of the sign-in.
  package enum State: String, Sendable, CaseIterable {
    case open, claimed, confirmed, declined, used
  }

  /// The lifetime, in milliseconds: five minutes, enough to fetch the other device.
  package static let lifetime = 5 * SessionLimits.minute

  /// The identifier on the first device; it cannot be used to sign in.
  package let id: String
  /// The account to be signed in to.
  package let account: AccountID
  /// The state of the sign-in.
  package let state: State
  /// The other device in two words, such as its browser and system.
  package let device: String
  /// Two digits that both devices show.
  package let number: Int
}

extension AccountStore {
  /// Starts a sign-in on another device, replacing an earlier one, and returns its id; the secret goes into
  /// the QR code.
  package func startDeviceSignIn(
    _ secret: Secret, number: Int, for account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> String {
    try DeviceSignInStore.delete(of: account, in: writer)
    let id = Hexadecimal.encode(secret.digest)
    let sealed = try cipher.seal(secret.text, context: "device_sign_ins:\(id):secret")
    try DeviceSignInStore.insert(
      secret.digest, for: account, secretSealed: sealed, number: number, at: now, in: writer)
    return id
  }

  /// Returns the sign-in as the first device sees it, with the secret for its QR code; nil after it
  /// has expired.
  package func deviceSignIn(
    id: String, of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (sign: DeviceSignIn, secret: Secret)? {
    guard let digest = Hexadecimal.decode(id) else { return nil }
    let row = try reader.first(
      Self.deviceSignInStatement, [.blob(digest), .text(account), SQLValue(now)])
    guard let row else { return nil }
    let sealed = try row.read(DeviceSecretRow.self, after: DeviceSignInRow.self)
      .blob(.secretSealed)
    let text = try cipher.open(sealed, context: "device_sign_ins:\(id):secret")
    return (try row.decode(as: DeviceSignInRow.self).sign, Secret(text: text))
  }

  private static let deviceSignInStatement = SQLStatement(
    """
    SELECT \(DeviceSignInRow.columns), \(DeviceSecretRow.columns) FROM device_sign_ins
    WHERE digest = $1 AND account = $2 AND expires > $3
    """)

  /// Returns true if the QR code that another device read has not been used yet.
  package func isDeviceSignInOpen(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM device_sign_ins WHERE digest = $1 AND state = 'open' AND expires > $2",
      [.blob(secret.digest), SQLValue(now)]) != nil
  }

  /// Records the request of the other device; returns false if another one was first.
  package func claim(
    _ secret: Secret, as claim: Secret, device: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try DeviceSignInStore.claim(
      secret.digest, as: claim.digest, device: device, at: now, in: writer)
  }

  /// Returns the sign-in as the other device sees it; nil after it has expired.
  package func claimed(
    _ claim: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DeviceSignIn? {
    let row = try reader.first(Self.claimedStatement, [.blob(claim.digest), SQLValue(now)])
    return try row?.decode(as: DeviceSignInRow.self).sign
  }

  private static let claimedStatement = SQLStatement(
    """
    SELECT \(DeviceSignInRow.columns) FROM device_sign_ins
    WHERE claim_digest = $1 AND expires > $2
    """)

  /// Records the decision on the first device; returns false if no device waits for it.
  package func decide(
    deviceSignIn id: String, of account: AccountID, isAllowed: Bool, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let digest = Hexadecimal.decode(id) else { return false }
    let isDecided = try DeviceSignInStore.decide(
      digest, of: account, isAllowed ? .confirmed : .declined, at: now, in: writer)
    if isDecided, isAllowed {
      auditFactor("DeviceSignIn", .update, account, at: now, in: writer)
    }
    return isDecided
  }

  /// Opens the session of the confirmed device, once; returns false if it was not confirmed.
  package func openSession(
    _ secret: Secret, by claim: Secret, device: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let sign = try claimed(claim, at: now, in: writer), sign.state == .confirmed else {
      return false
    }
    guard try DeviceSignInStore.use(claim: claim.digest, in: writer) else { return false }
    try startSession(
      secret, for: sign.account, as: SessionStart(proof: .device, device: device), at: now,
      in: writer)
    return true
  }
}

/// The secret of a QR code, read together with ``DeviceSignInRow``.
enum DeviceSecretRow: SQLRowType {
  enum Column: Int, SQLColumn { case secretSealed }

  static let columns = SQLColumns<Column>()
}
