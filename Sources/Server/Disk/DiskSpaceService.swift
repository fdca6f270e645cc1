// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Looks at the room on the disk, often enough that a full one does not hold up a reminder.
struct DiskSpaceService: Service, CustomStringConvertible {
  let description = "room on the disk"

  let environment: ServerEnvironment

  func run() async throws {
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
