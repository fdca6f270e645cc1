// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

/// The escalation policies that people chose, as the engine follows them.
@Suite("People's escalation policies")
struct EscalationEngineTests {
  private func write(
    _ world: ReminderWorld, _ work: @escaping @Sendable (any SQLWriter, Timestamp) throws -> Void
  ) async throws {
    let now = world.now
    try await world.place.database.write { try work($0, now) }
  }

  @Test func `a custom escalation uses its own minutes and channels`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    let escalation = try EscalationPolicy([.init(0, .mail), .init(3, .push), .init(60, .mail)])
    try await write(world) { writer, now in
      try EscalationCommands.keep(
        escalation, of: ReminderWorld.ann, by: "account", at: now, in: writer)
    }
    #expect(try await world.send(at: "08:00").map(\.line) == ["mail 0 1"])
    #expect(try await world.send(at: "08:03").map(\.line) == ["push 1 1"])
    #expect(try await world.send(at: "08:30").isEmpty)
    // Back to the standard policy in the middle: its later steps follow.
    #expect(try await world.send(at: "09:00").map(\.line) == ["mail 2 1"])
    #expect(try await world.send(at: "10:00").isEmpty)
  }

  @Test(arguments: [false, true])
  func `quiet hours delay reminders, except for urgent medicines`(isCritical: Bool) async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    try await write(world) { writer, now in
      try EscalationCommands.keep(
        quiet: QuietHours(from: 7 * 60, until: 9 * 60), namesMedicine: false,
        of: ReminderWorld.ann, by: "account", at: now, in: writer)
      var choice = PlanReminders()
      choice.isCritical = isCritical
      try EscalationCommands.keep(
        choice, of: plan.id, patient: ReminderWorld.ann, by: "account", at: now, in: writer)
    }
    #expect(try await world.send(at: "08:00").map(\.line) == ["push 0 1"])
    #expect(try await world.send(at: "08:05").count == (isCritical ? 1 : 0))
    #expect(try await world.send(at: "08:10").count == (isCritical ? 1 : 0))
    guard !isCritical else { return }
    #expect(try await world.send(at: "08:59").isEmpty)
    #expect(try await world.send(at: "09:00").map(\.line) == ["push 1 1"])
    #expect(try await world.send(at: "09:05").map(\.line) == ["push 2 1"])
    #expect(try await world.send(at: "09:15").map(\.line) == ["mail 3 1"])
  }

  @Test func `a muted medicine doesn't ring until it is unmuted`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    func silence(_ isSilent: Bool) async throws {
      try await write(world) { writer, now in
        var choice = PlanReminders()
        choice.isSilent = isSilent
        try EscalationCommands.keep(
          choice, of: plan.id, patient: ReminderWorld.ann, by: "account", at: now, in: writer)
      }
    }
    try await silence(true)
    #expect(try await world.send(at: "08:00").isEmpty)
    #expect(try await world.dose(of: plan)?.state == .due)
    try await silence(false)
    #expect(try await world.send(at: "08:10").map(\.line) == ["push 0 1"])
    try await silence(true)
    #expect(try await world.send(at: "08:15").isEmpty)
    #expect(try await world.ringing().isEmpty)
  }

  @Test func `a channel that was turned off after planning gets nothing`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    try await write(world) { writer, now in
      try EscalationCommands.silence(
        [.push], of: ReminderWorld.ann, account: "account", at: now, in: writer)
    }
    #expect(try await world.claim().isEmpty)
    #expect(try await world.deliveries().map(\.outcome) == [.stale])
    #expect(try await world.send(at: "08:05").isEmpty)
    #expect(try await world.send(at: "08:10").isEmpty)
    // Only mail is left, at its own step.
    #expect(try await world.send(at: "08:20").map(\.line) == ["mail 3 1"])
  }

  @Test func `notifications name the medicine only if chosen`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.add("08:01", name: "Metformin")
    let neutral = try #require(try await world.send(at: "08:00").first)
    #expect(!neutral.content.words.body.contains("Bisoprolol"))
    try await write(world) { writer, now in
      try EscalationCommands.keep(
        quiet: nil, namesMedicine: true, of: ReminderWorld.ann, by: "account", at: now, in: writer)
    }
    let named = try #require(try await world.send(at: "08:05").first)
    #expect(named.content.words.body.contains("Bisoprolol"))
    #expect(named.content.words.body.contains("Metformin"))
    #expect(named.content.words.body.contains("1 tablet"))
    #expect(!named.content.words.title.contains("Bisoprolol"))
  }

  @Test func `a notification that names the medicine includes the strength`() async throws {
    let world = try await ReminderWorld()
    var draft = PlanDraft.tablet(["08:00"], name: "Metoprolol", start: "2026-03-02")
    draft.strengthValue = "47.5"
    draft.strengthUnit = "mg"
    _ = try await world.place.add(draft)
    try await write(world) { writer, now in
      try EscalationCommands.keep(
        quiet: nil, namesMedicine: true, of: ReminderWorld.ann, by: "account", at: now, in: writer)
    }
    let named = try #require(try await world.send(at: "08:00").first)
    let expected = "Metoprolol 47.5 mg (1 tablet)"
    #expect(named.content.words.body.contains(expected), "\(named.content.words.body)")
    let payload = try JSONValue(
      parsing: named.content.payload(
        baseURL: "https://r.example", account: ReminderWorld.account
      ).full)
    #expect(payload["body"]?.string?.contains(expected) == true)
    #expect(payload["notification"]?["body"] == payload["body"])
  }

  // MARK: The family

  private func familyWorld() async throws -> ReminderWorld {
    let world = try await ReminderWorld()
    try await world.place.addPatient("bob-self", zone: "Europe/Berlin")
    try await world.addAccount("bob", patient: "bob-self")
    try await world.addDevice("bob-phone", account: "bob")
    try await world.add("08:00")
    return world
  }

  @Test func `family is told after half an hour if both sides agreed`() async throws {
    let world = try await familyWorld()
    let ann = ReminderWorld.ann
    // Without a grant nothing can be offered, and no one can accept what was not offered.
    let now = world.now
    #expect(
      try await world.place.database.write {
        try EscalationCommands.offer(to: "bob", of: ann, by: "account", at: now, in: $0)
      } == false)
    try await world.grant(.family, of: ann, to: "bob")
    #expect(
      try await world.place.database.write {
        try EscalationCommands.accept(ann, account: "bob", at: now, in: $0)
      } == false)
    #expect(
      try await world.place.database.write {
        try EscalationCommands.offer(to: "bob", of: ann, by: "account", at: now, in: $0)
      })
    for time in ["08:00", "08:05", "08:10", "08:20", "08:30"] { try await world.send(at: time) }
    #expect(try await world.deliveries().allSatisfy { $0.recipient == "account" })

    let again = try await familyWorld()
    try await again.grant(.family, of: ann, to: "bob")
    try await write(again) { writer, now in
      _ = try EscalationCommands.offer(to: "bob", of: ann, by: "account", at: now, in: writer)
      _ = try EscalationCommands.accept(ann, account: "bob", at: now, in: writer)
    }
    for time in ["08:00", "08:05", "08:10", "08:20"] {
      #expect(try await again.send(at: time).allSatisfy { $0.recipient == "account" })
    }
    let told = try await again.send(at: "08:30")
    #expect(told.map(\.recipient) == ["bob"] && told.map(\.line) == ["push 4 1"])
    let content = try #require(told.first?.content)
    #expect(content.words.title.contains("No answer yet") && content.path == "/")
    #expect(content.links.answers.isEmpty && content.label != nil)
    #expect(!content.words.body.contains("Bisoprolol"))
  }

  @Test(arguments: ["withdrawn", "no longer shared", "grant ended", "answered"])
  func `deliveries that end before sending are not sent`(reason: String) async throws {
    let world = try await familyWorld()
    let ann = ReminderWorld.ann
    try await world.grant(.family, of: ann, to: "bob")
    try await write(world) { writer, now in
      _ = try EscalationCommands.offer(to: "bob", of: ann, by: "account", at: now, in: writer)
      _ = try EscalationCommands.accept(ann, account: "bob", at: now, in: writer)
    }
    for time in ["08:00", "08:05", "08:10", "08:20"] { try await world.send(at: time) }
    world.set("08:30")
    try await world.round()
    switch reason {
    case "answered": try await world.answer(try await world.doses().first?.id, .taken)
    default:
      try await write(world) { writer, now in
        switch reason {
        case "withdrawn":
          try EscalationCommands.withdraw("bob", of: ann, by: "bob", at: now, in: writer)
        case "no longer shared":
          try writer.execute(
            "UPDATE grants SET categories = 'medicines' WHERE account = 'bob' AND patient = $1",
            [.text(ann)])
        default:
          try writer.execute(
            "UPDATE grants SET ends = $1 WHERE account = 'bob' AND patient = $2",
            [SQLValue(now), .text(ann)])
        }
      }
    }
    #expect(try await world.claim().isEmpty)
  }
}
