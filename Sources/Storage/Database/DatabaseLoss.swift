// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Database.Location {
  private var folder: DataFolder? {
    switch self {
    case .memory, .template: nil
    case .folder(let folder): folder
    case .postgres(_, let folder, _): folder
    }
  }

  /// True if the keys show that an installation existed: an empty database instead of its data is a
  /// loss, not a new installation.
  var mustExist: Bool { folder.map { $0.hasKeys && !$0.isNew } ?? false }

  /// True if the database is a file that is missing or empty.
  var isFileMissing: Bool {
    guard case .folder(let folder) = self else { return false }
    return !folder.hasDatabase
  }

  /// The name of the data, for the error that reports them missing.
  var dataName: String {
    switch self {
    case .memory, .template: "the memory"
    case .folder(let folder): folder.databasePath
    case .postgres(let address, _, _): "the content of \(address)"
    }
  }
}
