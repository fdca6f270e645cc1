// SPDX-License-Identifier: Apache-2.0

import Logging
import Reminders
import ServiceLifecycle
import Storage
import Web

/// Sends the reminders for doses: reads from the database what is due, delivers it, and records the
/// result.
///
/// The database is the only timer, so nothing is lost when this process ends.
package struct ReminderService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "reminders"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  /// The seconds that deliveries in progress may take when the server stops.
  private let secondsToDrain: UInt64 = 3

  /// Delivers reminders until the server shuts down.
  ///
  /// It begins once the doses of the next hours are planned, so that the doses of an outage share
  /// one summary. Deliveries under way at shutdown have three seconds to finish.
  package func run() async throws {
    let stop = AtomicFlag()
    let wake = environment.live.reminders
    await withGracefulShutdownHandler {
      await work(until: stop)
    } onGracefulShutdown: {
      stop.raise()
      wake.ring()
    }
  }

  private func work(until stop: AtomicFlag) async {
    let wake = environment.live.reminders
    // From here on, a minute without a finished round is a fault.
    environment.reminderHeartbeat.beat(at: environment.now())
    // Doses of an outage are planned before any reminder is sent: they belong in one summary.
    while !environment.isPlanned.isRaised {
      if stop.isRaised || Task.isCancelled { return }
      await wake.wait(atMost: ReminderRounds.longestPause)
    }
    var rounds = ReminderRounds(environment: environment)
    let dispatch = ReminderDispatch(environment: environment)
    let replies = ReplyTextDispatch(environment: environment)
    await withDiscardingTaskGroup { deliveries in
      while !stop.isRaised, !Task.isCancelled {
        let round = await rounds.next(places: dispatch.places)
        for claim in round.claims {
          dispatch.places.take(claim.channel)
          deliveries.addTask { await dispatch.deliver(claim) }
        }
        for text in await replies.claim() {
          deliveries.addTask { await replies.send(text) }
        }
        await wake.wait(atMost: round.pause)
      }
      await drain(dispatch.places)
      deliveries.cancelAll()
    }
    await dispatch.results.write(isLast: true)
  }

  /// Waits for deliveries in progress, so that their results are recorded before the end.
  private func drain(_ places: DeliveryPlaces) async {
    let end = environment.uptime() &+ secondsToDrain * 1_000_000_000
    while places.inUse > 0, environment.uptime() < end, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }
}
