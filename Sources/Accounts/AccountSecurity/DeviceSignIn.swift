// SPDX-License-Identifier: Apache-2.0

import Access
import Encodings
import Identifiers
import Storage

/// One device that is signed in lets one other in: a picture, a number on both, and a yes.
package struct DeviceSignIn: Sendable, Hashable {
  package enum State: String, Sendable, CaseIterable {
    case open, claimed, confirmed, declined, used
  }

  /// Five minutes: as long as it takes to fetch the other device.
  package static let lifetime = 5 * SessionLimits.minute

  /// Names it on the first device; nobody signs in with it.
  package let id: String
  package let account: AccountID
  package let state: State
  /// The other device in two words.
  package let device: String
  /// Two digits that both devices show.
  package let number: Int
}

extension AccountStore {
  /// Begins, and ends what was begun before; the secret goes into the picture.
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

  /// What the first device sees, with the secret for its picture; nil when it is over.
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

  /// Whether the picture that another device read still waits for it.
  package func isDeviceSignInOpen(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM device_sign_ins WHERE digest = $1 AND state = 'open' AND expires > $2",
      [.blob(secret.digest), SQLValue(now)]) != nil
  }

  /// The other device asks to be let in; the first that does gets the place.
  package func claim(
    _ secret: Secret, as claim: Secret, device: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try DeviceSignInStore.claim(
      secret.digest, as: claim.digest, device: device, at: now, in: writer)
  }

  /// What the other device sees; nil when it is over.
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

  /// The first device says yes or no; false where nobody asks.
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

  /// Opens the session of the device that was let in, once.
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

/// The secret of a picture, read together with ``DeviceSignInRow``.
enum DeviceSecretRow: SQLRowType {
  enum Column: Int, SQLColumn { case secretSealed }

  static let columns = SQLColumns<Column>()
}
