// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import TestSupport
import Testing

@testable import HomeDevices
@testable import Plans

/// A year of invented life with a pill box, compared with the ledger that it should give.
@Suite struct YearOfLifeTests {
  private static let day: Double = 24 * 60

  /// One dose of the year: when it is due, and what the person does.
  private struct Story {
    enum Behaviour: Int, CaseIterable { case onTime, late, missed, twice, earlyFirst, replayed }

    let number: Int64
    let due: Double
    let behaviour: Behaviour
    let delay: Double
    /// The time of the intake, in minutes after the first eight o'clock; nil if it is missed.
    var taken: Double? {
      switch behaviour {
      case .missed: nil
      case .late: due + 100 + delay
      case .onTime, .twice, .earlyFirst, .replayed: due + delay
      }
    }

    /// The openings of the lid, in order.
    var openings: [Double] {
      guard let taken else { return [] }
      switch behaviour {
      case .twice: return [taken, taken + 25]
      case .earlyFirst: return [due - 150, taken]
      case .onTime, .late, .missed, .replayed: return [taken]
      }
    }
  }

  /// Returns the stories of a year with two doses a day.
  private static func stories(seed: UInt64) -> [Story] {
    var generator = SeededGenerator(seed: seed)
    return (0..<730).map { number in
      Story(
        number: Int64(number), due: Double(number / 2) * day + Double(number % 2) * 720,
        behaviour: Story.Behaviour.allCases.randomElement(using: &generator) ?? .onTime,
        delay: Double(Int.random(in: -30...30, using: &generator)))
    }
  }

  private static func addDoses(_ stories: [Story], to world: AnswerWorld) async throws {
    let rows = stories.map { story -> [SQLValue] in
      let due = HomeWorld.minutes(story.due)
      return [
        .text(AnswerWorld.patient), "m", .text(OccurrenceID.running(story.number).text),
        SQLValue(due), SQLValue(due.adding(milliseconds: AnswerWorld.hour)),
        SQLValue(due.adding(milliseconds: 4 * AnswerWorld.hour)),
      ]
    }
    try await world.database.write { writer in
      for row in rows {
        try writer.execute(
          """
          INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, state,
            version)
          VALUES ($1, $2, 1, $3, $4, $5, $6, 'open', 1)
          """, row)
      }
    }
  }

  /// Returns the events of one day: openings with closings, and a refill each week.
  private static func events(
    of day: ArraySlice<Story>, number: Int, skew: Double, from first: Int64
  ) -> [DeviceEvent] {
    var events: [DeviceEvent] = []
    func add(_ kind: DeviceEvent.Kind, _ compartment: String, _ minutes: Double) {
      events.append(
        DeviceEvent(
          sequence: first + Int64(events.count), kind: kind, compartment: compartment,
          at: HomeWorld.minutes(minutes + skew)))
    }
    for minutes in day.flatMap(\.openings) {
      add(.opened, "", minutes)
      add(.closed, "", minutes + 0.5)
    }
    if number % 7 == 6, let evening = day.last {
      // The box is filled in the middle of the evening's window.
      for (index, name) in ["mon", "tue", "wed", "thu"].enumerated() {
        add(.opened, name, evening.due + 200 + Double(index) * 0.2)
      }
    }
    return events
  }

  @Test func `the ledger is what happened`() async throws {
    let compartments = ["", "mon", "tue", "wed", "thu"].map { HomeDeviceCompartment($0, .log) }
    let home = try await HomeWorld(compartments)
    let stories = Self.stories(seed: 32)
    try await Self.addDoses(stories, to: home.world)
    var next: Int64 = 0
    var aside: Set<Int64> = []
    for number in 0..<365 {
      let today = stories[(number * 2)..<(number * 2 + 2)]
      // The clock drifts by up to four minutes; every tenth day it starts again in 1970.
      let isLost = number % 10 == 9
      let skew = isLost ? -29_000_000 : Double(number % 9) - 4
      let events = Self.events(of: today, number: number, skew: skew, from: next)
      next += Int64(events.count)
      let end = Double(number) * Self.day + 15 * 60 + 50
      let sent = HomeWorld.minutes(end + skew)
      if events.isEmpty { continue }
      let results = try await home.report(events, sent: sent, at: end)
      #expect(results.allSatisfy { !$0.isRepeated && !$0.warns })
      if isLost {
        #expect(results.allSatisfy { $0.outcome == .aside && $0.reason == .clock })
        aside.formUnion(today.map(\.number))
      }
      if today.contains(where: { $0.behaviour == .replayed }) {
        let again = try await home.report(events, sent: sent, at: end + 1)
        #expect(again.allSatisfy { $0.isRepeated })
      }
    }
    var expected: [Int64: Timestamp] = [:]
    for story in stories where !aside.contains(story.number) {
      expected[story.number] = story.taken.map(HomeWorld.minutes)
    }
    let ledger = try await home.world.database.read { reader in
      try DoseStore.between(
        HomeWorld.minutes(-600), HomeWorld.minutes(366 * Self.day), patient: AnswerWorld.patient,
        most: 1_000, now: HomeWorld.minutes(366 * Self.day), in: reader)
    }
    var found: [Int64: Timestamp] = [:]
    for dose in ledger {
      guard case .running(let number) = dose.id.occurrence, let answer = dose.answer else {
        continue
      }
      #expect(answer.action == .taken && answer.by == HomeWorld.byName)
      found[Int64(number)] = answer.at
    }
    #expect(found == expected)
    #expect(try await home.alerts() == [])
  }
}
