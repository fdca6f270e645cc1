// SPDX-License-Identifier: Apache-2.0

import Access
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

/// Deliveries planned before the quiet hours but not sent are delayed, not lost.
@Suite("Quiet hours and earlier deliveries")
struct QuietHourTests {
  /// Creates a dose at 08:00, with quiet hours from 08:06.
  private func world(
    _ steps: [EscalationStep], until: String = "08:50", isCritical: Bool = false
  ) async throws -> ReminderWorld {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    let now = world.now
    let end = try #require(until.split(separator: ":").first.flatMap { Int($0) }) * 60
    let minute = try #require(until.split(separator: ":").last.flatMap { Int($0) })
    let escalation = try EscalationPolicy(steps)
    try await world.place.database.write { writer in
      try EscalationCommands.keep(
        escalation, of: ReminderWorld.ann, by: "account", at: now, in: writer)
      try EscalationCommands.keep(
        quiet: QuietHours(from: 8 * 60 + 6, until: end + minute), namesMedicine: false,
        of: ReminderWorld.ann, by: "account", at: now, in: writer)
      var choice = PlanReminders()
      choice.isCritical = isCritical
      try EscalationCommands.keep(
        choice, of: plan.id, patient: ReminderWorld.ann, by: "account", at: now, in: writer)
    }
    return world
  }

  private static let mailed: [EscalationStep] = [
    .init(0, .push), .init(5, .mail), .init(60, .push),
  ]

  @Test(arguments: [false, true])
  func `a retry waits for the end of quiet hours, unless it is urgent`(isCritical: Bool)
    async throws
  {
    let world = try await world(Self.mailed, isCritical: isCritical)
    try await world.send(at: "08:00")
    let tried = try await world.send(at: "08:05", .retry(afterSeconds: 120, trouble: "timeout"))
    #expect(tried.map(\.line) == ["mail 1 1"])
    #expect(try await world.send(at: "08:07").map(\.line) == (isCritical ? ["mail 1 1"] : []))
    #expect(try await world.send(at: "08:49").isEmpty)
    #expect(try await world.send(at: "08:50").map(\.line) == (isCritical ? [] : ["mail 1 1"]))
    #expect(try await world.send(at: "09:00").map(\.line) == ["push 2 1"])
  }

  @Test func `the first step is sent even in quiet hours`() async throws {
    let world = try await world(Self.mailed)
    try await world.send(at: "08:00", .retry(afterSeconds: 480, trouble: "timeout"))
    try await world.send(at: "08:05")
    #expect(try await world.send(at: "08:08").map(\.line) == ["push 0 1"])
  }

  @Test func `a replacement channel waits for the end and isn't lost`() async throws {
    let world = try await world([.init(0, .push), .init(5, .ntfy), .init(60, .push)])
    let context = world.context
    try await world.place.database.write { writer in
      let id = try ChannelAddresses.add(
        ChannelSettings(server: "https://ntfy.example", topic: "t"), form: .ntfy,
        host: "ntfy.example", account: ReminderWorld.account, context, in: writer)
      try ChannelAddresses.confirm(try #require(id), at: context.now, in: writer)
    }
    try await world.send(at: "08:00")
    world.set("08:05")
    try await world.round()
    let claimed = try await world.claim()
    #expect(claimed.map(\.line) == ["ntfy 1 1"])
    world.set("08:06")
    try await world.complete(claimed, .failed(trouble: "status-403"))
    #expect(try await world.send().isEmpty)
    #expect(try await world.send(at: "08:50").map(\.line) == ["push 1 1"])
    #expect(try await world.send(at: "09:00").map(\.line) == ["push 2 1"])
  }

  @Test func `a delivery that is stale by the end is dropped and reported`() async throws {
    let world = try await world(Self.mailed, until: "21:00")
    try await world.send(at: "08:00")
    try await world.send(at: "08:05", .retry(afterSeconds: 120, trouble: "timeout"))
    try await world.send(at: "08:07")
    #expect(try await world.send(at: "21:00").isEmpty)
    #expect(
      try await world.deliveries().filter { $0.channel == .mail }.map(\.outcome) == [.stale])
    #expect(try await world.ringing().isEmpty)
  }

  @Test func `an answer cancels held deliveries`() async throws {
    let world = try await world(Self.mailed)
    try await world.send(at: "08:00")
    try await world.send(at: "08:05", .retry(afterSeconds: 120, trouble: "timeout"))
    try await world.send(at: "08:07")
    world.set("08:20")
    try await world.answer(try await world.doses().first { $0.state == .due }?.id, .taken)
    #expect(try await world.send(at: "08:50").isEmpty)
    #expect(
      try await world.deliveries().filter { $0.channel == .mail }.map(\.outcome) == [.answered])
  }

  @Test func `changed quiet hours apply to waiting deliveries at once`() async throws {
    let world = try await world(Self.mailed, until: "12:00")
    try await world.send(at: "08:00")
    try await world.send(at: "08:05", .retry(afterSeconds: 120, trouble: "timeout"))
    #expect(try await world.send(at: "08:07").isEmpty)
    func choose(_ quiet: QuietHours?) async throws {
      let now = world.now
      try await world.place.database.write { writer in
        try EscalationCommands.keep(
          quiet: quiet, namesMedicine: false, of: ReminderWorld.ann, by: "account", at: now,
          in: writer)
      }
    }
    world.set("10:00")
    try await choose(QuietHours(from: 8 * 60, until: 10 * 60 + 30))
    #expect(try await world.send().isEmpty)
    #expect(try await world.send(at: "10:29").isEmpty)
    #expect(try await world.send(at: "10:30").map(\.line).sorted() == ["mail 1 1", "push 2 1"])

    let other = try await self.world(Self.mailed, until: "12:00")
    try await other.send(at: "08:00")
    try await other.send(at: "08:05")
    // Two hours later, its next step was not delayed by an outage: it continues without a summary.
    other.set("11:00")
    let now = other.now
    try await other.place.database.write { writer in
      try EscalationCommands.keep(
        quiet: nil, namesMedicine: false, of: ReminderWorld.ann, by: "account", at: now,
        in: writer)
    }
    #expect(try await other.send().map(\.line) == ["push 2 1"])
  }
}
