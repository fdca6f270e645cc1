// SPDX-License-Identifier: Apache-2.0
import GRDB
import GRDBSQLite

extension StorageError {
  /// Converts a SQLite result code; messages of SQLite contain names of tables and columns, not values.
  init(sqliteCode code: Int32, message: String) {
    switch code & 0xFF {
    case SQLITE_FULL: self = .diskFull
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(code: code)
    case SQLITE_IOERR: self = .inputOutput(code: code)
    case SQLITE_CONSTRAINT: self = .constraint(Self.constraint(of: code), message)
    default: self = .statement(code: code, message: message)
    }
  }

  init(_ error: any Error) {
    switch error {
    case let error as StorageError:
      self = error
    case let error as DatabaseError:
      self.init(
        sqliteCode: error.extendedResultCode.rawValue, message: error.message ?? "no message")
    default:
      self = .statement(code: SQLITE_ERROR, message: "\(type(of: error))")
    }
  }

  private static func constraint(of code: Int32) -> Constraint {
    switch ResultCode(rawValue: code) {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
      .unique
    case .SQLITE_CONSTRAINT_FOREIGNKEY: .foreignKey
    case .SQLITE_CONSTRAINT_NOTNULL: .notNull
    case .SQLITE_CONSTRAINT_CHECK: .check
    case .SQLITE_CONSTRAINT_DATATYPE: .type
    default: .other
    }
  }
}
