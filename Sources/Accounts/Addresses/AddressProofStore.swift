// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A new row of `address_proofs`.
struct NewAddressProofRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case digest, account, addressSealed, created, expires, codeIndex }

  static let columns = SQLColumns<Column>()

  let digest: [UInt8]
  let account: AccountID
  let addressSealed: [UInt8]
  let created: Timestamp
  let expires: Timestamp
  /// The blind index of the code; nil if a link is sent.
  let codeIndex: [UInt8]?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .digest: .blob(digest)
    case .account: .text(account)
    case .addressSealed: .blob(addressSealed)
    case .created: SQLValue(created)
    case .expires: SQLValue(expires)
    case .codeIndex: SQLValue(codeIndex)
    }
  }
}

/// The statements that change the table `address_proofs`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum AddressProofStore {
  static func insert(_ row: NewAddressProofRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO address_proofs (\(NewAddressProofRow.columns))
    VALUES (\(NewAddressProofRow.placeholders))
    """)

  static func countWrongCode(
    for digest: [UInt8], in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE address_proofs SET tries = tries + 1 WHERE digest = $1", [.blob(digest)])
  }

  static func delete(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM address_proofs WHERE account = $1", [.text(account)])
  }

  static func delete(
    endedBefore instant: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM address_proofs WHERE expires < $1", [SQLValue(instant)])
  }
}
