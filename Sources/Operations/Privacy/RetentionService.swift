// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Web

/// Removes old rows once a day.
package struct RetentionService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "retention"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBeforeFirst = 60
  private let secondsBetween = 24 * 3_600

  /// Removes old rows a minute after the start and then once a day, until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      var seconds = secondsBeforeFirst
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(seconds))
        if Task.isCancelled { return }
        seconds = secondsBetween
        await sweep()
      }
    }
  }

  private func sweep() async {
    do {
      let gone = try await RetentionSweep(environment: environment).perform()
      environment.logger.info(
        "old rows deleted",
        metadata: [
          "reminders": "\(gone.reminders)", "deliveries": "\(gone.deliveries)",
          "drafts": "\(gone.drafts)", "credentials": "\(gone.credentials)",
          "messages": "\(gone.messages)",
        ])
    } catch {
      environment.logger.error(
        "deleting old rows failed", metadata: ["type": .string("\(type(of: error))")])
    }
  }
}
