// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Web

/// Monitors the free disk space, often enough that a full disk does not delay a reminder.
package struct DiskSpaceService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "room on the disk"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Checks every second until the server shuts down; does nothing for a server without a data
  /// folder.
  package func run() async throws {
    guard let folder = environment.settings.dataFolder else {
      try await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        if environment.disk.look(at: folder) {
          if environment.disk.isShort {
            environment.logger.critical("the disk is full: what people send is refused")
          } else {
            environment.logger.notice("there is room on the disk again")
          }
        }
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}
