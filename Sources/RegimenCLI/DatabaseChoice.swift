// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Storage

/// The choice of database: a file in the data folder, or PostgreSQL.
enum DatabaseChoice {
  static let variable = "REGIMEN_DATABASE"
  /// The file in a node's data folder that says its data is elsewhere.
  static let marker = "postgresql"

  /// Returns the given address, else the variable's; nil if there is none.
  ///
  /// It may contain a password, so no message repeats it.
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

  /// Returns the location of a folder's data.
  static func location(
    _ address: PostgresAddress?, in folder: DataFolder
  ) throws -> Database.Location {
    let path = "\(folder.path)/\(marker)"
    guard let address else {
      // A forgotten option must not start a second, empty database.
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

  /// Records in the folder where its data is; nil for the folder itself.
  static func remember(_ address: PostgresAddress?, in folder: DataFolder) throws {
    let path = "\(folder.path)/\(marker)"
    if let address {
      try PrivateFile.replace(path, with: Data("\(address)\n".utf8), synced: false)
    } else if PrivateFile.exists(path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
