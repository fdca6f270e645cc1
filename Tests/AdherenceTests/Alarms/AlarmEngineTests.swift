// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Reminders

/// Alarms as the reminder engine rings them: once, by the escalation policy, until someone answers.
@Suite("Ringing alarms")
struct AlarmEngineTests {
  private func draft(
    _ time: String, days: Set<Weekday> = Set(Weekday.allCases), starts: String = "2026-03-01",
    lead: Int? = nil
  ) throws -> AlarmDraft {
    AlarmDraft(
      kind: .water, label: "",
      times: AlarmTimes(
        time: try #require(ClockTime(text: time)), days: days,
        starts: try #require(CivilDate(text: starts))), lead: lead)
  }

  private func commands(_ world: ReminderWorld) -> AlarmCommands {
    AlarmCommands(
      patient: ReminderWorld.ann, account: ReminderWorld.account, now: world.now,
      zones: world.place.zones)
  }

  @discardableResult
  private func add(_ world: ReminderWorld, _ draft: AlarmDraft, id: AlarmID = "water")
    async throws -> Alarm
  {
    let commands = commands(world)
    return try await world.place.database.write { writer in
      try commands.create(draft, id: id, in: writer)
    }
  }

  private func alerts(_ world: ReminderWorld) async throws -> [Alert] {
    try await world.place.database.read { reader in
      try AlertQueries.ending(
        after: Timestamp(milliseconds: 0), patient: ReminderWorld.ann, in: reader)
    }
  }

  @discardableResult
  private func answer(
    _ world: ReminderWorld, _ alert: Alert, _ action: AlertAnswer.Action,
    minutes: Int? = nil, event: String? = nil, by name: String = "Ann"
  ) async throws -> Alert {
    let now = world.now
    return try await world.place.database.write { writer in
      try AlertCommands.answer(
        alert.id, patient: ReminderWorld.ann,
        AlertAnswer(action, minutes: minutes, event: event), account: ReminderWorld.account,
        byName: name, at: now, in: writer)
    }
  }

  @Test func `an alarm uses the same escalation until answered`() async throws {
    let world = try await ReminderWorld()
    try await add(world, draft("08:00"))
    #expect(try await world.send(at: "07:59").isEmpty)
    let first = try await world.send(at: "08:00")
    #expect(first.map(\.line) == ["push 0 1"])
    #expect(first.first?.content.words.title == "Alarm at 08:00")
    #expect(first.first?.content.words.body == "Open to answer.")
    #expect(try await world.send(at: "08:05").map(\.line) == ["push 1 1"])
    let alert = try #require(try await alerts(world).first)
    try await answer(world, alert, .done)
    #expect(try await world.send(at: "08:10").isEmpty)
    #expect(try await world.send(at: "08:30").isEmpty)
    let reminder = try await world.reminder(alert.subject)
    #expect(reminder?.state == .closed && reminder?.outcome == .answered)
    #expect(try await world.deliveries().allSatisfy { $0.answered != nil })
  }

  @Test func `repeated planning plans an alarm once`() async throws {
    let world = try await ReminderWorld(devices: ["phone", "tablet"])
    try await add(world, draft("08:00"))
    world.set("08:00")
    for _ in 0..<5 { try await world.round(limit: 1) }
    #expect(try await alerts(world).count == 1)
    #expect(try await world.claim().count == 2)
    // It rings once a day.
    world.place.clock.set("2026-03-03T08:00:00+01:00")
    #expect(try await world.send().count == 2)
    #expect(try await alerts(world).count == 2)
  }

  @Test func `a snoozed alarm rings again, and its earlier notices end`() async throws {
    let world = try await ReminderWorld()
    try await add(world, draft("08:00"))
    try await world.send(at: "08:00")
    world.set("08:02")
    let alert = try #require(try await alerts(world).first)
    #expect(alert.laterChoices(snooze: 10, at: world.now) == [10, 60, 120, 180, 240])
    try await answer(world, alert, .later, minutes: 60)
    #expect(try await world.send(at: "08:05").isEmpty)
    #expect(try await world.send(at: "09:01").isEmpty)
    #expect(try await world.send(at: "09:02").map(\.line) == ["push 0 2"])
    try await answer(world, alert, .declined)
    #expect(try await world.send(at: "09:07").isEmpty)
    // Taken back in time, it rings again.
    world.set("09:10")
    try await answer(world, alert, .undo)
    #expect(try await world.send().map(\.line) == ["push 0 3"])
  }

  @Test func `the first answer wins, and a repeated press counts once`() async throws {
    let world = try await ReminderWorld()
    try await add(world, draft("08:00"))
    try await world.send(at: "08:00")
    let alert = try #require(try await alerts(world).first)
    let done = try await answer(world, alert, .done, event: "one", by: "Bob")
    #expect(try await answer(world, alert, .done, event: "two").version == done.version)
    #expect(try await answer(world, alert, .done, event: "one").answeredBy == "Bob")
    await #expect(throws: AlertError.self) {
      try await answer(world, alert, .declined)
    }
    await #expect(throws: AlertError.self) {
      try await answer(world, alert, .later, minutes: 10)
    }
  }

  @Test func `switched off or removed alarms fall silent and ring once restored`() async throws {
    let world = try await ReminderWorld()
    let alarm = try await add(world, draft("08:00"))
    try await world.send(at: "08:00")
    world.set("08:03")
    let commands = commands(world)
    try await world.place.database.write { writer in
      _ = try commands.turn(alarm.id, on: false, in: writer)
    }
    #expect(try await world.send(at: "08:05").isEmpty)
    #expect(try await alerts(world).map(\.state) == [.cancelled])
    world.place.clock.set("2026-03-03T08:00:00+01:00")
    #expect(try await world.send().isEmpty)
    let later = self.commands(world)
    try await world.place.database.write { writer in
      _ = try later.turn(alarm.id, on: true, in: writer)
      try later.remove(alarm.id, in: writer)
      _ = try later.restore(alarm.id, in: writer)
    }
    world.place.clock.set("2026-03-04T08:00:00+01:00")
    #expect(try await world.send().map(\.line) == ["push 0 1"])
  }

