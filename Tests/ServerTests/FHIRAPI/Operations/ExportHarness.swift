// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import Foundation
import Identifiers
import Storage
import Web

@testable import FHIRAPI

extension ServerHarness {
  /// Returns the export with a path of its status.
  func export(_ status: String) async throws -> ExportJob? {
    let id = status.split(separator: "/").last.map(String.init) ?? ""
    let (store, now) = (environment.exports, clock.now)
    return try await environment.database.read { reader in
      try store.find(id, at: now, in: reader).flatMap { ExportJob($0) }
    }
  }

  /// Removes the files of all exports.
  func removeExportFiles() {
    try? FileManager.default.removeItem(atPath: environment.settings.temporaryFolder)
  }

  /// Makes all exports that wait.
  func runExports() async throws {
    try await ExportService(environment: environment).round()
  }
}
