// SPDX-License-Identifier: Apache-2.0

import CareTeam
import Identifiers
import Logging
import Presentation
import Reminders
import ServiceLifecycle
import Storage
import Web

/// Sends relatives and the care team the messages that the rules ask for.
///
/// Each round reads from the database which patients are due for a check, so that nothing is lost
/// when the process ends, and no one is checked early.
package struct MessageService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "automatic messages"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenRounds = 1

  /// Runs a round every second until the server shuts down; a failed round is logged.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do {
          try await MessageRound(environment: environment).run()
        } catch {
          environment.logger.error(
            "automatic messages failed", metadata: ["type": .string("\(type(of: error))")])
        }
        try? await Task.sleep(for: .seconds(secondsBetweenRounds))
      }
    }
  }
}

/// One round over everyone who is due for a check.
struct MessageRound: Sendable {
  let environment: ServerEnvironment
  var peopleInAGo = 50

  /// Each person is a separate transaction, so that answers never wait behind a long round.
  func run() async throws {
    while !Task.isCancelled {
      let now = environment.now()
      let limit = peopleInAGo
      let waiting = try await environment.database.read { reader -> [PatientID] in
        guard try ReminderEngine.clockIsTrusted(now, in: reader) else { return [] }
        return try MessageEngine.waiting(now, limit: limit, in: reader)
      }
      for patient in waiting where !Task.isCancelled { await look(at: patient) }
      if waiting.count < limit { return }
    }
  }

  private func look(at patient: PatientID) async {
    let context = environment.reminderContext(at: environment.now())
    do {
      let isTold = try await environment.database.write { writer in
        let isTold = try MessageEngine.look(at: patient, context, in: writer)
        if isTold { writer.announce([patient]) }
        return isTold
      }
      if isTold { environment.live.changed(patient) }
    } catch {
      // Unreadable data of one person must not stop the round.
      environment.logger.error(
        "a person could not be checked for messages",
        metadata: ["type": .string("\(type(of: error))")])
      let later = context.now.adding(milliseconds: 600_000)
      try? await environment.database.write { writer in
        try MessageEngine.postpone(patient, until: later, in: writer)
      }
    }
  }
}