  @Test func `after an outage the last missed alarm is kept but does not ring`() async throws {
    let world = try await ReminderWorld()
    try await add(world, draft("08:00"))
    world.place.clock.set("2026-03-09T11:00:00+01:00")
    #expect(try await world.send().isEmpty)
    let kept = try await alerts(world)
    #expect(kept.map(\.due) == [Timestamp("2026-03-09T08:00:00+01:00")])
    #expect(try await world.reminder(kept.first?.subject)?.outcome == .missed)
    world.place.clock.set("2026-03-10T08:00:00+01:00")
    #expect(try await world.send().map(\.line) == ["push 0 1"])
  }

  /// The clock was days ahead: alarms that it skipped ring at their time once it is right.
  @Test(arguments: [false, true])
  func `an alarm skipped by a wrong clock rings once it is corrected`(isOnce: Bool) async throws {
    let world = try await ReminderWorld()
    try await add(
      world, draft("08:00", days: isOnce ? [] : Set(Weekday.allCases), starts: "2026-03-02"))
    let answered = try await add(world, draft("08:10"), id: "answered")
    world.place.clock.set("2026-03-04T09:00:00+01:00")
    try await world.send()
    for alert in try await alerts(world) where alert.source == answered.id.text {
      try await answer(world, alert, .done)
    }
    world.set("07:00")
    let context = world.context
    try await world.place.database.write { writer in
      try ReminderEngine.trustClock(context.now, by: "admin", in: writer)
      try ReminderEngine.clockStepped(
        back: 2 * 86_400_000 + 2 * 3_600_000, context, in: writer)
    }
    #expect(try await world.send(at: "07:59").isEmpty)
    #expect(try await world.send(at: "08:00").map(\.line) == ["push 0 1"])
    #expect(try await world.send(at: "08:05").map(\.line) == ["push 1 1"])
    let alert = try #require(
      try await alerts(world).last { $0.due == Timestamp("2026-03-02T08:00:00+01:00") })
    try await answer(world, alert, .done)
    #expect(try await world.send(at: "08:10").map(\.line) == ["push 0 1"])
    world.place.clock.set("2026-03-03T08:00:00+01:00")
    #expect(try await world.send().count == (isOnce ? 0 : 1))
  }

  @Test func `an alarm answered early stays answered after the clock is set back`() async throws {
    let world = try await ReminderWorld()
    try await add(world, draft("08:00"))
    try await world.send(at: "08:00")
    try await answer(world, try #require(try await alerts(world).first), .done)
    world.set("07:00")
    let context = world.context
    try await world.place.database.write { writer in
      try ReminderEngine.clockStepped(back: 3_600_000, context, in: writer)
    }
    #expect(try await world.send(at: "08:00").isEmpty)
    world.place.clock.set("2026-03-03T08:00:00+01:00")
    #expect(try await world.send().map(\.line) == ["push 0 1"])
  }

  @Test func `an advance notice comes once, and not for cancelled alarms`() async throws {
    let world = try await ReminderWorld()
    let alarm = try await add(world, draft("09:00", lead: 30))
    let lead = try await world.send(at: "08:30")
    #expect(lead.map(\.line) == ["push 0 1"])
    #expect(lead.first?.content.words.title == "Reminder coming up at 09:00")
    #expect(try await world.send(at: "08:40").isEmpty)
    #expect(try await world.send(at: "09:00").map(\.content.kind) == [.alarm])
    world.place.clock.set("2026-03-03T08:00:00+01:00")
    let commands = commands(world)
    try await world.place.database.write { writer in
      _ = try commands.turn(alarm.id, on: false, in: writer)
    }
    world.place.clock.set("2026-03-03T08:30:00+01:00")
    #expect(try await world.send().isEmpty)
  }

  @Test func `a warning is delivered like any reminder, including to family`() async throws {
    let world = try await ReminderWorld()
    try await world.addAccount("bob", patient: "bobs")
    try await world.addDevice("bobs phone", account: "bob")
    let (now, accounts) = (world.now, world.accounts)
    try await world.place.database.write { writer in
      try accounts.grant(
        .family, of: ReminderWorld.ann, to: "bob", from: now, categories: [.adherence],
        by: "account", in: writer)
      _ = try EscalationCommands.offer(
        to: "bob", of: ReminderWorld.ann, by: "account", at: now, in: writer)
      _ = try EscalationCommands.accept(ReminderWorld.ann, account: "bob", at: now, in: writer)
    }
    try await add(world, draft("08:00"))
    world.set("08:00")
    let due = world.now
    let alert = NewAlert(
      patient: ReminderWorld.ann, id: "measure-1", kind: .alarm, source: "1", due: due,
      ends: due.adding(milliseconds: 4 * 3_600_000))
    let context = world.context
    let made = try await world.place.database.write { writer in
      [
        try AlertCommands.open(
          alert, newIdentifier: context.newIdentifier, at: due, in: writer),
        try AlertCommands.open(
          alert, newIdentifier: context.newIdentifier, at: due, in: writer),
      ]
    }
    #expect(made == [true, false])
    #expect(try await world.send().count == 2)
    for time in ["08:05", "08:10", "08:20"] { #expect(try await world.send(at: time).count == 2) }
    // Only doses are reported to the family.
    #expect(try await world.send(at: "08:30").isEmpty)
  }
}
