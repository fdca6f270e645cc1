// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The columns of `emergency_cards` for printing a card again.
enum EmergencyCardRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case card, created, expires, secretSealed, codeSealed, showsCode, refused, refusedLast
  }

  static let columns = SQLColumns<Column>()
}

/// The card of a link, with its patient and the account that created it.
enum NamedCardRow: SQLRowType {
  enum Column: Int, SQLColumn { case card, patient, account }

  static let columns = SQLColumns<Column>(of: "e")
}

/// A new row of `emergency_cards`.
struct NewEmergencyCardRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, card, secretHash, secretSealed, codeSealed, showsCode, account, created
    case expires
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let card: String
  let secretHash: [UInt8]
  let secretSealed: [UInt8]
  let codeSealed: [UInt8]
  let showsCode: Bool
  let account: AccountID
  let created: Timestamp
  let expires: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .card: .text(card)
    case .secretHash: .blob(secretHash)
    case .secretSealed: .blob(secretSealed)
    case .codeSealed: .blob(codeSealed)
    case .showsCode: SQLValue(showsCode)
    case .account: .text(account)
    case .created: SQLValue(created)
    case .expires: SQLValue(expires)
    }
  }
}
