// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans
@testable import Reminders

/// Delays of reminders, and advance notices: the dose itself never moves.
@Suite("Weekends, holidays and advance notices")
struct MorningTests {
  private func choose(_ world: ReminderWorld, _ choices: ReminderChoices) async throws {
    let now = world.now
    try await world.place.database.write { writer in
      try choices.keep(of: ReminderWorld.ann, by: ReminderWorld.account, at: now, in: writer)
    }
  }

  private func keep(_ world: ReminderWorld, _ plan: Plan, _ choice: PlanReminders) async throws {
    let now = world.now
    try await world.place.database.write { writer in
      try EscalationCommands.keep(
        choice, of: plan.id, patient: ReminderWorld.ann, by: ReminderWorld.account, at: now,
        in: writer)
    }
  }

  @Test func `on a Saturday reminders wait as a group while doses stay due`() async throws {
    let world = try await ReminderWorld(at: "2026-03-07T06:00:00+01:00")
    try await world.add("07:00", start: "2026-03-07")
    try await world.add("07:40", name: "Ramipril", start: "2026-03-07")
    var choices = ReminderChoices()
    choices.weekendMinute = 9 * 60 + 30
    try await choose(world, choices)
    for time in ["07:00", "07:40", "09:29"] {
      world.place.clock.set("2026-03-07T\(time):00+01:00")
      #expect(try await world.send().isEmpty, "\(time)")
    }
    #expect(try await world.doses().filter { $0.state == .due }.count == 2)
    world.place.clock.set("2026-03-07T09:30:00+01:00")
    let sent = try await world.send()
    #expect(sent.map(\.line) == ["push 0 1"])
    #expect(sent.first?.content.doses.count == 2)
    #expect(sent.first?.content.due == Timestamp("2026-03-07T07:00:00+01:00"))
    world.place.clock.set("2026-03-07T09:35:00+01:00")
    #expect(try await world.send().map(\.line) == ["push 1 1"])
    // Monday is unchanged.
    world.place.clock.set("2026-03-09T07:00:00+01:00")
    #expect(try await world.send().map(\.line).contains("push 0 1"))
  }

  @Test func `an early answer ends the reminder, and urgent doses don't wait`() async throws {
    let world = try await ReminderWorld(at: "2026-03-07T06:00:00+01:00")
    let plan = try await world.add("07:00", start: "2026-03-07")
    let critical = try await world.add("07:00", name: "Insulin", start: "2026-03-07")
    var choice = PlanReminders()
    choice.isCritical = true
    try await keep(world, critical, choice)
    var choices = ReminderChoices()
    choices.weekendMinute = 9 * 60
    try await choose(world, choices)
    world.place.clock.set("2026-03-07T07:00:00+01:00")
    #expect(try await world.send().first?.content.doses.map(\.plan) == [critical.id])
    #expect(try await world.answer(world.dose(of: critical)?.id, .taken))
    #expect(try await world.answer(world.dose(of: plan)?.id, .taken))
    world.place.clock.set("2026-03-07T09:00:00+01:00")
    #expect(try await world.send().isEmpty)
  }

  /// With any choice, a reminder rings no earlier than due and never in the last half hour of the window,
  /// unless it was due then.
  @Test func `the delayed reminder is before the end of the window`() throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    var generator = SeededGenerator(seed: 5)
    let start = Timestamp("2026-03-20T00:00:00+01:00")
    for _ in 0..<4_000 {
      var choices = ReminderChoices()
      if Bool.random(using: &generator) {
        choices.weekendMinute = Int.random(in: 0..<1_440, using: &generator)
      }
      let first = try #require(CivilDate(text: "2026-03-21"))
        .adding(days: Int.random(in: 0...12, using: &generator))
      if Bool.random(using: &generator) {
        choices.holiday = ReminderChoices.Holiday(
          minute: Int.random(in: 0..<1_440, using: &generator), starts: first,
          ends: first.adding(days: 3))
      }
      let due = start.adding(
        milliseconds: Int64.random(in: 0..<20 * 1_440, using: &generator) * 60_000)
      let late = due.adding(
        milliseconds: Int64.random(in: 30...720, using: &generator) * 60_000)
      let rings = choices.rings(due: due, lateUntil: late, in: zone)
      #expect(rings >= due)
      #expect(rings == due || rings <= late.adding(milliseconds: -30 * 60_000))
      let local = zone.local(at: Instant(due))
      let isWeekend = [.saturday, .sunday].contains(local.date.weekday)
      let isHoliday = choices.holiday.map { ($0.starts...$0.ends).contains(local.date) } ?? false
      if !(isWeekend && choices.weekendMinute != nil) && !isHoliday { #expect(rings == due) }
    }
  }

