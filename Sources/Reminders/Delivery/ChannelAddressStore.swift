// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A new row of `channel_addresses`.
struct NewChannelAddressRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case address, account, channel, form, host, settingsSealed, created
  }

  static let columns = SQLColumns<Column>()

  let address: String
  let account: AccountID
  let form: ChannelForm
  let host: String
  let settingsSealed: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .address: .text(address)
    case .account: .text(account)
    case .channel: .text(form.channel.rawValue)
    case .form: .text(form.rawValue)
    case .host: .text(host)
    case .settingsSealed: .blob(settingsSealed)
    case .created: SQLValue(created)
    }
  }
}

/// The columns of a ``ChannelAddress``.
enum ChannelAddressRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case address, account, channel, form, host, created, confirmed
  }

  static let columns = SQLColumns<Column>()
}

extension ChannelAddress {
  init(_ row: ColumnReader<ChannelAddressRow.Column>) throws(StorageError) {
    id = try row.text(.address)
    account = try row.id(.account)
    channel = try row.named(.channel)
    form = try row.named(.form)
    host = try row.text(.host)
    created = try row.timestamp(.created)
    confirmed = try row.optionalTimestamp(.confirmed)
  }
}

/// The pending confirmation of an address, in `channel_addresses`.
struct ChannelProofRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case proofHash, proofExpires, proofTries
  }

  static let columns = SQLColumns<Column>()

  /// The hash; nil if no test was sent or its code was used.
  let hash: [UInt8]?
  let expires: Timestamp?
  let tries: Int64

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    hash = try columns.optionalBlob(.proofHash)
    expires = try columns.optionalTimestamp(.proofExpires)
    tries = try columns.optionalInteger(.proofTries) ?? 0
  }
}

/// The address that a test link belongs to.
struct TestedAddressRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case account, address
  }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let address: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    account = try columns.id(.account)
    address = try columns.text(.address)
  }
}

/// The table `channel_addresses`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum ChannelAddressStore {
  static func insert(_ row: NewChannelAddressRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO channel_addresses (\(NewChannelAddressRow.columns))
    VALUES (\(NewChannelAddressRow.placeholders))
    """)

  /// Deletes the secret part of an address and keeps its row; returns false if the account has none of that
  /// id.
  static func remove(
    _ address: String, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE channel_addresses SET gone = $1, settings_sealed = $2, proof_hash = NULL
      WHERE address = $3 AND account = $4 AND gone IS NULL
      """, [SQLValue(now), .blob([]), .text(address), .text(account)]) > 0
  }

  // MARK: Confirmations

  /// Stores the hash of the code that confirms the next test.
  static func expect(
    proof hash: [UInt8], until expires: Timestamp, of address: String, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE channel_addresses SET proof_hash = $1, proof_expires = $2, proof_tries = 0
      WHERE address = $3
      """, [.blob(hash), SQLValue(expires), .text(address)])
  }

  static func countWrongCode(of address: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE channel_addresses SET proof_tries = proof_tries + 1 WHERE address = $1",
      [.text(address)])
  }

  static func forgetProof(of address: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE channel_addresses SET proof_hash = NULL WHERE address = $1", [.text(address)])
  }

  /// Sends nothing to an address until it is confirmed again.
  static func pause(_ address: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE channel_addresses SET confirmed = NULL WHERE address = $1", [.text(address)])
  }

  static func confirm(
    _ address: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE channel_addresses SET confirmed = $1 WHERE address = $2 AND gone IS NULL",
      [SQLValue(now), .text(address)])
  }
}
