// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

/// The policy of one generation: its steps keep their numbers whoever joins or leaves meanwhile.
@Suite("Changes to an escalation policy while it rings")
struct EscalationGenerationTests {
  private static let ann = ReminderWorld.ann

  /// Creates Ann's dose at 08:00, and relatives who may see what she takes.
  private func world(_ family: AccountID...) async throws -> ReminderWorld {
    let world = try await ReminderWorld()
    for name in family {
      try await world.place.addPatient("\(name)-self", zone: "Europe/Berlin")
      try await world.addAccount(name, patient: "\(name)-self")
      try await world.addDevice("\(name)-phone", account: name)
      try await world.grant(.family, of: Self.ann, to: name)
    }
    try await world.add("08:00")
    return world
  }

  private func write(
    _ world: ReminderWorld, _ work: @escaping @Sendable (any SQLWriter, Timestamp) throws -> Void
  ) async throws {
    let now = world.now
    try await world.place.database.write { try work($0, now) }
  }

  private func agree(_ world: ReminderWorld, _ name: AccountID) async throws {
    try await write(world) { writer, now in
      _ = try EscalationCommands.offer(to: name, of: Self.ann, by: "account", at: now, in: writer)
      _ = try EscalationCommands.accept(Self.ann, account: name, at: now, in: writer)
    }
  }

  /// Returns what is sent in each minute of the hour after eight, such as "5 account push".
  private func hour(
    _ world: ReminderWorld, _ act: @Sendable (Int) async throws -> Void = { _ in }
  ) async throws -> [String] {
    var found: [String] = []
    for minute in 0..<60 {
      world.set(minute < 10 ? "08:0\(minute)" : "08:\(minute)")
      try await act(minute)
      for sent in try await world.send() {
        found.append("\(minute) \(sent.recipient) \(sent.channel.rawValue)")
      }
    }
    let keys = try await world.deliveries().map {
      "\($0.subject) \($0.generation) \($0.step) \($0.recipient) \($0.maskedAddress)"
    }
    #expect(Set(keys).count == keys.count)
    return found
  }

  private static let own = [
    "0 account push", "5 account push", "10 account push", "20 account mail",
  ]

  @Test(arguments: [(0, 30), (7, 30), (29, 30), (30, 30), (31, 31), (44, 44)])
  func `someone who joins while it rings is told at their step, or then`(joins: Int, told: Int)
    async throws
  {
    let world = try await world("bob")
    let sent = try await hour(world) { minute in
      if minute == joins { try await agree(world, "bob") }
    }
    #expect(sent == Self.own + ["\(told) bob push"])
  }

