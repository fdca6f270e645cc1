// SPDX-License-Identifier: Apache-2.0

import Accounts
import Calendar
import Identifiers
import Logging
import Operations
import Plans
import Prescriptions
import Records
import Reminders
import ServiceLifecycle
import Statistics
import Storage
import Supply
import Web

/// Keeps the doses of the next 48 hours planned.
///
/// The database holds the remaining work, so nothing is lost when the program ends between two
/// rounds.
struct HorizonService: Service, CustomStringConvertible {
  /// The name in the log; service groups log their services.
  let description = "planning of doses"

  let environment: ServerEnvironment
  private let secondsBetweenRounds = 10
  private let plansPerBatch = 100
  /// The number of rounds between two comparisons of the system's zone files with those used for
  /// planning.
  private let roundsBetweenZoneChecks = 360
  /// The number of rounds between two checks for missing zone files.
  private let roundsBetweenFileChecks = 6
  /// The number of rounds between two checks for a clock change tomorrow.
  private let roundsBetweenClockChecks = 6

  func run() async throws {
    // From here on, a minute without a finished round is a fault, including the first round.
    environment.heartbeat.beat(at: environment.now())
    let node = environment.database.isShared ? environment.newIdentifier() : nil
    if let node { environment.nodeName.set(node) }
    await cancelWhenGracefulShutdown {
      var rounds = 0
      var isRead = false
      while !Task.isCancelled {
        do {
          if rounds % roundsBetweenFileChecks == 0 { try await lookForZoneFiles() }
          // If the files have changed, the old rules are not used again.
          if rounds % roundsBetweenZoneChecks == 0 { try await followZoneData() }
          if !isRead, rounds % roundsBetweenZoneChecks == 0 { isRead = await hasReadAgain() }
          rounds += 1
          try await round()
          try await announce()
          try await fold()
          try await lookAtStocks()
          if rounds % roundsBetweenClockChecks == 0 { try await lookAtClocks() }
          try await forgetOldKeys()
          if let node { try await noteKeys(as: node) }
        } catch {
          environment.logger.error(
            "planning failed", metadata: ["type": .string("\(type(of: error))")])
        }
        // Also after a failed round: planned doses must ring.
        environment.isPlanned.raise()
        environment.live.reminders.ring()
        try? await Task.sleep(for: .seconds(secondsBetweenRounds))
      }
    }
    if let node {
      try? await environment.database.write { try NodeKeys.forget(node, in: $0) }
    }
  }

  /// Publishes the keys that this node seals with, for key changes by other nodes.
  private func noteKeys(as node: String) async throws {
    let (cipher, now) = (environment.accounts.cipher, environment.now())
    try await environment.database.write { try NodeKeys.note(node, cipher, at: now, in: $0) }
  }

  /// Reports the zones in use whose files are missing or damaged.
  private func lookForZoneFiles() async throws {
    let zones = environment.zones
    let missing = try await environment.database.read { try ZonesInUse.missing(zones, in: $0) }
    if missing != environment.faults.missingZones, !missing.isEmpty {
      environment.logger.critical(
        "time zone files are missing or damaged: times stay right, but the server will not start again",
        metadata: ["zones": .string(missing.joined(separator: " "))])
    }
    environment.faults.note(missingZones: missing)
  }

  /// Replans doses if the rules of their zone have changed on this machine.
  private func followZoneData() async throws {
    let (zones, consequences) = (environment.zones, environment.consequences)
    let limit = plansPerBatch
    let changes = try await environment.database.write { writer in
      try ZoneDataChange.found(zones, in: writer)
    }
    for change in changes {
      environment.logger.notice(
        "the rules of a time zone have changed", metadata: ["zone": .string(change.zone)])
      var place: ZoneDataChange.Place?
      repeat {
        let now = environment.now()
        let from = place
        place = try await environment.database.write { writer in
          try change.follow(
            after: from, limit: limit, now: now, zones: zones, consequences: consequences,
            in: writer)
        }
        environment.heartbeat.beat(at: now)
      } while place != nil && !Task.isCancelled
    }
  }

  /// Reads prescriptions again; an unreadable one does not affect other plans.
  func hasReadAgain() async -> Bool {
    do {
      try await readAgain()
      return true
    } catch {
      environment.logger.error(
        "prescriptions could not be read again",
        metadata: ["type": .string("\(type(of: error))")])
      return false
    }
  }

  /// Reads again, once, prescriptions that an earlier version of the program could not plan.
  private func readAgain() async throws {
    let (zones, consequences) = (environment.zones, environment.consequences)
    let limit = plansPerBatch
    guard try await environment.database.read({ try PlanRereading.isDue(in: $0) }) else { return }
    var progress = PlanRereading.Progress()
    while !progress.isDone, !Task.isCancelled {
      let now = environment.now()
      let from = progress
      progress = try await environment.database.write { writer in
        try PlanRereading.readAgain(
          after: from, limit: limit, now: now, zones: zones, consequences: consequences, in: writer)
      }
      environment.heartbeat.beat(at: now)
    }
    if progress.begun > 0 {
      environment.logger.notice(
        "prescriptions that could not be planned are planned now",
        metadata: ["count": .stringConvertible(progress.begun)])
    }
  }

