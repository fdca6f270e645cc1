// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Database.Location {
  private var folder: DataFolder? {
    switch self {
    case .memory: nil
    case .folder(let folder): folder
    case .postgres(_, let folder, _): folder
    }
  }

  /// True where keys say that there was an installation: an empty database in its place is a loss, and no
  /// beginning.
  var mustExist: Bool { folder.map { $0.hasKeys && !$0.isNew } ?? false }

  /// True where the database is a file that is not there, or holds nothing.
  var isFileMissing: Bool {
    guard case .folder(let folder) = self else { return false }
    return !folder.hasDatabase
  }

  /// The name of what is missed where the data are not there.
  var dataName: String {
    switch self {
    case .memory: "the memory"
    case .folder(let folder): folder.databasePath
    case .postgres(let address, _, _): "the content of \(address)"
    }
  }
}
