// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Storage

/// Codes that prove a phone number: sent there, and typed on the page.
extension ChannelAddresses {
  /// After so many wrong codes a new one must be sent.
  package static let mostTries = 5
  /// Tests to phone numbers in a day: they cost money, and may ring at somebody else's.
  package static let mostPhoneTests = 6

  /// Six digits, made from the test's delivery by a key outside the database.
  static func code(_ delivery: DeliveryID, cipher: FieldCipher) -> String {
    let bytes = cipher.blindIndex(delivery.text, context: "channel_addresses:code")
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// What is kept of a code: it cannot be tried out without the key.
  static func typed(_ code: String, at address: String, cipher: FieldCipher) -> [UInt8] {
    cipher.blindIndex("\(address):\(code)", context: "channel_addresses:typed")
  }

  /// What came of a code that was typed.
  package enum CodeOutcome: Sendable, Hashable {
    case proven, wrong
    /// A new one must be sent.
    case over
    /// The account has no such address.
    case unknown
  }

  /// Takes a code for an address; right, reminders go there from now on.
  package static func prove(
    _ id: String, account: AccountID, code: String, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> CodeOutcome {
    let row = try writer.first(
      """
      SELECT proof_hash, proof_expires, proof_tries FROM channel_addresses
      WHERE address = $1 AND account = $2 AND gone IS NULL AND channel IN ('sms', 'call')
      """, [.text(id), .text(account)])
    guard let row else { return .unknown }
    guard let hash = try row.optionalBlob(0), let expires = try row.optionalTimestamp(1),
      expires > context.now, try row.optionalInteger(2) ?? 0 < Int64(mostTries)
    else { return .over }
    guard hash == typed(code, at: id, cipher: context.accounts.cipher) else {
      try writer.execute(
        "UPDATE channel_addresses SET proof_tries = proof_tries + 1 WHERE address = $1",
        [.text(id)])
      return .wrong
    }
    try writer.execute(
      "UPDATE channel_addresses SET proof_hash = NULL WHERE address = $1", [.text(id)])
    try confirm(id, at: context.now, in: writer)
    return .proven
  }

  /// Whether the account may send one more test to a phone number today; `patient` is its own.
  package static func mayTestPhone(
    account: AccountID, patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let row = try reader.first(
      """
      SELECT COUNT(*) FROM deliveries d
      JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
      WHERE d.patient = $1 AND d.due > $2 AND d.recipient = $3 AND d.channel IN ('sms', 'call')
        AND r.kind = 'test'
      """,
      [.text(patient), SQLValue(now.adding(milliseconds: -24 * 3_600_000)), .text(account)])
    return try row?.integer(0) ?? 0 < Int64(mostPhoneTests)
  }
}
