// SPDX-License-Identifier: Apache-2.0

import Access
import Adherence
import Identifiers
import Plans
import Reminders
import Storage
import Testing
import TestSupport

@Suite("Reminders from plan to answer")
struct ReminderEngineTests {
  @Test func `a dose rings on time and escalates`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    #expect(try await world.nextMoment() == Timestamp("2026-03-02T08:00:00+01:00"))
    world.set("07:59")
    #expect(try await world.round().isEmpty)
    var lines: [String] = []
    for time in ["08:00", "08:04", "08:05", "08:10", "08:15", "08:20", "08:40", "19:59", "20:00"] {
      let sent = try await world.send(at: time)
      lines += sent.map { "\(time) \($0.line)" }
    }
    #expect(
      lines == ["08:00 push 0 1", "08:05 push 1 1", "08:10 push 2 1", "08:20 mail 3 1"])
    let deliveries = try await world.deliveries()
    let dose = try #require(try await world.dose(of: plan))
    #expect(deliveries.allSatisfy { $0.doses == [dose.id] && $0.outcome == .handedOver })
    #expect(deliveries.map(\.attempts) == [1, 1, 1, 1])
    #expect(Set(deliveries.map(\.subject)).count == 1)
    let reminder = try await world.reminder(deliveries.first?.subject)
    #expect(reminder?.outcome == .expired && reminder?.state == .closed)
  }

  @Test func `doses within fifteen minutes are one group, and each key is planned once`()
    async throws
  {
    let world = try await ReminderWorld(devices: ["phone", "tablet"])
    for time in ["08:00", "08:10", "08:15", "08:16"] { try await world.add(time, name: time) }
    let first = try await world.send(at: "08:00")
    #expect(first.map(\.content.doses.count) == [3, 3])
    #expect(Set(first.map { $0.push?.endpoint }).count == 2)
    #expect(try await world.send().isEmpty)
    let second = try await world.send(at: "08:16")
    // The fourth medicine has its own group; the steps of the others follow theirs.
    #expect(second.map(\.content.doses.count).sorted() == [1, 1, 3, 3])
    let keys = try await world.deliveries().map {
      "\($0.subject) \($0.generation) \($0.step) \($0.maskedAddress)"
    }
    #expect(Set(keys).count == keys.count)
  }

  @Test func `an answered dose leaves its group, and the last one ends it`() async throws {
    let world = try await ReminderWorld()
    let one = try await world.add("08:00", name: "One")
    let two = try await world.add("08:05", name: "Two")
    let subject = try #require(try await world.send(at: "08:00").first?.subject)
    #expect(try await world.ringing().map(\.subject) == [subject])
    world.set("08:02")
    try await world.answer(try await world.dose(of: one)?.id, .taken)
    let again = try await world.send(at: "08:05")
    #expect(again.map(\.content.doses.count) == [1])
    #expect(again.first?.content.doses.first?.plan == two.id)
    world.set("08:06")
    try await world.answer(try await world.dose(of: two)?.id, .skipped)
    try await world.round()
    let reminder = try await world.reminder(subject)
    #expect(reminder?.outcome == .answered && reminder?.doses.count == 2)
    #expect(try await world.ringing().isEmpty)
    #expect(try await world.send(at: "08:20").isEmpty)
    let answered = try await world.deliveries().map(\.answered)
    #expect(answered.allSatisfy { $0 == Timestamp("2026-03-02T08:06:00+01:00") })
  }

  @Test func `answered before the claim, nothing is sent`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    world.set("08:00")
    try await world.round()
    try await world.answer(try await world.dose(of: plan)?.id, .taken)
    #expect(try await world.claim().isEmpty)
    #expect(try await world.deliveries().map(\.outcome) == [.answered])
    try await world.round()
    #expect(try await world.deliveries().map(\.attempts) == [0])
  }

  @Test func `snoozing the group starts the next round with the same tag`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    let first = try #require(try await world.send(at: "08:00").first)
    world.set("08:03")
    try await world.answer(try await world.dose(of: plan)?.id, .later, minutes: 30)
    #expect(try await world.send(at: "08:05").isEmpty)
    #expect(try await world.ringing().isEmpty)
    #expect(try await world.send(at: "08:32").isEmpty)
    let second = try #require(try await world.send(at: "08:33").first)
    #expect(second.line == "push 0 2")
    #expect(second.subject == first.subject && second.content.tag == first.content.tag)
    #expect(first.content.tag.count == 32)
    #expect(try await world.send(at: "08:38").map(\.line) == ["push 1 2"])
  }

  @Test func `snoozing one dose moves it to its own reminder`() async throws {
    let world = try await ReminderWorld()
    let one = try await world.add("08:00", name: "One")
    try await world.add("08:05", name: "Two")
    let first = try #require(try await world.send(at: "08:00").first)
    world.set("08:01")
    try await world.answer(try await world.dose(of: one)?.id, .later, minutes: 30)
    let rest = try await world.send(at: "08:05")
    #expect(rest.map(\.line) == ["push 1 1"] && rest.map(\.subject) == [first.subject])
    #expect(rest.map(\.content.doses.count) == [1])
    let own = try await world.send(at: "08:31").filter { $0.subject != first.subject }
    #expect(own.map(\.line) == ["push 0 1"])
    #expect(own.first?.content.doses.map(\.plan) == [one.id])
    // The text contains the due time, not the time to which it was postponed.
    #expect(own.first?.content.due == Timestamp("2026-03-02T08:00:00+01:00"))
  }

  @Test func `undo rings again at once within the late window, not after it`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    try await world.send(at: "08:00")
    world.set("08:02")
    let dose = try #require(try await world.dose(of: plan)?.id)
    try await world.answer(dose, .taken)
    try await world.round()
    world.set("11:00")
    try await world.answer(dose, .undo)
    let again = try await world.send()
    #expect(again.map(\.line) == ["push 0 2"])
    #expect(try await world.send(at: "11:05").map(\.line) == ["push 1 2"])
    try await world.answer(dose, .taken)
    try await world.round()
    world.set("20:30")
    try await world.answer(dose, .undo)
    #expect(try await world.send().isEmpty)
  }

  @Test func `a dose taken before its reminder and undone after rings at once`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    world.set("07:30")
    let dose = try #require(try await world.dose(of: plan)?.id)
    try await world.answer(dose, .taken)
    #expect(try await world.send(at: "08:00").isEmpty)
    world.set("10:30")
    try await world.answer(dose, .undo)
    #expect(try await world.send().map(\.line) == ["push 0 1"])
  }

  @Test func `a stopped plan falls silent for good`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00", name: "One")
    try await world.add("08:00", name: "Two")
    try await world.send(at: "08:00")
    world.set("08:01")
    try await world.place.stop(plan.id)
    let rest = try await world.send(at: "08:05")
    #expect(rest.map(\.content.doses.count) == [1])
    #expect(rest.first?.content.doses.contains { $0.plan == plan.id } == false)
    #expect(try await world.send(at: "08:10").map(\.content.doses.count) == [1])
  }

  @Test func `a plan stopped before the round doesn't ring`() async throws {
    let world = try await ReminderWorld()
    let plan = try await world.add("08:00")
    world.set("08:00")
    try await world.place.stop(plan.id)
    #expect(try await world.send().isEmpty)
    #expect(try await world.send(at: "10:00").isEmpty)
    // Skipped doses do not stay in the index forever.
    #expect(try await world.nextMoment() == nil)
  }

  @Test func `a dose moved by an edit leaves its group and rings at its new time`() async throws {
    let world = try await ReminderWorld()
    try await world.add("08:00", name: "One")
    let plan = try await world.add("08:10", name: "Two")
    #expect(try await world.send(at: "08:00").map(\.content.doses.count) == [2])
    world.set("08:02")
    try await world.place.edit(
      plan.id, .tablet(["09:00"], slots: [1], name: "Two", start: "2026-03-02"))
    #expect(try await world.send(at: "08:05").map(\.content.doses.count) == [1])
    let moved = try await world.send(at: "09:00")
    #expect(moved.map(\.line).contains("push 0 1"))
    #expect(moved.first { $0.step == 0 }?.content.doses.map(\.plan) == [plan.id])
  }

  @Test func `after an outage one summary lists the true due times`() async throws {
    let world = try await ReminderWorld()
    for time in ["07:00", "08:00", "09:00"] { try await world.add(time, name: time) }
    let fresh = try await world.add("11:30", name: "11:30")
    let sent = try await world.send(at: "11:40")
    #expect(sent.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.doses, .summary])
    let summary = try #require(sent.first { $0.kind == .summary })
    #expect(summary.content.doses.count == 3)
    #expect(summary.content.due == Timestamp("2026-03-02T07:00:00+01:00"))
    #expect(sent.first { $0.kind == .doses }?.content.doses.map(\.plan) == [fresh.id])
    #expect(try await world.send(at: "11:45").map(\.kind) == [.doses])
    let missed = try await world.missed()
    #expect(missed.count == 3)
  }

  @Test func `a round tells how many doses it missed and what it planned`() async throws {
    let world = try await ReminderWorld(mail: false)
    for time in ["07:00", "08:00"] { try await world.add(time, name: time) }
    world.set("11:40")
    let rounds = try await world.round()
    #expect(rounds.map(\.missedDoses).reduce(0, +) == 2)
    let planned = try await world.deliveries().count
    #expect(planned > 0)
    #expect(rounds.map { $0.planned[.push] ?? 0 }.reduce(0, +) == planned)
  }

  @Test func `a summary handles consecutive answers at once`() async throws {
    let world = try await ReminderWorld()
    for time in ["07:00", "08:00", "09:00"] { try await world.add(time, name: time) }
    #expect(try await world.send(at: "21:40").map(\.kind) == [.summary])
    let missed = try await world.missed()
    #expect(missed.count == 3)
    let begin = world.now
    for (number, dose) in missed.enumerated() {
      world.place.clock.advance(milliseconds: Int64(number) * 300)
      #expect(try await world.answer(dose.id, .taken))
      // The first answer decides the time: later ones do not postpone it.
      #expect(
        try await world.nextMoment()
          == begin.adding(milliseconds: 2_000))
      #expect(try await world.round().isEmpty)
    }
    world.place.clock.advance(milliseconds: 2_000)
    #expect(try await world.round().count == 1)
    #expect(try await world.deliveries().map(\.outcome) == [.answered])
    #expect(try await world.ringing().isEmpty)
  }

  @Test func `late deliveries are combined in one summary`() async throws {
    let world = try await ReminderWorld(mail: false)
    for time in ["08:00", "08:30"] { try await world.add(time, name: time) }
    for minute in 0..<140 {
      world.place.clock.set("2026-03-02T08:00:00+01:00")
      world.place.clock.advance(minutes: Int64(minute))
      try await world.send(.retry(afterSeconds: nil, trouble: "http-503"))
    }
    // The service is back: one summary with both, and no push that came too late.
    world.set("10:30")
    let sent = try await world.send()
    #expect(sent.map(\.kind) == [.summary])
    #expect(sent.first?.content.doses.count == 2)
    #expect(try await world.send(at: "10:40").isEmpty)
  }

  @Test func `doses missed before reminders were set up are not announced`() async throws {
    let place = try await TestPlace(at: "2026-03-02T06:00:00+01:00")
    try await place.add(.tablet(["07:00"], start: "2026-03-02"))
    place.clock.set("2026-03-02T12:00:00+01:00")
    let context = try await ReminderWorld().context
    let now = place.now
    let round = try await place.database.write { writer in
      try ReminderEngine.plan(
        limit: 10,
        ReminderContext(
          now: now, newIdentifier: context.newIdentifier, zones: context.zones,
          accounts: context.accounts, mailIsPossible: true, publicURL: "",
          sources: .all), in: writer)
    }
    #expect(round.count == 1 && round.rungDoses.isEmpty)
    let rows = try await place.database.read { try $0.query("SELECT 1 FROM reminders") }
    #expect(rows.isEmpty)
  }

  @Test func `the status page says if no one can be notified`() async throws {
    let world = try await ReminderWorld(devices: [], mail: false)
    try await world.add("08:00")
    #expect(try await world.send(at: "08:00").isEmpty)
    try await world.round()
    world.set("09:30")
    try await world.round()
    #expect(try await world.missed().count == 1)
    let none = try await world.place.database.read {
      try ReminderQueries.patientsWithoutRecipients(
        now: Timestamp("2026-03-02T09:30:00+01:00"), in: $0)
    }
    #expect(none == 0)
    // A device that is added while it rings gets the remaining steps.
    let late = try await ReminderWorld(devices: [], mail: false)
    try await late.add("08:00")
    try await late.send(at: "08:00")
    try await late.addDevice("phone")
    #expect(try await late.send(at: "08:05").map(\.line) == ["push 1 1"])
  }

  @Test func `guardians are notified with a label, family and former ones aren't`() async throws {
    let world = try await ReminderWorld(devices: [])
    for account in ["mother", "aunt"] as [AccountID] {
      try await world.place.addPatient("\(account)-self", zone: "Europe/Berlin")
      try await world.addAccount(account, patient: "\(account)-self")
      try await world.addDevice("\(account)-phone", account: account)
    }
    try await world.grant(.guardian, of: ReminderWorld.ann, to: "mother")
    try await world.grant(.family, of: ReminderWorld.ann, to: "aunt")
    try await world.add("08:00")
    let sent = try await world.send(at: "08:00")
    #expect(
      sent.map { "\($0.recipient) \($0.channel.rawValue)" }.sorted() == [
        "account mail", "mother push",
      ])
    #expect(sent.first { $0.recipient == "mother" }?.content.label == "AE")
    #expect(sent.first { $0.recipient == "account" }?.content.label == nil)
    // A grant that ends between planning and claiming applies to waiting deliveries.
    world.set("08:05")
    try await world.round()
    let now = world.now
    try await world.place.database.write { writer in
      try writer.execute(
        "UPDATE grants SET ends = $1 WHERE account = 'mother' AND relationship = 'guardian'",
        [SQLValue(now)])
    }
    #expect(try await world.claim().isEmpty)
  }

  @Test func `900 doses of one person are all named, at most 16 at a time`() async throws {
    let world = try await ReminderWorld()
    try await world.addSeconds(900)
    var named: [String: Int] = [:]
    var largest = 0
    var subjects: Set<ReminderID> = []
    for second in stride(from: Int64(0), through: 900, by: 5) {
      world.place.clock.set("2026-03-02T08:00:00+01:00")
      world.place.clock.advance(milliseconds: second * 1_000)
      for delivery in try await world.send() {
        largest = max(largest, delivery.content.doses.count)
        subjects.insert(delivery.subject)
        for id in delivery.doseIDs where delivery.step == 0 { named[id, default: 0] += 1 }
      }
    }
    #expect(named.count == 900 && named.values.allSatisfy { $0 == 1 })
    #expect(largest == 16 && subjects.count == 57)
  }
}

extension ReminderWorld {
  func missed() async throws -> [Dose] {
    let now = now
    return try await place.database.read { reader in
      try ReminderQueries.missed(
        patients: [Self.ann], since: Timestamp(milliseconds: 0), now: now, in: reader)
    }
  }

  /// Adds a plan with a dose each second from eight on, as rows.
  func addSeconds(_ count: Int) async throws {
    let plan = try await add("23:00", name: "Drops").id
    let eight = Timestamp("2026-03-02T08:00:00+01:00")
    try await place.database.write { writer in
      for second in 0..<count {
        let due = eight.adding(milliseconds: Int64(second) * 1_000)
        try writer.execute(
          """
          INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until,
            state, version)
          VALUES ($1, $2, 1, $3, $4, $5, $6, 'open', 1)
          """,
          [
            .text(Self.ann), .text(plan), .text("\(second)"), SQLValue(due),
            SQLValue(due.adding(milliseconds: 60_000)),
            SQLValue(due.adding(milliseconds: 1_800_000)),
          ])
      }
    }
  }
}
