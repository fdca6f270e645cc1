// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Storage

/// Codes that confirm a phone number: sent to it, and typed on the page.
extension ChannelAddresses {
  /// The number of wrong codes after which a new one must be sent.
  package static let mostTries = 5
  /// The maximum number of tests to phone numbers in 24 hours: they cost money and can reach a wrong number.
  package static let mostPhoneTests = 6

  /// Returns a code of six digits, derived from the test's delivery with a key outside the database.
  static func code(_ delivery: DeliveryID, cipher: FieldCipher) -> String {
    let bytes = cipher.blindIndex(delivery.text, context: "channel_addresses:code")
    let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
    let digits = String(number)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Returns the stored form of a code, which cannot be guessed without the key.
  static func typed(_ code: String, at address: String, cipher: FieldCipher) -> [UInt8] {
    cipher.blindIndex("\(address):\(code)", context: "channel_addresses:typed")
  }

  /// The result of checking a typed code.
  package enum CodeOutcome: Sendable, Hashable {
    case proven, wrong
    /// The code has expired or too many were tried: a new one must be sent.
    case over
    /// The account has no such address.
    case unknown
  }

  /// Checks the code typed for a phone number; if it is right, reminders go there from now on.
  package static func prove(
    _ id: String, account: AccountID, code: String, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> CodeOutcome {
    let row = try writer.first(proofStatement, [.text(id), .text(account)])?
      .decode(as: ChannelProofRow.self)
    guard let row else { return .unknown }
    guard let hash = row.hash, let expires = row.expires, expires > context.now,
      row.tries < Int64(mostTries)
    else { return .over }
    guard hash == typed(code, at: id, cipher: context.accounts.cipher) else {
      try ChannelAddressStore.countWrongCode(of: id, in: writer)
      return .wrong
    }
    try ChannelAddressStore.forgetProof(of: id, in: writer)
    try confirm(id, at: context.now, in: writer)
    return .proven
  }

  private static let proofStatement = SQLStatement(
    """
    SELECT \(ChannelProofRow.columns) FROM channel_addresses
    WHERE address = $1 AND account = $2 AND gone IS NULL AND channel IN ('sms', 'call')
    """)

  /// Returns true if the account can send one more test to a phone number now; `patient` is its
  /// own.
  package static func mayTestPhone(
    account: AccountID, patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let count = try reader.first(
      """
      SELECT COUNT(*) FROM deliveries d
      JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
      WHERE d.patient = $1 AND d.due > $2 AND d.recipient = $3 AND d.channel IN ('sms', 'call')
        AND r.kind = 'test'
      """,
      [.text(patient), SQLValue(now.adding(milliseconds: -24 * 3_600_000)), .text(account)]
    )?.value(as: Int.self)
    return count ?? 0 < mostPhoneTests
  }
}
