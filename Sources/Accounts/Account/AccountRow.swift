// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Localization
import Storage

/// The columns of `accounts` for an ``Account``; its address is still encrypted.
struct AccountRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case account, emailSealed, displayName, patient, administrator, language
  }

  static let columns = SQLColumns<Column>(of: "a")

  let account: AccountID
  let emailSealed: [UInt8]
  let displayName: String
  let patient: PatientID
  let isAdministrator: Bool
  let language: Language?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    account = try columns.id(.account)
    emailSealed = try columns.blob(.emailSealed)
    displayName = try columns.text(.displayName)
    patient = try columns.id(.patient)
    isAdministrator = try columns.bool(.administrator)
    language = try columns.optionalText(.language).flatMap(Language.init(rawValue:))
  }
}

/// An account's encrypted address.
struct SealedAddressRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case account, emailSealed }

  static let columns = SQLColumns<Column>()

  let account: AccountID
  let emailSealed: [UInt8]

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    account = try columns.id(.account)
    emailSealed = try columns.blob(.emailSealed)
  }
}

/// A new row of `accounts`.
struct NewAccountRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case account, emailSealed, emailIndex, displayName, patient, passwordHash, administrator
    case language, created, changed, byPhone
  }

  static let columns = SQLColumns<Column>()

  let account: Account
  let emailSealed: [UInt8]
  let emailIndex: [UInt8]
  let isByPhone: Bool
  let passwordHash: PasswordHash?
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .account: .text(account.id)
    case .emailSealed: .blob(emailSealed)
    case .emailIndex: .blob(emailIndex)
    case .displayName: .text(account.displayName)
    case .patient: .text(account.patient)
    case .passwordHash: SQLValue(passwordHash?.stored)
    case .administrator: SQLValue(account.isAdministrator)
    case .language: SQLValue(account.language?.rawValue)
    case .created, .changed: SQLValue(created)
    case .byPhone: SQLValue(isByPhone)
    }
  }
}