  /// Rolls up the statistics of past months: few plans at a time, spread over rounds.
  private func fold() async throws {
    let zones = environment.zones
    let (plansAtOnce, batches) = (4, 50)
    for _ in 0..<batches where !Task.isCancelled {
      let now = environment.now()
      let isDue = try await environment.database.read { reader in
        try MonthlyRollup.isDue(now: now, in: reader)
      }
      guard isDue else { return }
      _ = try await environment.database.write { writer in
        try MonthlyRollup.round(now: now, limit: plansAtOnce, zones: zones, in: writer)
      }
      environment.heartbeat.beat(at: now)
    }
  }

  private func forgetOldKeys() async throws {
    let now = environment.now()
    try await environment.database.write { writer in
      _ = try IdempotentWrite.forgetOld(at: now, in: writer)
      try ImportUploads.forgetOld(at: now, in: writer)
    }
  }

  /// Creates the notices ahead of doses for plans that ask for them.
  private func announce() async throws {
    let (limit, zones) = (plansPerBatch, environment.zones)
    var place = PatientID("")
    while !Task.isCancelled {
      let now = environment.now()
      let from = place
      let (near, behind) = try await environment.database.read { reader in
        let near = try LeadNotices.near(now, after: from, limit: limit, in: reader)
        return (
          near,
          try near.filter { patient in
            try LeadNotices.isBehind(patient, now: now, zones: zones, in: reader)
          }
        )
      }
      if !behind.isEmpty {
        let newIdentifier = environment.newIdentifier
        try await environment.database.write { writer in
          for patient in behind {
            try LeadNotices.renew(
              patient, now: now, zones: zones, newIdentifier: newIdentifier, in: writer)
          }
        }
      }
      guard let last = near.last, near.count == limit else { return }
      place = last
      environment.heartbeat.beat(at: now)
    }
  }

  /// Creates alerts about supplies that run out or expire soon.
  private func lookAtStocks() async throws {
    let (limit, zones, newIdentifier) = (
      plansPerBatch, environment.zones, environment.newIdentifier
    )
    while !Task.isCancelled {
      let now = environment.now()
      let owners = try await environment.database.read { reader in
        try StockNotices.due(now, limit: limit, in: reader)
      }
      for owner in owners where !Task.isCancelled {
        _ = try await environment.database.write { writer in
          try StockNotices.look(
            at: owner, now: now, zones: zones, newIdentifier: newIdentifier, in: writer)
        }
        environment.heartbeat.beat(at: environment.now())
      }
      if owners.count < limit { return }
    }
  }

  /// Notifies people, on the evening before a clock change, of the doses that it moves.
  ///
  /// A person whose doses cannot be read does not stop the others from being notified.
  func lookAtClocks() async throws {
    let (limit, zones, newIdentifier) = (
      plansPerBatch, environment.zones, environment.newIdentifier
    )
    while !Task.isCancelled {
      let now = environment.now()
      let found = try await environment.database.read { reader in
        try ClockNotices.due(now, limit: limit, zones: zones, in: reader)
      }
      for due in found where !Task.isCancelled {
        do {
          _ = try await environment.database.write { writer in
            try ClockNotices.look(
              at: due, now: now, zones: zones, newIdentifier: newIdentifier, in: writer)
          }
        } catch {
          environment.logger.error(
            "a clock change could not be checked",
            metadata: ["type": .string("\(type(of: error))")])
          try await environment.database.write { writer in
            try ClockNotices.putOff(due, now: now, in: writer)
          }
        }
        environment.heartbeat.beat(at: environment.now())
      }
      if found.count < limit { return }
    }
  }

  /// Works in short batches, so that answers never wait behind a long round.
  private func round() async throws {
    let zones = environment.zones
    let limit = plansPerBatch
    while !Task.isCancelled {
      let now = environment.now()
      let extended = try await environment.database.write { writer in
        try PlanCommands.extendHorizon(now: now, limit: limit, zones: zones, in: writer)
      }
      environment.heartbeat.beat(at: now)
      if extended < limit { return }
      try await beginToRing()
    }
  }

  /// Lets reminders begin once every plan has the doses of the next hour, although later ones are
  /// still being planned: after an outage of a large installation that takes minutes.
  private func beginToRing() async throws {
    guard !environment.isPlanned.isRaised else { return }
    let soon = environment.now().adding(milliseconds: 3_600_000)
    let isPlanned = try await environment.database.read { reader in
      try PlanCommands.isPlanned(through: soon, in: reader)
    }
    guard isPlanned else { return }
    environment.logger.info("reminders begin while later doses are being planned")
    environment.isPlanned.raise()
    environment.live.reminders.ring()
  }
}

/// Writes batched read audit rows within a second of the reads.
struct ReadAuditService: Service, CustomStringConvertible {
  let description = "audit of reads"

  let environment: ServerEnvironment

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(500))
        await flush()
      }
    }
    await flush()
  }

  private func flush() async {
    do {
      try await environment.readAudit.flush(into: environment.database)
    } catch {
      environment.logger.error(
        "audit of reads failed", metadata: ["type": .string("\(type(of: error))")])
    }
  }
}
