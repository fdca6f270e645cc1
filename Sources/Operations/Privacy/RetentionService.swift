// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Web

/// Sweeps once a day, the first time a minute after the start.
package struct RetentionService: Service, CustomStringConvertible {
  package let description = "retention"

  package let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBeforeFirst = 60
  private let secondsBetween = 24 * 3_600

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
        "old rows swept away",
        metadata: [
          "reminders": "\(gone.reminders)", "deliveries": "\(gone.deliveries)",
          "drafts": "\(gone.drafts)", "credentials": "\(gone.credentials)",
          "messages": "\(gone.messages)",
        ])
    } catch {
      environment.logger.error(
        "the sweep of old rows failed", metadata: ["type": .string("\(type(of: error))")])
    }
  }
}