  @Test func `a delayed reminder follows changes to the settings`() async throws {
    let world = try await ReminderWorld(at: "2026-03-07T06:00:00+01:00")
    let plan = try await world.add("07:00", start: "2026-03-07")
    var choices = ReminderChoices()
    choices.weekendMinute = 9 * 60 + 30
    try await choose(world, choices)
    func send(at time: String) async throws -> [String] {
      world.place.clock.set("2026-03-07T\(time):00+01:00")
      return try await world.send().map(\.line)
    }
    #expect(try await send(at: "07:00").isEmpty)
    // Later than before: nothing at the old time.
    choices.weekendMinute = 10 * 60
    try await choose(world, choices)
    #expect(try await send(at: "09:30").isEmpty)
    // Earlier than now: at once, and as an ordinary reminder although it was due hours ago.
    choices.weekendMinute = 8 * 60
    try await choose(world, choices)
    #expect(try await send(at: "09:31") == ["push 0 1"])
    #expect(try await send(at: "09:36") == ["push 1 1"])
    #expect(try await send(at: "10:00") == ["push 2 1"])
    #expect(try await world.answer(world.dose(of: plan)?.id, .taken))
    #expect(try await send(at: "10:30").isEmpty)
  }

  @Test func `a dose that can't wait rings at once, a snoozed one keeps its time`() async throws {
    let world = try await ReminderWorld(at: "2026-03-07T06:00:00+01:00")
    let urgent = try await world.add("07:00", start: "2026-03-07")
    let putOff = try await world.add("07:00", name: "Ramipril", start: "2026-03-07")
    var choices = ReminderChoices()
    choices.weekendMinute = 9 * 60
    try await choose(world, choices)
    world.place.clock.set("2026-03-07T07:00:00+01:00")
    #expect(try await world.send().isEmpty)
    #expect(try await world.answer(world.dose(of: putOff)?.id, .later, minutes: 180))
    try await world.round()
    var choice = PlanReminders()
    choice.isCritical = true
    try await keep(world, urgent, choice)
    let sent = try await world.send()
    #expect(sent.map(\.line) == ["push 0 1"])
    #expect(sent.first?.content.doses.map(\.plan) == [urgent.id])
    #expect(try await world.answer(world.dose(of: urgent)?.id, .taken))
    world.place.clock.set("2026-03-07T09:30:00+01:00")
    #expect(try await world.send().isEmpty)
    world.place.clock.set("2026-03-07T10:00:00+01:00")
    #expect(try await world.send().first?.content.doses.map(\.plan) == [putOff.id])
  }

  @Test func `unanswered doses are asked about until someone answers`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    try await world.send(at: "08:00")
    world.place.clock.set("2026-03-04T07:00:00+01:00")
    try await world.send()
    let end = Timestamp("2026-03-04T00:00:00+01:00")
    let now = world.now
    func summary() async throws -> MissedDoses.Summary? {
      try await world.place.database.read { reader in
        try MissedDoses.summary(of: ReminderWorld.ann, dueBefore: end, now: now, in: reader)
      }
    }
    func isInUse(at moment: Timestamp) async throws -> Bool? {
      try await world.place.database.read { reader in
        try PatientSnapshot(
          of: ReminderWorld.ann, now: moment, zones: world.place.zones, in: reader
        ).features(seenBy: ReminderWorld.account)?.missedDoses
      }
    }
    let first = Timestamp("2026-03-02T08:00:00+01:00")
    #expect(try await summary() == MissedDoses.Summary(count: 2, first: first))
    #expect(try await isInUse(at: now) == true)
    #expect(try await isInUse(at: first) == false, "its window has not passed")
    #expect(try await isInUse(at: now.adding(milliseconds: 40 * 86_400_000)) == false)
    let asked = try await world.place.database.read { reader in
      try MissedDoses.first(of: ReminderWorld.ann, dueBefore: end, now: now, in: reader)
    }
    #expect(asked?.plan == plan.id)
    #expect(try await world.answer(asked, .taken))
    #expect(try await summary()?.count == 1)
    try await world.place.database.write { writer in
      try MissedDoses.noteUnknown(
        nil, of: ReminderWorld.ann, by: ReminderWorld.account, dueBefore: end, now: now,
        in: writer)
    }
    #expect(try await summary() == nil)
  }
}
