// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Web

/// Monitors the free disk space, often enough that a full disk does not delay a reminder.
package struct DiskSpaceService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "disk space"

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
            environment.logger.critical("the disk is full: nothing can be saved")
          } else {
            environment.logger.notice("the disk has space again")
          }
        }
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}
