// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Storage
import Web

/// Reads all data soon after the start and then once a day, to find undetected damage.
///
/// A damaged key can hide rows from a search without an error, so only a check of everything finds
/// it.
package struct DamageService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "check of the database"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBeforeFirst = 10
  private let secondsBetween = 24 * 3600

  /// Checks the database 10 seconds after the start and then once a day, until the server shuts
  /// down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      try? await Task.sleep(for: .seconds(secondsBeforeFirst))
      while !Task.isCancelled {
        await checkUntilStopped()
        try? await Task.sleep(for: .seconds(secondsBetween))
      }
    }
  }

  /// Runs one check, but does not wait for its end once the server stops.
  ///
  /// Reading a large table may take minutes. Closing the database ends the statement.
  private func checkUntilStopped() async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let checking = Task {
      await check()
      end.finish()
    }
    // Cancelling this task ends the loop too.
    for await _ in ends {}
    checking.cancel()
  }

  /// Runs one check; the database remembers the result, and `/health` reports it.
  ///
  /// A cancelled task ends it before the next table.
  func check() async {
    do {
      let damage = try await environment.database.damage()
      guard !damage.isEmpty, !Task.isCancelled else { return }
      environment.logger.critical(
        "the database is damaged", metadata: ["findings": .stringConvertible(damage.count)])
    } catch {
      // A server that stops ends the check early: the next start makes another.
      if Task.isCancelled { return }
      environment.logger.error(
        "the check of the database failed", metadata: ["type": .string("\(type(of: error))")])
    }
  }
}
