// SPDX-License-Identifier: Apache-2.0

import CareTeam
import Identifiers
import Logging
import Presentation
import Reminders
import ServiceLifecycle
import Storage
import Web

/// Tells relatives and the care team what they are to be told.
///
/// Whom to look at is asked of the database each time, by when they are to be looked at: nothing is lost with the
/// process, and nobody is looked at in vain.
package struct MessageService: Service, CustomStringConvertible {
  package let description = "automatic messages"

  package let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  private let secondsBetweenRounds = 1

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

/// One look at everybody whose time has come.
struct MessageRound: Sendable {
  let environment: ServerEnvironment
  var peopleInAGo = 50

  /// Each person is a transaction of its own, so that answers never wait behind a long round.
  func run() async throws {
    while !Task.isCancelled {
      let now = environment.now()
      let limit = peopleInAGo
      let waiting = try await environment.database.read { reader -> [PatientID] in
        guard try ReminderEngine.clockIsTrusted(now, in: reader) else { return [] }
        return try MessageEngine.waiting(now, limit: limit, in: reader)
      }
      for patient in waiting { await look(at: patient) }
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
      // One person's data that cannot be read must not keep the others from being looked at.
      environment.logger.error(
        "somebody could not be looked at for messages",
        metadata: ["type": .string("\(type(of: error))")])
      let later = context.now.adding(milliseconds: 600_000)
      try? await environment.database.write { writer in
        try MessageEngine.postpone(patient, until: later, in: writer)
      }
    }
  }
}