  /// Bob's step is before others: none of these is lost when he leaves, and none comes twice when he joins.
  @Test func `someone who leaves while it rings gets no further step`() async throws {
    let world = try await world("bob", "carl")
    try await agree(world, "bob")
    try await agree(world, "carl")
    try await write(world) { writer, now in
      try EscalationCommands.keep(
        EscalationPolicy([
          .init(0, .push), .init(3, .push, .family("bob")), .init(4, .push, .family("carl")),
          .init(6, .mail), .init(9, .push), .init(12, .push, .family("bob")),
        ]), of: Self.ann, by: "account", at: now, in: writer)
    }
    let sent = try await hour(world) { minute in
      switch minute {
      case 5:
        try await write(world) { writer, now in
          try EscalationCommands.withdraw("bob", of: Self.ann, by: "bob", at: now, in: writer)
        }
      case 7:
        try await write(world) { writer, now in
          try EscalationCommands.withdraw("carl", of: Self.ann, by: "account", at: now, in: writer)
        }
      case 8: try await agree(world, "carl")
      default: break
      }
    }
    #expect(
      sent == [
        "0 account push", "3 bob push", "4 carl push", "6 account mail", "9 account push",
      ])
  }

  @Test func `a changed escalation applies from the next reminder`() async throws {
    let world = try await world()
    let sent = try await hour(world) { minute in
      guard minute == 6 else { return }
      try await write(world) { writer, now in
        try EscalationCommands.keep(
          EscalationPolicy([.init(0, .push), .init(1, .mail), .init(2, .mail), .init(40, .push)]),
          of: Self.ann, by: "account", at: now, in: writer)
      }
    }
    #expect(sent == Self.own)
    world.place.clock.set("2026-03-03T08:00:00+01:00")
    try await world.place.extendHorizon()
    #expect(try await world.send().map(\.line) == ["push 0 1"])
    world.place.clock.set("2026-03-03T08:01:00+01:00")
    #expect(try await world.send().map(\.line) == ["mail 1 1"])
  }

  @Test func `snoozing uses the escalation as it is then`() async throws {
    let world = try await world("bob")
    try await world.send(at: "08:00")
    try await world.send(at: "08:05")
    try await agree(world, "bob")
    try await world.answer(
      try await world.doses().first { $0.state == .due }?.id, .later, minutes: 10)
    #expect(try await world.send(at: "08:15").map(\.line) == ["push 0 2"])
    for time in ["08:20", "08:25", "08:35"] { try await world.send(at: time) }
    #expect(try await world.send(at: "08:45").map(\.recipient) == ["bob"])
  }

  /// The state left by an earlier version: steps sent, no policy stored.
  @Test func `a reminder of an earlier version uses the current escalation`() async throws {
    let world = try await world()
    try await world.send(at: "08:00")
    try await write(world) { writer, _ in
      try writer.execute("UPDATE reminders SET escalation = NULL", [])
    }
    #expect(try await world.send(at: "08:05").map(\.line) == ["push 1 1"])
    try await write(world) { writer, _ in
      try writer.execute("UPDATE reminders SET escalation = 'nonsense'", [])
    }
    #expect(try await world.send(at: "08:10").map(\.line) == ["push 2 1"])
    #expect(try await world.send(at: "08:20").map(\.line) == ["mail 3 1"])
  }

  /// Sent steps keep their place, no step is lost or doubled, and the rest is in order.
  @Test func `joining under random events`() throws {
    var random = SeededGenerator(seed: 7)
    let names: [AccountID] = ["a", "b", "c", "d"]
    for _ in 0..<3_000 {
      var steps = [EscalationStep(0, .push)]
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        steps.append(
          EscalationStep(
            Int.random(in: 0...120, using: &random),
            ReminderChannel.allCases.randomElement(using: &random) ?? .push,
            Bool.random(using: &random)
              ? .acting : .family(names.randomElement(using: &random) ?? "a")))
      }
      guard let fixed = try? EscalationPolicy(steps) else { continue }
      #expect(EscalationPolicy(text: fixed.text) == fixed)
      let present = EscalationPolicy.standard.joined(
        by: names.filter { _ in Bool.random(using: &random) }
      )
      .joined(byGuardians: Bool.random(using: &random) ? ["g h"] : [])
      let fired = Int.random(in: 0...fixed.steps.count, using: &random)
      let elapsed = Int.random(in: 0...900, using: &random)
      let joined = fixed.joined(from: present, fired: fired, elapsedMinutes: elapsed)
      #expect(joined.steps.prefix(fired) == fixed.steps.prefix(fired))
      #expect(joined.steps.filter { fixed.steps.contains($0) }.count >= fixed.steps.count)
      let minutes = joined.steps.dropFirst(fired).map(\.minutes)
      #expect(
        minutes == minutes.sorted() && minutes.allSatisfy { $0 <= EscalationPolicy.maximumMinutes })
      let known = Set(fixed.steps.map(\.recipient))
      let all = Set(present.steps.map(\.recipient)).union(known)
      #expect(Set(joined.steps.map(\.recipient)) == all)
      // After joining, they are known.
      #expect(joined.joined(from: present, fired: fired, elapsedMinutes: elapsed + 9) == joined)
      #expect(EscalationPolicy(text: joined.text) == joined)
    }
    for bad in [
      "", "x", "0 push", "0 push nobody", "-1 push acting", "0 pigeon acting", "0 push family",
    ] {
      #expect(EscalationPolicy(text: bad) == nil, "\(bad)")
    }
  }
}
