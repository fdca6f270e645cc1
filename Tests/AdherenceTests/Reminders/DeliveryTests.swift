// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Reminders

@Suite("Deliveries")
struct DeliveryTests {
  @Test func `an expired lease is claimed again, and the old result is void`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    let first = try await world.claim()
    #expect(first.map(\.attempt) == [1])
    #expect(try await world.claim().isEmpty)
    world.place.clock.advance(milliseconds: 29_999)
    #expect(try await world.claim().isEmpty)
    world.place.clock.advance(milliseconds: 1)
    let second = try await world.claim()
    #expect(second.map(\.attempt) == [2] && second.map(\.delivery) == first.map(\.delivery))
    try await world.complete(first, .failed(trouble: "late"))
    #expect(try await world.deliveries().map(\.outcome) == [.planned])
    try await world.complete(second)
    #expect(try await world.deliveries().map(\.outcome) == [.handedOver])
    try await world.complete(second, .gone)
    #expect(try await world.deliveries().map(\.outcome) == [.handedOver])
    #expect(try await world.devices().count == 1)
  }

  @Test func `at start a lone process takes back all leases`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    _ = try await world.claim()
    try await world.place.database.write { try ReminderEngine.releaseLeases(in: $0) }
    #expect(try await world.claim().map(\.attempt) == [2])
  }

  @Test(
    arguments: [
      (1, nil, 1_000), (2, nil, 2_000), (3, nil, 4_000), (6, nil, 32_000), (7, nil, 60_000),
      (90, nil, 60_000), (1, 17, 17_000), (5, 0, 1_000), (1, 1_000_000, 3_600_000),
    ] as [(Int64, Int?, Int64)])
  func `retries back off up to a minute, or as the service says`(
    attempt: Int64, after: Int?, milliseconds: Int64
  ) {
    #expect(
      ReminderCompletion.delay(attempt: attempt, afterSeconds: after, jitter: 0.5)
        == milliseconds)
    if after == nil {
      let low = ReminderCompletion.delay(attempt: attempt, afterSeconds: nil, jitter: 0)
      let high = ReminderCompletion.delay(attempt: attempt, afterSeconds: nil, jitter: 1)
      #expect(low == milliseconds * 8 / 10 && high == milliseconds * 12 / 10)
      #expect(
        (low...high).contains(
          ReminderCompletion.delay(attempt: attempt, afterSeconds: nil, jitter: .nan)))
    }
  }

  @Test func `a retry waits as requested and says why`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.send(at: "08:00", .retry(afterSeconds: 90, trouble: "http-429"))
    let waiting = try await world.deliveries()
    #expect(waiting.map(\.outcome) == [.retrying] && waiting.map(\.trouble) == ["http-429"])
    #expect(try await world.send(at: "08:01").isEmpty)
    world.place.clock.advance(milliseconds: 30_000)
    #expect(try await world.send().map(\.attempt) == [2])
    let done = try await world.deliveries()
    #expect(done.map(\.outcome) == [.handedOver] && done.map(\.attempts) == [2])
    #expect(done.map(\.trouble) == [nil])
  }

  @Test func `a later step replaces one that is still waiting`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.send(at: "08:00", .retry(afterSeconds: 290, trouble: "http-503"))
    #expect(try await world.send(at: "08:05").map(\.line) == ["push 1 1"])
    #expect(try await world.deliveries().map(\.outcome) == [.stale, .handedOver])
  }

  @Test func `an address that is gone is removed, and mail takes over at once`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.send(at: "08:00", .gone)
    #expect(try await world.devices().isEmpty)
    let mail = try await world.send()
    #expect(mail.map(\.line) == ["mail 0 1"] && mail.map(\.mailAddress) == ["account@example.org"])
    #expect(try await world.send(at: "08:05").isEmpty)
    #expect(try await world.send(at: "08:10").isEmpty)
    #expect(try await world.send(at: "08:20").map(\.line) == ["mail 3 1"])
    let deliveries = try await world.deliveries()
    #expect(deliveries.map(\.outcome) == [.gone, .handedOver, .handedOver])
    #expect(deliveries.map(\.maskedAddress).last == "a…@example.org")
    #expect(deliveries.first?.maskedAddress.hasPrefix("push.example/…") == true)
  }

  @Test func `mail doesn't take over if another device works`() async throws {
    let world = try await ReminderWorld(devices: ["old", "new"])
    try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    let claimed = try await world.claim()
    let old = claimed.filter { $0.push?.endpoint.hasSuffix("old") == true }
    try await world.complete(old, .gone)
    try await world.complete(claimed.filter { $0.delivery != old.first?.delivery })
    #expect(try await world.claim().isEmpty)
    #expect(try await world.devices().map(\.label) == ["new"])
  }

  @Test func `a failed delivery is kept for a day, and mail is sent`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.send(at: "08:00", .failed(trouble: "http-403"))
    #expect(try await world.devices().count == 1)
    #expect(try await world.send().map(\.line) == ["mail 0 1"])
    let troubles = try await world.place.database.read {
      try ReminderQueries.troubles(since: Timestamp(milliseconds: 0), in: $0)
    }
    #expect(troubles.map { "\($0.host) \($0.trouble) \($0.count)" } == ["push.example http-403 1"])
  }

  @Test func `a device that shows nothing for a day is treated as broken until it does`()
    async throws
  {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    var mails: [Bool] = []
    for day in 2...4 {
      world.place.clock.set("2026-03-0\(day)T08:00:00+01:00")
      try await world.place.extendHorizon()
      var today = try await world.send()
      mails.append(today.contains { $0.channel == .mail })
      for minute in [5, 10] {
        world.place.clock.set("2026-03-0\(day)T08:\(minute == 5 ? "05" : "10"):00+01:00")
        today += try await world.send()
      }
      #expect(today.filter { $0.channel == .push }.count == 3)
    }
    // Three on Monday, three on Tuesday: on Wednesday the first is two days old.
    #expect(mails == [false, false, true])
    #expect(try await world.devices().map(\.isBroken) == [true])
    let last = try #require(try await world.deliveries().last { $0.channel == .push })
    try await world.shown(last.id)
    #expect(try await world.devices().map(\.isBroken) == [false])
    #expect(try await world.deliveries().first { $0.id == last.id }?.shown == world.now)
  }

  @Test func `only its recipient can confirm that a delivery was shown`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    let sent = try #require(try await world.send(at: "08:00").first)
    let now = world.now
    for (delivery, account) in [(sent.delivery, "other"), ("unknown", ReminderWorld.account)] {
      await #expect(throws: ReminderError.notFound) {
        try await world.place.database.write { writer in
          try ReminderCommands.shown(delivery, account: account, at: now, in: writer)
        }
      }
    }
    try await world.shown(sent.delivery)
    world.set("08:02")
    try await world.shown(sent.delivery)
    #expect(try await world.deliveries().first?.shown == now)
  }

  @Test func `the story of a dose and the counters`() async throws {
    let world = try await ReminderWorld()
    let one = try await world.add("08:00", name: "One")
    let two = try await world.add("08:10", name: "Two")
    try await world.send(at: "08:00")
    let dose = try #require(try await world.dose(of: one)?.id)
    let other = try #require(try await world.dose(of: two)?.id)
    world.set("08:01")
    try await world.answer(dose, .taken)
    try await world.send(at: "08:05")
    world.set("08:06")
    try await world.answer(other, .later, minutes: 30)
    try await world.send(at: "08:40")
    let accounts = world.accounts
    let stories = try await world.place.database.read { reader in
      try [dose, other].map { dose in
        try ReminderQueries.story(
          dose, patient: ReminderWorld.ann, accounts: accounts, in: reader
        ).map { "\($0.generation) \($0.step)" }
      }
    }
    #expect(stories == [["1 0"], ["1 0", "1 1", "2 0"]])
    world.set("20:30")
    try await world.round()
    let counters = try await world.place.database.read {
      try ReminderQueries.counters(since: Timestamp(milliseconds: 0), in: $0)
    }
    #expect(counters.planned == counters.handedOver && counters.planned == 3)
    #expect(counters.expired == 1 && counters.missedByUs == 0 && counters.shown == 0)
    let changes = try await world.place.database.read { reader in
      try ReminderQueries.changed(
        patient: ReminderWorld.ann, after: Timestamp("2026-03-02T08:30:00+01:00"), limit: 10,
        accounts: accounts, in: reader)
    }
    #expect(changes.map(\.generation) == [2])
  }
}

