// SPDX-License-Identifier: Apache-2.0

/// A reason why a backup was not made, read or restored; texts contain no stored values.
package enum BackupError: Error, Sendable, Equatable {
  /// The passphrase is shorter than the required minimum.
  case passphraseTooShort(minimum: Int)
  /// The file given as a key file contains no key.
  case keyFileUnusable(path: String)
  /// The destination already exists and is not a Regimen backup.
  case wouldOverwrite(path: String)
  /// Another backup is being written to the same place.
  case beingWritten(path: String)
  /// The system rejected an operation on a file; `code` is its errno.
  case file(path: String, code: Int32)
  /// The destination disk is full.
  case diskFull(path: String)
  /// The file does not start like a backup.
  case notABackup(path: String)
  /// The file has a format that this version does not know.
  case unknownFormat(version: Int)
  /// The backup was made with the other kind of secret.
  case otherSecret(needsPassphrase: Bool)
  /// The secret does not decrypt the file.
  case wrongSecret
  /// The file ends before its last chunk.
  case cut
  /// A chunk was changed, moved or damaged.
  case damaged(chunk: UInt64)
  /// The content is complete but is not a valid backup.
  case malformed
  /// The backup needs a migration that this version does not know.
  case newerSchema(name: String)
  /// The folder to restore into is not empty.
  case targetNotEmpty(path: String)
  /// A table has a different number of rows than the backup states.
  case countsDiffer(table: String, expected: Int64, found: Int64)
  /// The restored data did not pass its check.
  case drillFailed(reason: String)
  /// The snapshot is empty, so no backup was made.
  case empty
  /// The program is stopping.
  case cancelled
}

extension BackupError: CustomStringConvertible {
  /// A message for the operator with the cause and what to do.
  package var description: String {
    switch self {
    case .passphraseTooShort(let minimum):
      "The passphrase must have at least \(minimum) characters, on the first line of its file."
    case .keyFileUnusable(let path):
      "\(path) is not a key file. It must contain 32 random bytes in base64 on one line."
    case .wouldOverwrite(let path):
      "\(path) exists and is not a backup. It was not changed. Name another file."
    case .beingWritten(let path):
      "Another backup is being written to \(path). Wait until it ends."
    case .file(let path, let code):
      "The file system refused \(path) (error \(code)). Check the path, owner and permissions."
    case .diskFull(let path):
      "The disk is full. \(path) was not written. Make space and try again."
    case .notABackup(let path):
      "\(path) is not a Regimen backup."
    case .unknownFormat(let version):
      "This version cannot read backup format \(version). Use a newer version."
    case .otherSecret(let needsPassphrase):
      needsPassphrase
        ? "The backup was made with a passphrase. Give it with --passphrase-file."
        : "The backup was made with a key file. Give it with --key-file."
    case .wrongSecret:
      "This is not the passphrase or key the backup was made with."
    case .cut:
      "The backup is cut off: its end is missing. Use another one."
    case .damaged(let chunk):
      "The backup is damaged or cut off at piece \(chunk + 1). Nothing from it is used."
    case .malformed:
      "The backup is complete, but this version cannot read it. Use a newer version."
    case .newerSchema(let name):
      "The backup contains \(name), which this version does not know. Restore with a newer version."
    case .targetNotEmpty(let path):
      "\(path) is not empty. Name an empty or new folder."
    case .countsDiffer(let table, let expected, let found):
      "The table \(table) has \(found) rows, but the backup says \(expected)."
    case .drillFailed(let reason):
      "The restored data failed its check: \(reason)"
    case .empty:
      "The database is empty. No backup was made."
    case .cancelled:
      "The backup was cancelled because the program is stopping."
    }
  }
}
