// SPDX-License-Identifier: Apache-2.0

import Access
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
    try writer.execute("DELETE FROM device_sign_ins WHERE account = $1", [.text(account)])
    let id = Hexadecimal.encode(secret.digest)
    let sealed = try cipher.seal(secret.text, context: "device_sign_ins:\(id):secret")
    try writer.execute(
      """
      INSERT INTO device_sign_ins (digest, account, secret_sealed, claim_digest, device, number,
        state, created, expires)
      VALUES ($1, $2, $3, NULL, '', $4, 'open', $5, $6)
      """,
      [
        .blob(secret.digest), .text(account), .blob(sealed), SQLValue(number), SQLValue(now),
        SQLValue(now.adding(milliseconds: DeviceSignIn.lifetime)),
      ])
    return id
  }

  /// What the first device sees, with the secret for its picture; nil when it is over.
  package func deviceSignIn(
    id: String, of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (sign: DeviceSignIn, secret: Secret)? {
    guard let digest = Hexadecimal.decode(id) else { return nil }
    let row = try reader.first(
      """
      SELECT digest, account, state, device, number, secret_sealed FROM device_sign_ins
      WHERE digest = $1 AND account = $2 AND expires > $3
      """, [.blob(digest), .text(account), SQLValue(now)])
    guard let row else { return nil }
    let text = try cipher.open(try row.blob(5), context: "device_sign_ins:\(id):secret")
    return (try Self.deviceSignIn(from: row), Secret(text: text))
  }

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
    try writer.execute(
      """
      UPDATE device_sign_ins SET state = 'claimed', claim_digest = $1, device = $2
      WHERE digest = $3 AND state = 'open' AND expires > $4
      """,
      [.blob(claim.digest), .text(device), .blob(secret.digest), SQLValue(now)]) == 1
  }

  /// What the other device sees; nil when it is over.
  package func claimed(
    _ claim: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> DeviceSignIn? {
    let row = try reader.first(
      """
      SELECT digest, account, state, device, number FROM device_sign_ins
      WHERE claim_digest = $1 AND expires > $2
      """, [.blob(claim.digest), SQLValue(now)])
    return try row.map { row throws(StorageError) in try Self.deviceSignIn(from: row) }
  }

  /// The first device says yes or no; false where nobody asks.
  package func decide(
    deviceSignIn id: String, of account: AccountID, isAllowed: Bool, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let digest = Hexadecimal.decode(id) else { return false }
    let state: DeviceSignIn.State = isAllowed ? .confirmed : .declined
    let decided = try writer.execute(
      """
      UPDATE device_sign_ins SET state = $1
      WHERE digest = $2 AND account = $3 AND state = 'claimed' AND expires > $4
      """, [.text(state.rawValue), .blob(digest), .text(account), SQLValue(now)])
    if decided == 1, isAllowed {
      auditFactor("DeviceSignIn", .update, account, at: now, in: writer)
    }
    return decided == 1
  }

  /// Opens the session of the device that was let in, once.
  package func openSession(
    _ secret: Secret, by claim: Secret, device: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let sign = try claimed(claim, at: now, in: writer), sign.state == .confirmed else {
      return false
    }
    let used = try writer.execute(
      "UPDATE device_sign_ins SET state = 'used' WHERE claim_digest = $1 AND state = 'confirmed'",
      [.blob(claim.digest)])
    guard used == 1 else { return false }
    try startSession(
      secret, for: sign.account, as: SessionStart(proof: .device, device: device), at: now,
      in: writer)
    return true
  }

  private static func deviceSignIn(from row: SQLRow) throws(StorageError) -> DeviceSignIn {
    DeviceSignIn(
      id: Hexadecimal.encode(try row.blob(0)), account: try row.id(1),
      state: DeviceSignIn.State(rawValue: try row.text(2)) ?? .declined,
      device: try row.text(3), number: Int(clamping: try row.integer(4)))
  }
}
