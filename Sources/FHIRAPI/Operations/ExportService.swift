// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import Web

/// Makes the files of bulk exports, one export at a time, and removes expired ones.
package struct ExportService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "exports"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Looks for an export every second, until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await round()
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Removes expired exports, then makes all that wait.
  func round() async {
    environment.exports.removeExpired(at: environment.now())
    while !Task.isCancelled, let job = environment.exports.begin() {
      await ExportRunner(job, environment: environment).run()
    }
  }
}
