// SPDX-License-Identifier: Apache-2.0

import Logging
import Reminders
import ServiceLifecycle
import Storage
import Web

/// Rings for doses: asks the database what is due, hands it over, writes down what became of it.
///
/// The database is the only timer: whatever this process forgets by dying is found there again.
package struct ReminderService: Service, CustomStringConvertible {
  package let description = "reminders"

  package let environment: ServerEnvironment

  package init(environment: ServerEnvironment) {
    self.environment = environment
  }
  /// How long deliveries that are under way may take when the server stops.
  private let secondsToDrain: UInt64 = 3

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
    // From here on a minute without a finished round is a fault.
    environment.reminderHeartbeat.beat(at: environment.now())
    // Doses of an outage are planned before any is rung for: they belong into one summary.
    while !environment.isPlanned.isRaised {
      if stop.isRaised || Task.isCancelled { return }
      await wake.wait(atMost: ReminderRounds.longestPause)
    }
    var rounds = ReminderRounds(environment: environment)
    let dispatch = ReminderDispatch(environment: environment)
    await withDiscardingTaskGroup { deliveries in
      while !stop.isRaised, !Task.isCancelled {
        let round = await rounds.next(places: dispatch.places)
        for claim in round.claims {
          dispatch.places.take(claim.channel)
          deliveries.addTask { await dispatch.deliver(claim) }
        }
        await wake.wait(atMost: round.pause)
      }
      await drain(dispatch.places)
      deliveries.cancelAll()
    }
    await dispatch.results.write(isLast: true)
  }

  /// Waits for deliveries under way: what is handed over is written down before the end.
  private func drain(_ places: DeliveryPlaces) async {
    let end = environment.uptime() &+ secondsToDrain * 1_000_000_000
    while places.inUse > 0, environment.uptime() < end, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }
}
