// SPDX-License-Identifier: Apache-2.0

/// The reason why a backup was not made, as a short code for the record, pages and logs.
package enum BackupTrouble {
  /// Returns the code for an error: `disk-full`, `file`, `database`, `secret`, `stopped`, `empty`,
  /// `unreadable` or `other`.
  package static func code(of error: any Error) -> String {
    switch error {
    case let error as BackupError: code(error)
    case StorageError.diskFull: "disk-full"
    case StorageError.corrupt, StorageError.inputOutput: "database"
    default: "other"
    }
  }

  private static func code(_ error: BackupError) -> String {
    switch error {
    case .diskFull: "disk-full"
    case .file, .wouldOverwrite, .beingWritten: "file"
    case .cancelled: "stopped"
    case .empty: "empty"
    case .passphraseTooShort, .keyFileUnusable, .wrongSecret, .otherSecret: "secret"
    case .cut, .damaged, .malformed, .notABackup, .unknownFormat, .newerSchema, .countsDiffer,
      .drillFailed, .targetNotEmpty:
      "unreadable"
    }
  }
}
