// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Identifiers
import Logging
import Presentation
import Reminders
import ServiceLifecycle
import Storage
import Web

/// Evaluates monitored heart rates when new values arrive and when a person's window begins.
///
/// Each round reads from the database who is due, so that nothing is lost when the process ends.
package struct HeartRateMonitoringService: Service, CustomStringConvertible {
  /// The name of the service in logs.
  package let description = "watching of heart rates"

  /// The environment whose database is read.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenRounds = 15

  /// Runs a round every 15 seconds until the server shuts down; a failed round is logged and the
  /// next one follows.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await HeartRateRound(environment: environment).run()
        } catch {
          environment.logger.error(
            "heart rate monitoring failed", metadata: ["type": .string("\(type(of: error))")])
        }
        try? await Task.sleep(for: .seconds(secondsBetweenRounds))
      }
    }
  }
}

/// One round over everyone whose data is due for evaluation.
struct HeartRateRound: Sendable {
  let environment: ServerEnvironment
  var peopleInAGo = 50

  /// Evaluates one person after the other by id, so that a failure does not affect the others.
  ///
  /// Each person is a separate transaction, so that answers never wait behind a long round.
  func run() async throws {
    var last = PatientID("")
    while !Task.isCancelled {
      let now = environment.now()
      let (limit, reached) = (peopleInAGo, last)
      let waiting = try await environment.database.read { reader -> [PatientID] in
        guard try ReminderEngine.clockIsTrusted(now, in: reader) else { return [] }
        return try HeartRateEngine.waiting(now, after: reached, limit: limit, in: reader)
      }
      guard let end = waiting.last else { return }
      last = end
      for patient in waiting where !Task.isCancelled {
        do {
          let context = environment.reminderContext(at: environment.now())
          let isAsked = try await environment.database.write { writer in
            let isAsked = try HeartRateEngine.look(at: patient, context, in: writer)
            if isAsked { writer.announce([patient]) }
            return isAsked
          }
          if isAsked { environment.live.changed(patient) }
        } catch {
          // Unreadable data of one person must not stop the round.
          environment.logger.error(
            "a heart rate could not be checked",
            metadata: ["type": .string("\(type(of: error))")])
        }
      }
    }
  }
}
