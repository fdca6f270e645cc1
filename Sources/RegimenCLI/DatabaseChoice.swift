// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Storage

/// Which database the data is in: the file in the data folder, or a PostgreSQL database.
enum DatabaseChoice {
  static let variable = "REGIMEN_DATABASE"
  /// A file in the data folder of a node says that its data is elsewhere.
  static let marker = "postgresql"

  /// The address given, else the variable's; nil where neither is.
  ///
  /// It may hold a password, so that no message repeats it.
  static func address(
    _ given: String?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> PostgresAddress? {
    guard let text = given ?? environment[variable], !text.isEmpty else { return nil }
    guard PostgresAddress.hasClientLibrary else {
      throw CommandFailure(
        description:
          "PostgreSQL's client library (libpq5, version 14 or newer) is not installed."
      )
    }
    guard let address = PostgresAddress(text) else {
      throw ValidationError(
        "--database must look like postgresql://USER:PASSWORD@HOST/DATABASE.")
    }
    return address
  }

  /// Where to open the data of a folder.
  static func location(
    _ address: PostgresAddress?, in folder: DataFolder
  ) throws -> Database.Location {
    let path = "\(folder.path)/\(marker)"
    guard let address else {
      // Nobody may end up with a second, empty database because an option was forgotten.
      guard !PrivateFile.exists(path) else {
        throw CommandFailure(
          description: """
            The data of \(folder.path) is in PostgreSQL. Give its address with --database or \
            \(variable). To keep data in the folder again, delete its file '\(marker)'.
            """)
      }
      return .folder(folder)
    }
    return .postgres(address, folder, uptime: Composition.uptime)
  }

  /// Returns true if the folder's data was in PostgreSQL when it was last opened.
  static func isRemembered(in folder: DataFolder) -> Bool {
    PrivateFile.exists("\(folder.path)/\(marker)")
  }

  /// Notes in the folder where its data is; nil: in the folder itself.
  static func remember(_ address: PostgresAddress?, in folder: DataFolder) throws {
    let path = "\(folder.path)/\(marker)"
    if let address {
      try PrivateFile.replace(path, with: Data("\(address)\n".utf8), synced: false)
    } else if PrivateFile.exists(path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
