// SPDX-License-Identifier: Apache-2.0

import Logging
import Presentation
import ServiceLifecycle
import Storage
import Web

/// Gives a sign of life to whoever watches from outside, while doses are planned and reminders go round.
///
/// A server that stands still, or whose machine is off, cannot say so itself: it falls silent, and the other side
/// raises the alarm.
package struct AliveService: Service, CustomStringConvertible {
  package let description = "sign of life"

  package let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenSigns = 60

  package func run() async throws {
    guard environment.channels.tellAlive != nil else {
      // A service that ends would end the others.
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

  /// One sign, or none where something stands still.
  func tell() async {
    let now = environment.now()
    guard let tellAlive = environment.channels.tellAlive else { return }
    if let part = await environment.outage(at: now)?.part {
      environment.logger.error(
        "no sign of life sent: a part has stalled", metadata: ["part": .string(part)])
      return
    }
    if !(await tellAlive(now.milliseconds / 1000)) {
      environment.logger.warning("the sign of life did not arrive")
    }
  }
}
