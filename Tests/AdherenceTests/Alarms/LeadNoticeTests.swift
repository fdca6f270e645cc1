// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Plans
@testable import Reminders

/// Advance notices of doses: one for those that ring together, on silent channels, before the reminder's
/// time.
@Suite("Advance notices of doses")
struct LeadNoticeTests {
  private func lead(
    _ world: ReminderWorld, _ plan: Plan, _ minutes: Int?, silent: Bool = false
  ) async throws {
    let now = world.now
    var choice = PlanReminders()
    choice.lead = minutes
    choice.isSilent = silent
    try await world.place.database.write { [choice] writer in
      try EscalationCommands.keep(
        choice, of: plan.id, patient: ReminderWorld.ann, by: ReminderWorld.account, at: now,
        in: writer)
    }
  }

  /// Runs the program's ten-second step and returns true if there was anything to do.
  @discardableResult
  private func announce(_ world: ReminderWorld) async throws -> Bool {
    let context = world.context
    return try await world.place.database.write { writer in
      let now = context.now
      let near = try LeadNotices.near(now, after: "", limit: 100, in: writer)
      let behind = try near.filter { patient in
        try LeadNotices.isBehind(patient, now: now, zones: context.zones, in: writer)
      }
      for patient in behind {
        try LeadNotices.renew(
          patient, now: now, zones: context.zones, newIdentifier: context.newIdentifier,
          in: writer)
      }
      return !behind.isEmpty
    }
  }

  /// Returns the notices of each minute, with the time: such as "08:30 09:00".
  private func said(
    _ world: ReminderWorld, from: String, minutes: Int, day: String = "2026-03-02",
    _ act: @Sendable (String) async throws -> Void = { _ in }
  ) async throws -> [String] {
    world.place.clock.set("\(day)T\(from):00+01:00")
    var found: [String] = []
    for _ in 0..<minutes {
      let zone = try world.place.zones.zone("Europe/Berlin")
      func time(_ moment: Timestamp) -> String {
        String(zone.local(at: Instant(moment)).time.text.prefix(5))
      }
      try await act(time(world.now))
      try await announce(world)
      for sent in try await world.send() where sent.kind == .lead {
        found.append("\(time(world.now)) \(time(sent.content.due)) \(sent.channel.rawValue)")
      }
      world.place.clock.advance(minutes: 1)
    }
    return found
  }

