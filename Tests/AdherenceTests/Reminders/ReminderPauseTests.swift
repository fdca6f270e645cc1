// SPDX-License-Identifier: Apache-2.0

import Plans
import Reminders
import Storage
import Testing
import TestSupport

@Suite("A medicine paused while it rings")
struct ReminderPauseTests {
  private func pause(_ plan: Plan, in world: ReminderWorld) async throws {
    let context = world.place.context
    _ = try await world.place.database.write { writer in
      try PlanCommands.pause(plan.id, reason: "", context: context, in: writer)
    }
  }

  private func resume(_ plan: Plan, in world: ReminderWorld) async throws {
    let context = world.place.context
    _ = try await world.place.database.write { writer in
      try PlanCommands.resume(plan.id, context: context, in: writer)
    }
  }

  @Test func `a pause silences the reminder, but the due dose can be answered`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    #expect(try await world.send(at: "08:00").map(\.line) == ["push 0 1"])
    world.set("08:02")
    try await pause(plan, in: world)
    try await world.round()
    #expect(try await world.ringing().isEmpty)
    for time in ["08:05", "08:10", "08:20"] {
      #expect(try await world.send(at: time).isEmpty, "at \(time)")
    }
    #expect(try await world.answer(try await world.dose(of: plan)?.id, .taken))
    #expect(try await world.dose(of: plan)?.state == .taken)
  }

  @Test func `a push that was claimed before the pause is not planned again after it`() async throws
  {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    let claimed = try await world.claim()
    #expect(claimed.count == 1)
    try await pause(plan, in: world)
    try await world.complete(claimed, .handedOver)
    #expect(try await world.send(at: "08:05").isEmpty)
    #expect(try await world.ringing().isEmpty)
  }

  @Test func `the other medicine of the group rings on`() async throws {
    let world = try await ReminderWorld()
    let paused = try await world.add("08:00", name: "One")
    let other = try await world.add("08:05", name: "Two")
    #expect(try await world.send(at: "08:00").map(\.content.doses.count) == [2])
    world.set("08:02")
    try await pause(paused, in: world)
    let next = try await world.send(at: "08:05")
    #expect(next.map(\.line) == ["push 1 1"])
    #expect(next.flatMap { $0.content.doses.map(\.plan) } == [other.id])
  }

  @Test func `resuming within a dose's window rings for it again`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    try await world.send(at: "08:00")
    world.set("08:02")
    try await pause(plan, in: world)
    #expect(try await world.send(at: "08:05").isEmpty)
    world.set("08:06")
    try await resume(plan, in: world)
    var lines: [String] = []
    for time in ["08:06", "08:11", "08:16", "08:26"] {
      lines += try await world.send(at: time).map { "\(time) \($0.channel.rawValue)" }
    }
    #expect(lines.contains { $0.contains("push") })
    #expect(try await world.ringing().flatMap(\.doses).map(\.plan) == [plan.id])
  }
}
