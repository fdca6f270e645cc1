// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Studies

/// The time from ring to answer of doses that the reminder engine really rang.
@Suite struct StudyRingTests {
  private static let day: Int64 = 86_400_000

  /// Returns what an export says about Ann's first dose three days later.
  private func first(_ world: ReminderWorld, joined: Timestamp) async throws -> StudyDose? {
    let participant = StudyParticipant(
      patient: ReminderWorld.ann, study: StudyID("study"), pseudonym: StudyPseudonym("P1"),
      arm: "basic", version: 1, joined: joined, withdrawn: nil, isErased: false, changes: "{}")
    let clock = StudyClock(
      participant, days: 3, closed: nil, now: joined.adding(milliseconds: 3 * Self.day),
      zone: try world.place.zones.zone("Europe/Berlin"))
    return try await world.place.database.read { reader in
      var medicines = StudyLedger.Medicines()
      return try StudyLedger.doses(of: ReminderWorld.ann, clock, &medicines, in: reader)
        .first?.dose
    }
  }

  @Test func `a dose that rang and was answered twelve minutes later has twelve minutes`()
    async throws
  {
    let world = try await ReminderWorld()
    let joined = world.now
    let plan = try await world.add("08:00")
    #expect(try await world.send(at: "08:00").count == 1)
    // A later repetition doesn't begin the time anew.
    try await world.send(at: "08:10")
    world.set("08:12")
    #expect(try await world.answer(try await world.dose(of: plan)?.id, .taken))
    let dose = try #require(try await first(world, joined: joined))
    #expect(dose.state == .taken)
    #expect(dose.lateness == 12)
    #expect(dose.ringToAnswer == 12)
  }

  @Test func `a dose that reached nobody has no time from ring to answer`() async throws {
    let world = try await ReminderWorld(devices: [], mail: false)
    let joined = world.now
    let plan = try await world.add("08:00")
    try await world.send(at: "08:00")
    world.set("08:12")
    #expect(try await world.answer(try await world.dose(of: plan)?.id, .taken))
    let dose = try #require(try await first(world, joined: joined))
    #expect(dose.lateness == 12 && dose.ringToAnswer == nil)
  }
}
