// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A row of `emergency_cards` as a card is printed again.
enum EmergencyCardRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case card, created, expires, secretSealed, codeSealed, showsCode, refused, refusedLast
  }

  static let columns = SQLColumns<Column>()
}

/// The card that a link names, with its patient and the account that made it.
enum NamedCardRow: SQLRowType {
  enum Column: Int, SQLColumn { case card, patient, account }

  static let columns = SQLColumns<Column>(of: "e")
}

/// A row of `emergency_cards` as it is first written.
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