  @Test func `a dose is announced once, unless answered, moved or muted before`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("09:00")
    try await lead(world, plan, 30)
    world.set("08:25")
    #expect(try await announce(world))
    #expect(try await announce(world) == false)
    #expect(try await world.send(at: "08:29").isEmpty)
    let sent = try await world.send(at: "08:30")
    #expect(sent.map(\.content.kind) == [.lead])
    #expect(sent.first?.content.words.title == "Reminder coming up at 09:00")
    #expect(try await announce(world) == false)
    #expect(try await world.send(at: "08:40").isEmpty)
    #expect(try await world.answer(world.dose(of: plan)?.id, .taken))
    // Silencing the medicine cancels the next day's notice.
    world.place.clock.set("2026-03-03T08:25:00+01:00")
    try await world.place.extendHorizon()
    try await world.send()
    #expect(try await announce(world))
    try await lead(world, plan, 30, silent: true)
    world.place.clock.set("2026-03-03T08:30:00+01:00")
    #expect(try await world.send().isEmpty)
  }

  @Test func `doses that ring together are announced together`() async throws {
    let world = try await ReminderWorld()
    for (time, minutes) in [("09:00", 30), ("09:05", 30), ("09:10", 15), ("09:40", 30)] {
      try await lead(world, world.add(time, name: time), minutes)
    }
    #expect(
      try await said(world, from: "08:00", minutes: 60) == ["08:30 09:00 push"])
    // The ringing of the first group does not hide the next.
    #expect(
      try await said(world, from: "09:00", minutes: 30) == ["09:10 09:40 push"])
  }

  @Test func `a dose that leaves the group takes its notice along`() async throws {
    let world = try await ReminderWorld()
    let first = try await world.add("09:00", name: "First")
    let second = try await world.add("09:10", name: "Second")
    try await lead(world, first, 30)
    try await lead(world, second, 30)
    let said = try await said(world, from: "08:15", minutes: 40) { time in
      if time == "08:28" { try await world.answer(try await world.dose(of: first)?.id, .taken) }
    }
    #expect(said == ["08:40 09:10 push"])
    // A dose that leaves the group afterwards does not repeat the notice.
    let other = try await ReminderWorld()
    let one = try await other.add("09:00", name: "First")
    try await lead(other, one, 30)
    try await lead(other, other.add("09:10", name: "Second"), 30)
    #expect(
      try await self.said(other, from: "08:15", minutes: 40) { time in
        if time == "08:33" { try await other.answer(try await other.dose(of: one)?.id, .taken) }
      } == ["08:30 09:00 push"])
  }

  @Test func `changing the notice period applies in both directions`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("09:00")
    try await lead(world, plan, 30)
    let said = try await said(world, from: "07:50", minutes: 60) { time in
      switch time {
      case "07:52": try await lead(world, plan, 60)
      case "07:56": try await lead(world, plan, 30)
      case "08:25": try await lead(world, plan, 20)
      default: break
      }
    }
    #expect(said == ["08:40 09:00 push"])
  }

  @Test func `delayed weekend reminders are announced before they ring`() async throws {
    let world = try await ReminderWorld(at: "2026-03-07T06:00:00+01:00")
    let plan = try await world.add("07:00", start: "2026-03-07")
    try await lead(world, plan, 30)
    let now = world.now
    try await world.place.database.write { writer in
      var choices = ReminderChoices()
      choices.weekendMinute = 9 * 60 + 30
      try choices.keep(of: ReminderWorld.ann, by: ReminderWorld.account, at: now, in: writer)
    }
    #expect(
      try await said(world, from: "06:20", minutes: 200, day: "2026-03-07")
        == ["09:00 09:30 push"])
  }

  /// If no device works, a silent channel replaces it, and no one is called or sent a text or mail.
  @Test func `an advance notice makes no phone call`() async throws {
    let world = try await ReminderWorld(devices: [])
    for form in ChannelForm.allCases { try await prove(form, world) }
    try await lead(world, world.add("09:00"), 30)
    #expect(try await said(world, from: "08:25", minutes: 10) == ["08:30 09:00 ntfy"])
    // The reminder itself uses all of them.
    #expect(try await world.send(at: "09:00").contains { $0.channel == .call })

    let failing = try await ReminderWorld(devices: ["phone"])
    for form in ChannelForm.allCases { try await prove(form, failing) }
    try await lead(failing, failing.add("09:00"), 30)
    failing.set("08:25")
    try await announce(failing)
    #expect(try await failing.send(at: "08:30", .gone).map(\.channel) == [.push])
    #expect(try await failing.send(.failed(trouble: "status-403")).map(\.channel) == [.ntfy])
    #expect(try await failing.send().isEmpty)
  }

  private func prove(_ form: ChannelForm, _ world: ReminderWorld) async throws {
    let context = world.context
    try await world.place.database.write { writer in
      let id = try ChannelAddresses.add(
        ChannelSettings(server: "https://\(form.rawValue).example", topic: "t"), form: form,
        host: "\(form.rawValue).example", account: ReminderWorld.account, context, in: writer)
      try ChannelAddresses.confirm(try #require(id), at: context.now, in: writer)
    }
  }

  /// For any doses, each is in at most one notice, no notice spans more than a quarter of an hour, and each
  /// is sent between the earliest and the latest time wanted by one of its doses.
  @Test func `groups of advance notices`() {
    var random = SeededGenerator(seed: 22)
    let start = Timestamp("2026-03-02T08:00:00+01:00")
    for _ in 0..<2_000 {
      let doses = (0..<Int.random(in: 0...24, using: &random)).map { number in
        LeadDose(
          id: "d\(number)",
          rings: start.adding(
            milliseconds: Int64.random(in: 1...90, using: &random) * 60_000),
          lead: Int64.random(in: 1...100, using: &random))
      }
      let now = start
      let notices = LeadPlan.notices(doses, now: now)
      let named = notices.flatMap(\.doses)
      #expect(Set(named).count == named.count)
      for notice in notices {
        let group = doses.filter { notice.doses.contains($0.id) }
        let rings = group.map(\.rings)
        #expect(rings.min() == notice.due && group.count <= ReminderGrouping.largest)
        #expect((rings.max() ?? start) <= notice.due.adding(milliseconds: 15 * 60_000))
        #expect(
          group.contains { $0.rings.adding(milliseconds: -$0.lead * 60_000) == notice.moment })
        #expect(notice.moment <= now.adding(milliseconds: LeadNotices.reach))
        #expect(notice.moment > now.adding(milliseconds: -LeadNotices.patience))
      }
    }
  }
}
