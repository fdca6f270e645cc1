// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Web

/// Looks at the room on the disk, often enough that a full one does not hold up a reminder.
package struct DiskSpaceService: Service, CustomStringConvertible {
  package let description = "room on the disk"

  package let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

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
