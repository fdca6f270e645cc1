// SPDX-License-Identifier: Apache-2.0

import HeartRate
import Identifiers
import Logging
import Presentation
import Reminders
import ServiceLifecycle
import Storage
import Web

/// Judges monitored heart rates when new values arrive and when a person's window begins.
///
/// Each round asks the database who is due, so that nothing is lost with the process.
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

/// One look at everybody for whom there is something to look at.
struct HeartRateRound: Sendable {
  let environment: ServerEnvironment
  var peopleInAGo = 50

  /// Looks at one after the other by their ids, so that each is looked at, whatever becomes of the others.
  ///
  /// Each person is a transaction of its own, so that answers never wait behind a long round.
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
      for patient in waiting {
        do {
          let context = environment.reminderContext(at: environment.now())
          let isAsked = try await environment.database.write { writer in
            let isAsked = try HeartRateEngine.look(at: patient, context, in: writer)
            if isAsked { writer.announce([patient]) }
            return isAsked
          }
          if isAsked { environment.live.changed(patient) }
        } catch {
          // One person's data that cannot be read must not keep the others from being looked at.
          environment.logger.error(
            "a heart rate could not be checked",
            metadata: ["type": .string("\(type(of: error))")])
        }
      }
    }
  }
}
