// SPDX-License-Identifier: Apache-2.0

import CareTeam
import Foundation
import Logging
import ServiceLifecycle
import Storage
import Web

/// Makes the files of bulk exports, one export at a time, and removes expired ones.
package struct ExportService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "exports"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// The rounds between two looks for files that belong to no export.
  private static let roundsBetweenCleanings = 60

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Looks for an export every second, until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      try? await resume()
      var rounds = 0
      while !Task.isCancelled {
        do {
          try await round()
          if rounds % Self.roundsBetweenCleanings == 0 { try await clean() }
        } catch {
          environment.logger.error(
            "exports failed", metadata: ["type": .string("\(type(of: error))")])
        }
        rounds += 1
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Lets the exports be made again that an earlier run of this program began and did not finish, or whose files
  /// are gone.
  ///
  /// Other servers on the same database have their own: they are taken over when their lease ends.
  func resume() async throws {
    guard !environment.database.isShared else { return }
    let (store, settings) = (environment.exports, environment.settings)
    try await environment.database.write { writer in
      try store.reclaim(in: writer)
      for stored in try store.all(in: writer) where stored.state == .done {
        let files = ExportJob(stored)?.files ?? []
        let isWhole = files.allSatisfy {
          FileManager.default.fileExists(atPath: $0.path(settings))
        }
        if !isWhole { try store.again(stored.id, in: writer) }
      }
    }
  }

  /// Removes expired exports, then makes all that wait.
  func round() async throws {
    let (store, now) = (environment.exports, environment.now())
    let isAnythingDue = try await environment.database.read { reader in
      try ExportJobStore.isAnythingDue(at: now, in: reader)
    }
    guard isAnythingDue else { return }
    let expired = try await environment.database.write { writer in
      try store.deleteExpired(at: now, in: writer)
    }
    for old in expired { ExportJob(old)?.removeFiles(environment.settings) }
    while !Task.isCancelled, let stored = try await claim() {
      if let job = ExportJob(stored) {
        await ExportRunner(job, environment: environment).run()
      } else {
        try await environment.database.write { _ = try store.delete(stored.id, in: $0) }
      }
    }
    try await clean()
  }

  private func claim() async throws -> StoredExport? {
    let (store, now) = (environment.exports, environment.now())
    return try await environment.database.write { try store.claim(at: now, in: $0) }
  }

  /// Removes the files of exports that are no longer stored.
  private func clean() async throws {
    let store = environment.exports
    let ids = try await environment.database.read { Set(try store.all(in: $0).map(\.id)) }
    ExportFile.removeStrays(except: ids, environment.settings)
  }
}
