// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Web

/// Gives signs of life to a service manager, which starts the server again once they are missing.
///
/// None is given while doses are no longer planned or reminders no longer run although the database answers: a new
/// start helps then, but not while the database is away.
package struct WatchdogService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "watchdog"

  private let environment: ServerEnvironment
  private let manager: ServiceManager?

  /// Creates the service; without a manager it does nothing.
  package init(environment: ServerEnvironment, manager: ServiceManager?) {
    self.environment = environment
    self.manager = manager
  }

  /// Gives three signs within the time that the manager waits for one, until the server shuts down.
  package func run() async throws {
    guard let manager, let patience = manager.patience else {
      // A service that returns would end all others.
      try await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        if await isWorking() { manager.tellAlive() }
        try? await Task.sleep(for: .milliseconds(patience / 3))
      }
    }
  }

  /// Returns false if a part has stalled that a new start brings back.
  func isWorking() async -> Bool {
    let now = environment.now()
    let outage = await environment.outage(at: now)
    // While the database is away, it is the part that is named.
    guard let part = outage?.part, environment.standstill(at: now) == part else { return true }
    environment.logger.error(
      "no sign of life for the service manager: a part has stalled",
      metadata: ["part": .string(part)])
    return false
  }
}
