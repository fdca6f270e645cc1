// SPDX-License-Identifier: Apache-2.0

import Logging
import Presentation
import ServiceLifecycle
import Storage
import Web

/// Sends a heartbeat to an outside monitor while doses are planned and reminders are sent.
///
/// A server that has stalled, or whose machine is off, cannot report it: it falls silent, and the
/// monitor raises the alarm.
package struct AliveService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "sign of life"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenSigns = 60

  /// Sends a heartbeat every minute until the server shuts down; does nothing if no monitor is set.
  package func run() async throws {
    guard environment.channels.tellAlive != nil else {
      // A service that returns would end all others.
      try await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await tell()
        try? await Task.sleep(for: .seconds(secondsBetweenSigns))
      }
    }
  }

  /// Sends one heartbeat, or none if a service has stalled.
  func tell() async {
    let now = environment.now()
    guard let tellAlive = environment.channels.tellAlive else { return }
    if let part = await environment.outage(at: now)?.part {
      environment.logger.error(
        "no heartbeat sent: a part has stalled", metadata: ["part": .string(part)])
      return
    }
    if !(await tellAlive(now.milliseconds / 1000)) {
      environment.logger.warning("the heartbeat did not arrive")
    }
  }
}
