// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Logging
import Storage

/// Empty databases for tests, on the engine that `REGIMEN_TEST_ENGINE` names.
package enum TestDatabase {
  /// The engine on which tests run: SQLite in memory, SQLite in a file, or PostgreSQL.
  package enum Engine: String, Sendable {
    case memory, file, postgres
  }

  /// The engine named by `REGIMEN_TEST_ENGINE`; `memory` if it is unset or unknown.
  package static let engine =
    ProcessInfo.processInfo.environment["REGIMEN_TEST_ENGINE"].flatMap(Engine.init(rawValue:))
    ?? .memory

  /// Opens an empty database of the chosen engine.
  package static func open(keys: KeyRing, node: String = "test") async throws -> Database {
    if engine == .postgres {
      return try await apart { try PostgresPool.shared.open(keys: keys, node: node) }
    }
    let location = try await location(engine)
    return try await apart { try open(location, keys: keys, node: node) }
  }

  static func open(_ location: Database.Location, keys: KeyRing, node: String) throws -> Database {
    try Database.open(
      location, keys: keys, node: node,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Returns a location for an empty database that no other test uses.
  package static func location(_ engine: Engine) async throws -> Database.Location {
    switch engine {
    case .memory: .template(try memoryTemplate.get())
    case .file: .folder(try DataFolder(path: try temporaryFolder() + "/data"))
    case .postgres:
      .postgres(try await apart { try PostgresPool.shared.makeOwn() }, nil, uptime: { 0 })
    }
  }

  private static let memoryTemplate: Result<DatabaseTemplate, any Error> = Result {
    try DatabaseTemplate(logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  /// Returns the path of a folder that only the system removes; for manual runs only.
  private static func temporaryFolder() throws -> String {
    try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask,
      appropriateFor: FileManager.default.temporaryDirectory, create: true
    ).path
  }

  /// Runs code that waits for other programs on a thread that may block.
  package static func apart<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
  }
}
