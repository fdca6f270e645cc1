// SPDX-License-Identifier: Apache-2.0

/// An error of the stored data; texts contain no stored values.
@usableFromInline
package enum StorageError: Error, Sendable, Equatable {
  /// The type that a column was expected to have.
  @usableFromInline package enum ColumnType: String, Sendable {
    case integer, real, text, blob, bool
  }

  /// A rule of the schema that a write broke.
  @usableFromInline package enum Constraint: String, Sendable {
    case unique, foreignKey, notNull, check, type, other

    /// The rule as text.
    var words: String {
      switch self {
      case .unique: "a row with this key already exists"
      case .foreignKey: "it refers to a missing row, or other rows still refer to it"
      case .notNull: "a value is missing"
      case .check: "a value is not allowed"
      case .type: "a value has the wrong type"
      case .other: "another rule"
      }
    }
  }

  /// Another process has locked the data folder.
  case inUse(folder: String)
  /// A file or folder could not be created, read or written; `code` is the system's errno.
  case file(path: String, code: Int32)
  /// The disk is full; nothing of the transaction was kept.
  case diskFull
  /// The database stayed locked for longer than the timeout.
  case busy
  /// A write broke a rule of the schema.
  case constraint(Constraint, String)
  /// A column did not hold the expected type.
  case unexpectedValue(column: Int, expected: ColumnType)
  /// The number of arguments does not fit the statement.
  case argumentCount(expected: Int, given: Int)
  /// The database file is damaged or not a database.
  case corrupt(code: Int32)
  /// The disk failed to read or write.
  case inputOutput(code: Int32)
  /// The engine rejected a statement.
  case statement(code: Int32, message: String)
  /// Another job of the same commit made the engine drop the whole transaction.
  case transactionLost
  /// A setting that durability depends on was not in effect after opening.
  case setting(name: String, expected: String, found: String)
  /// The database was written by a newer version of the program.
  case migrationNewer(name: String)
  /// An applied migration differs from the one in this program.
  case migrationChanged(name: String)
  /// A migration is missing below ones that are already applied.
  case migrationOutOfOrder(name: String)
  /// The database was created by a development build before the first release.
  case schemaUnreleased
  /// A migration failed and was rolled back.
  case migrationFailed(name: String, reason: String)
  /// The database exists but its key file does not.
  case keysMissing(path: String)
  /// The keys belong to an installation whose data is missing.
  case dataMissing(place: String)
  /// The key file is readable by others, malformed or incomplete.
  case keysUnusable(path: String, reason: String)
  /// The keys come from the service manager: only the operator can change them.
  case keysReadOnly(path: String)
  /// An encrypted field was made with a key that is not in the key file.
  case unknownKey(id: String)
  /// An encrypted field was changed, truncated or moved to another place.
  case decryptionFailed
  /// The database server does not answer; nothing was kept.
  case unavailable
  /// The connection was lost during a commit: it is not known whether the change was kept.
  case outcomeUnknown
  /// No connection could be made to the database server at the start.
  case unreachable(String, reason: String)
  /// The database was created with other keys than those of this data folder.
  case foreignKeys
  /// Data can only be moved into a database that contains none.
  case targetNotEmpty(table: String)
  /// A server is using the database, or one at either end of a move, and must stop first.
  case nodesRunning
  /// A table did not arrive unchanged; nothing was moved.
  case notMovable(table: String)
  /// The database was closed, or a reader or writer was used outside its block.
  case closed
}

extension StorageError: CustomStringConvertible {
  /// A message for the operator with the cause and what to do.
  @usableFromInline package var description: String {
    switch self {
    case .inUse(let folder):
      "The data folder \(folder) is in use by another process. Stop it or use its socket."
    case .file(let path, let code):
      "The file system refused \(path) (error \(code)). Check owner, permissions and space."
    case .diskFull:
      "The disk is full. Nothing was changed. Make space and try again."
    case .busy:
      "The database is busy. Try again."
    case .constraint(let kind, let place):
      "The change breaks a database rule and was not saved: \(kind.words) (\(place))."
    case .unexpectedValue(let column, let expected):
      "Column \(column) of a result is not of type \(expected.rawValue)."
    case .argumentCount(let expected, let given):
      "A statement takes \(expected) arguments but was given \(given)."
    case .corrupt(let code):
      "The database file is damaged (error \(code)). Restore the last backup."
    case .inputOutput(let code):
      "The disk failed while reading or writing the database (error \(code)). Check the disk."
    case .statement(let code, let message):
      "The database refused a statement (error \(code)): \(message)"
    case .transactionLost:
      "The transaction was cancelled because another change in it failed. Try again."
    case .setting(let name, let expected, let found):
      "The database setting \(name) is \(found) instead of \(expected); refusing to start."
    case .migrationNewer(let name):
      "The database contains \(name), which this version does not know. Start a newer version."
    case .migrationChanged(let name):
      "The migration \(name) differs from the one applied to this database; refusing to start."
    case .migrationOutOfOrder(let name):
      "The migration \(name) comes before ones already applied; refusing to start."
    case .schemaUnreleased:
      """
      This data is from a development build before the first release and cannot be upgraded. Move \
      the data folder away and start with an empty one.
      """
    case .migrationFailed(let name, let reason):
      "The migration \(name) failed and changed nothing: \(reason)"
    case .keysMissing(let path):
      "The key file \(path) is missing. Put it back from your copy."
    case .dataMissing(let place):
      """
      The keys are here, but \(place) is missing or empty. Put it back, or restore a backup \
      (regimen restore). To start an empty installation with these keys: regimen serve --new.
      """
    case .keysUnusable(let path, let reason):
      "The key file \(path) cannot be used: \(reason)"
    case .keysReadOnly(let path):
      """
      The keys are the credential \(path), which only you can change. Write new keys with \
      regimen change-key --new-keys FILE, make that file the credential, and try again.
      """
    case .unknownKey(let id):
      "An encrypted field needs the key \(id), which is not in the key file."
    case .decryptionFailed:
      "An encrypted field was changed or moved and cannot be decrypted."
    case .unavailable:
      "The database server is not responding. Nothing was changed. Try again."
    case .outcomeUnknown:
      "The connection to the database was lost while saving. Check whether the change was saved."
    case .unreachable(let place, let reason):
      "No connection to the database \(place). Check that it runs, its address and the password"
        + (reason.isEmpty ? "." : " (\(reason)).")
    case .foreignKeys:
      """
      The database uses other keys; nothing was changed. Put the keys.json with which it was \
      made into this data folder. All nodes share one key file: copy it from the first node.
      """
    case .targetNotEmpty(let table):
      "The target database is not empty (table \(table)). Nothing was moved."
    case .nodesRunning:
      "A server still uses the PostgreSQL database. Stop every node first."
    case .notMovable(let table):
      "The table \(table) was not copied correctly. Nothing was moved."
    case .closed:
      "The database is closed."
    }
  }
}
