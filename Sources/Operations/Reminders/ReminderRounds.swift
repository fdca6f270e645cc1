// SPDX-License-Identifier: Apache-2.0

import Logging
import Presentation
import Reminders
import Storage
import Web

/// The loop that finds due reminders, round by round.
struct ReminderRounds {
  /// The result of a round, and the time until the next.
  struct Round: Sendable {
    var claims: [ClaimedDelivery] = []
    var pause: Duration = ReminderRounds.longestPause
  }

  /// The longest pause, regardless of the database: clocks change, and rows are added.
  static let longestPause: Duration = .milliseconds(500)

  let environment: ServerEnvironment
  private var clock = ClockMonitor()
  private var isHolding = false
  private var hasResumed = false
  private var ticked: Timestamp?

  /// The subjects in one transaction: few, so that answers never wait long behind a round.
  private let subjectsPerRound = 200
  private let claimsPerRound = 256
  /// The interval in milliseconds at which the clock's position is recorded while nothing is due.
  private let millisecondsBetweenTicks: Int64 = 30_000

  init(environment: ServerEnvironment) {
    self.environment = environment
  }

  /// Plans due reminders and claims waiting deliveries, up to the number of free places.
  mutating func next(places: DeliveryPlaces) async -> Round {
    let now = environment.now()
    do {
      try await resume(now)
      try await followClock(now)
      let (isTrusted, moment) = try await environment.database.read { reader in
        (
          try ReminderEngine.clockIsTrusted(now, in: reader),
          try ReminderEngine.nextMoment(in: reader)
        )
      }
      environment.reminderHeartbeat.beat(at: now)
      hold(!isTrusted)
      guard isTrusted else { return Round() }
      guard let moment, moment <= now else {
        try await tick(now)
        return Round(pause: pause(until: moment, now))
      }
      environment.deliveryMetrics.late(since: moment, at: now)
      return await work(now, places: places)
    } catch {
      report("reminders failed", error)
      return Round()
    }
  }

  private mutating func work(_ now: Timestamp, places: DeliveryPlaces) async -> Round {
    // A failure in planning must not stop planned reminders from being sent.
    var hasPlanned = false
    do {
      hasPlanned = try await plan(now)
    } catch {
      report("planning of reminders failed", error)
    }
    var round = Round()
    do {
      round.claims = try await claim(now, places: places)
    } catch {
      report("claiming of reminders failed", error)
    }
    // After progress, looks again at once; a delivery that waits for a place wakes the loop when
    // one is free.
    if hasPlanned || !round.claims.isEmpty { round.pause = .zero }
    return round
  }

  private mutating func plan(_ now: Timestamp) async throws -> Bool {
    let context = environment.reminderContext(at: now)
    let limit = subjectsPerRound
    let round = try await environment.database.write { writer in
      try ReminderEngine.tick(now, in: writer)
      let round = try ReminderEngine.plan(limit: limit, context, in: writer)
      writer.announce(round.changedPatients)
      return round
    }
    ticked = now
    environment.deliveryMetrics.planned(round)
    environment.live.wakeStreams(of: round.changedPatients)
    return round.count > 0
  }

  private func claim(_ now: Timestamp, places: DeliveryPlaces) async throws -> [ClaimedDelivery] {
    let context = environment.reminderContext(at: now)
    let limits = ReminderChannel.allCases.map { channel in
      (channel: channel, limit: min(places.free(channel), claimsPerRound))
    }.filter { $0.limit > 0 }
    let claims = try await environment.database.write { writer in
      try limits.map { place in
        try ReminderEngine.claim(
          limit: place.limit, channel: place.channel, context, in: writer)
      }
    }
    for (place, claimed) in zip(limits, claims) where claimed.count >= place.limit {
      places.noteStarved(place.channel)
    }
    return claims.flatMap(\.self)
  }

  // MARK: Clock

  /// Releases the claims of an earlier process, if this one is the only one, and reschedules what
  /// it postponed by a clock that has since been set back.
  private mutating func resume(_ now: Timestamp) async throws {
    guard !hasResumed, !environment.database.isShared else { return }
    let context = environment.reminderContext(at: now)
    try await environment.database.write { writer in
      try ReminderEngine.releaseLeases(in: writer)
      try ReminderEngine.resume(context, in: writer)
    }
    hasResumed = true
  }

  private mutating func followClock(_ now: Timestamp) async throws {
    // All nodes use the database's clock; none may change what others have leased.
    guard !environment.database.isShared,
      let step = clock.stepBack(wall: now, uptime: environment.uptime())
    else { return }
    environment.logger.warning(
      "the clock was set back", metadata: ["milliseconds": .stringConvertible(step)])
    let context = environment.reminderContext(at: now)
    try await environment.database.write { writer in
      try ReminderEngine.clockStepped(back: step, context, in: writer)
    }
  }

  private mutating func tick(_ now: Timestamp) async throws {
    if let ticked, (0..<millisecondsBetweenTicks).contains(now.milliseconds - ticked.milliseconds) {
      return
    }
    try await environment.database.write { try ReminderEngine.tick(now, in: $0) }
    ticked = now
  }

  private mutating func hold(_ holds: Bool) {
    guard holds != isHolding else { return }
    isHolding = holds
    if holds {
      environment.logger.critical(
        "The clock is behind stored data: no reminders are sent. See the status page.")
    } else {
      environment.logger.notice("the clock is right again: reminders continue")
    }
  }

  private func pause(until moment: Timestamp?, _ now: Timestamp) -> Duration {
    guard let moment else { return Self.longestPause }
    return min(Self.longestPause, .milliseconds(max(0, moment.milliseconds - now.milliseconds)))
  }

  private func report(_ message: Logger.Message, _ error: any Error) {
    environment.logger.error(message, metadata: ["type": .string("\(type(of: error))")])
  }
}