@Suite("The reminder clock")
struct ReminderClockTests {
  private func isTrusted(_ world: ReminderWorld) async throws -> Bool {
    let now = world.now
    return try await world.place.database.read { try ReminderEngine.clockIsTrusted(now, in: $0) }
  }

  @Test func `a clock set back over five minutes is held until trusted`() async throws {
    let world = try await ReminderWorld()
    try await world.send(at: "09:00")
    world.set("08:55")
    #expect(try await isTrusted(world))
    try await world.send()
    world.place.clock.advance(milliseconds: -1)
    #expect(try await isTrusted(world) == false)
    let now = world.now
    try await world.place.database.write {
      try ReminderEngine.trustClock(now, by: "admin", in: $0)
    }
    #expect(try await isTrusted(world))
  }

  @Test func `after a clock step back retries don't wait, and no key repeats`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.send(at: "08:00", .retry(afterSeconds: 30, trouble: "timeout"))
    world.set("06:00")
    let context = world.context
    try await world.place.database.write { writer in
      try ReminderEngine.clockStepped(back: 2 * 3_600_000, context, in: writer)
    }
    world.place.clock.advance(milliseconds: 30_000)
    #expect(try await world.send().map(\.line) == ["push 0 1"])
    // The escalation continues at its pace.
    #expect(try await world.send(at: "06:05").map(\.line) == ["push 1 1"])
    #expect(try await world.send(at: "06:10").map(\.line) == ["push 2 1"])
    #expect(try await world.send(at: "06:20").map(\.line) == ["mail 3 1"])
    #expect(try await world.send(at: "08:00").isEmpty)
  }

  @Test func `a corrected clock doesn't make an announced dose late`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00")
    try await world.send(at: "08:00")
    let second = try await world.send(at: "08:05")
    #expect(second.map(\.line) == ["push 1 1"])
    // The next step moves back by two hours, and nothing is sent while the clock is held.
    world.set("06:05")
    let back = world.context
    try await world.place.database.write { writer in
      try ReminderEngine.clockStepped(back: 2 * 3_600_000, back, in: writer)
    }
    let isTrusted = try await isTrusted(world)
    #expect(!isTrusted)
    // The clock is right again, so the next step is two hours behind.
    let third = try await world.send(at: "08:10")
    #expect(third.map(\.kind) == [.doses] && third.map(\.line) == ["push 2 1"])
    let last = try await world.send(at: "08:20")
    #expect(last.map(\.kind) == [.doses] && last.map(\.line) == ["mail 3 1"])
    let reminder = try #require(try await world.reminder(second.first?.subject))
    #expect(reminder.state == .ringing && reminder.outcome == nil)
  }

  @Test func `a clock step forward counts as an outage`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00", name: "One")
    try await world.add("10:30", name: "Two")
    try await world.send(at: "08:00")
    let sent = try await world.send(at: "11:00")
    // A dose announced before the outage continues with its next step; no summary calls it late.
    #expect(sent.map(\.kind.rawValue) == ["doses", "doses"])
    #expect(sent.map(\.line).sorted() == ["push 0 1", "push 1 1"])
  }
}
