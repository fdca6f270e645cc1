// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import People
@testable import Plans

/// Situations from values alone.
@Suite struct ReschedulingTests {
  typealias Chain = ReschedulingChainTests

  /// Returns a dose of eight o'clock, seen at some hour, with the next ones at 20, 32 and 44.
  static func situation(
    _ rule: MissedDoseAdvice?, at hours: Double = 13, isTaken: Bool = false, gap: Double? = 6,
    near: [Double] = [], due: [Double] = [20, 32, 44], meal: DayEvent? = nil,
    limits: [LimitCheck] = [], planned: [Intake] = [],
    neighbours: [ReschedulingSituation.Neighbour] = [], advice: MissAdvice? = nil
  ) throws -> ReschedulingSituation {
    let now = Chain.at(hours)
    let id = DoseID(plan: "p", era: 1, occurrence: .running(99))
    let dose = Dose(
      id: id, patient: "ann", medicineName: "X", due: Chain.at(8), onTimeUntil: Chain.at(9),
      lateUntil: Chain.at(12), nextDue: due.first.map { Chain.at($0) }, amount: nil, stored: .open,
      stateReason: nil, laterUntil: nil, version: 1, answer: nil, now: now)
    return ReschedulingSituation(
      dose: id, medicineName: "X", amount: nil, at: now, isTaken: isTaken, rule: rule,
      advice: advice ?? MissAdvice(rule, for: dose, now: now),
      gap: gap.map { Int64($0 * Double(Chain.hour)) }, near: near.map { Chain.at($0) },
      lastTaken: near.last.map { Chain.at($0) },
      coming: Chain.coming(due).map { dose in
        var dose = dose
        dose.meal = meal
        return dose
      }, beyond: Chain.at(56), limits: limits, planned: planned, neighbours: neighbours,
      zone: try ZoneCatalog().zone("Europe/Berlin"), rhythm: .standard)
  }

  static func limit(_ most: Int, taken hours: [Double]) throws -> LimitCheck {
    var limits = PlanLimits()
    limits.counts = [.init(most: most, milliseconds: 24 * Chain.hour)]
    return LimitCheck(
      plan: "p", medicineName: "X", limits: limits,
      intakes: hours.map {
        Intake(
          administration: "a\($0)", plan: "p", medicineName: "X", taken: Chain.at($0), by: "Ann",
          amount: nil)
      }, zone: try ZoneCatalog().zone("Europe/Berlin"))
  }

  static func calcium(
    taken: [Double] = [], coming: [Double] = []
  ) -> ReschedulingSituation.Neighbour {
    ReschedulingSituation.Neighbour(
      medicineName: "Calcium", thenOther: 4 * Chain.hour, thenThis: 4 * Chain.hour,
      rows: ["i042"], taken: taken.map { Chain.at($0) }, coming: coming.map { Chain.at($0) })
  }

  @Test func `without a rule in the plan, no time is named`() throws {
    let asked = Rescheduling(try Self.situation(nil))
    #expect(asked.verdict == .ask(against: nil))
    #expect(asked.rules == [.plan(.ask)])
    // Reasons against taking it now are listed anyway; rules that are kept are not.
    let against = Rescheduling(
      try Self.situation(
        nil, near: [9], limits: [try Self.limit(4, taken: [9])],
        neighbours: [Self.calcium(taken: [12]), Self.calcium(taken: [1])]))
    #expect(against.verdict == .ask(against: nil))
    #expect(against.rules.count == 3 && against.rules.dropFirst().allSatisfy(\.isAgainst))
  }

  @Test func `the plan's rule moves the next dose, and the rules are listed in order`() throws {
    let plan = Rescheduling(
      try Self.situation(
        .shift(hours: 8), near: [-4], limits: [try Self.limit(4, taken: [-4])],
        neighbours: [Self.calcium(taken: [8.5], coming: [18])]))
    let moved = RescheduledDose(
      dose: DoseID(plan: "p", era: 1, occurrence: .running(0)), from: Chain.at(20),
      to: Chain.at(21))
    // At 21 it would be too close to the calcium of 18: both are named, with advice to ask.
    guard case .ask(.spacing(let name, _, let ours, let theirs, _, false, let rows)?) = plan.verdict
    else {
      Issue.record("\(plan.verdict)")
      return
    }
    #expect(name == "Calcium" && ours == Chain.at(21) && theirs == Chain.at(18))
    #expect(rows == ["i042"])
    let free = Rescheduling(
      try Self.situation(
        .shift(hours: 8), near: [-4], limits: [try Self.limit(4, taken: [-4])],
        neighbours: [Self.calcium(taken: [8.5])]))
    #expect(free.verdict == .takeAndMove([moved]))
    #expect(
      free.rules == [
        .plan(.shift(hours: 8, nextFrom: Chain.at(21))),
        .gap(milliseconds: 6 * Chain.hour, nearest: Chain.at(-4), isKept: true),
        .limitKept(.count(most: 4, milliseconds: 24 * Chain.hour), medicineName: "X", taken: 1),
        .spacing(
          medicineName: "Calcium", milliseconds: 4 * Chain.hour, ours: Chain.at(13),
          theirs: Chain.at(8.5), isTaken: true, isKept: true, rows: ["i042"]),
        .moves([moved]),
      ])
  }

  @Test func `the order of two medicines decides which interval applies`() throws {
    let before = ReschedulingSituation.Neighbour(
      medicineName: "Y", thenOther: 4 * Chain.hour, taken: [Chain.at(12)])
    #expect(
      Rescheduling(try Self.situation(.takeUntil(hours: 6), neighbours: [before])).rules.count == 1)
    let after = ReschedulingSituation.Neighbour(
      medicineName: "Y", thenOther: 4 * Chain.hour, coming: [Chain.at(14)])
    guard
      case .ask(.spacing?) = Rescheduling(
        try Self.situation(.takeUntil(hours: 6), neighbours: [after])
      ).verdict
    else {
      Issue.record("an hour before the other one")
      return
    }
    // Both at once: whichever of the two applies.
    let together = ReschedulingSituation.Neighbour(
      medicineName: "Y", thenThis: 2 * Chain.hour, coming: [Chain.at(13)])
    #expect(
      Rescheduling(try Self.situation(.takeUntil(hours: 6), neighbours: [together])).rules
        .contains(where: \.isAgainst))
  }

  @Test func `limits, gap and meals are never loosened`() throws {
    func verdict(_ situation: ReschedulingSituation) -> Rescheduling.Verdict {
      Rescheduling(situation).verdict
    }
    #expect(verdict(try Self.situation(.takeUntil(hours: 6))) == .take(until: Chain.at(14)))
    guard
      case .ask(.limitBroken?) = verdict(
        try Self.situation(.takeUntil(hours: 6), limits: [try Self.limit(2, taken: [0, 2])])),
      case .ask(.gap?) = verdict(try Self.situation(.takeUntil(hours: 6), near: [9])),
      // Today's doses and the late one are three within a day once the next one moves closer to the morning.
      case .ask(.limitBroken(_, let at)?) = verdict(
        try Self.situation(.shift(hours: 8), limits: [try Self.limit(2, taken: [])])),
      case .ask(.meal(.breakfast, _)?) = verdict(
        try Self.situation(.shift(hours: 8), meal: .breakfast)),
      case .ask(.tooNear(let due, _)?) = verdict(
        try Self.situation(.shift(hours: 12)))
    else {
      Issue.record("something was loosened")
      return
    }
    #expect(at == Chain.at(21) && due == Chain.at(56))
    #expect(verdict(try Self.situation(.skip)) == .leaveOut)
    #expect(verdict(try Self.situation(.takeUntil(hours: 5))) == .leaveOut)
    #expect(verdict(try Self.situation(.shift(hours: 6))) == .takeNow)
    // Already taken: reasons against the intake no longer matter, but the following doses are checked.
    #expect(
      verdict(try Self.situation(.shift(hours: 6), isTaken: true, near: [9])) == .takeNow)
  }

  @Test func `a time at night is mentioned but not forbidden`() throws {
    let plan = Rescheduling(try Self.situation(.shift(hours: 8), at: 19))
    #expect(plan.moves.map(\.to) == [Chain.at(27), Chain.at(35)])
    #expect(plan.rules.contains(.sleep(at: Chain.at(27))))
    #expect(!plan.rules.contains(.sleep(at: Chain.at(35))))
  }

  @Test(arguments: 0..<200)
  func `proposals respect limits, gaps and spacing and never lose or add a dose`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 14)
    func hour(_ range: ClosedRange<Int>) -> Double {
      Double(Int.random(in: (range.lowerBound * 4)...(range.upperBound * 4), using: &random)) / 4
    }
    let hours = Int.random(in: 2...12, using: &random)
    let now = hour(9...19)
    var due: [Double] = []
    var next = now + 0.25 + hour(0...4)
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      due.append(next)
      next += hour(3...14)
    }
    let most = Int.random(in: 1...5, using: &random)
    let taken = (0..<Int.random(in: 0...3, using: &random)).map { _ in hour(-12...8) }.sorted()
    let calcium = Self.calcium(taken: [hour(0...8)], coming: [hour(20...50), hour(20...50)])
    let rule =
      [MissedDoseAdvice.shift(hours: hours), .takeUntil(hours: hours), .skip, nil]
      .randomElement(using: &random) ?? nil
    let situation = try Self.situation(
      rule, at: now, gap: hour(1...6), near: taken, due: due,
      limits: Bool.random(using: &random) ? [try Self.limit(most, taken: taken)] : [],
      neighbours: Bool.random(using: &random) ? [calcium] : [])
    let plan = Rescheduling(situation)
    #expect(plan == Rescheduling(situation))
    if rule == nil { #expect(plan.verdict == .ask(against: nil)) }
    if case .shift? = rule {} else { #expect(plan.moves.isEmpty) }
    guard !plan.moves.isEmpty else { return }
    let to = Dictionary(uniqueKeysWithValues: plan.moves.map { ($0.dose, $0.to) })
    let after = [situation.at] + situation.coming.map { to[$0.id] ?? $0.due }
    #expect(after == after.sorted())
    for move in plan.moves {
      #expect(situation.coming.contains { $0.id == move.dose && $0.due == move.from })
      #expect(move.to > move.from)
    }
    let distance = max(Int64(hours) * Chain.hour, situation.gap ?? 0)
    for (one, other) in zip(after, after.dropFirst()).prefix(plan.moves.count + 1) {
      #expect(other.milliseconds - one.milliseconds >= distance)
    }
    for check in situation.limits {
      let all = check.intakes.map(\.taken) + after
      for start in all {
        // Fixed times have two hours to spare.
        let end = start.adding(milliseconds: 22 * Chain.hour)
        let members = all.filter { $0 >= start && $0 < end }
        if members.contains(where: { Set(to.values).contains($0) }) {
          #expect(members.count <= most)
        }
      }
    }
    for time in to.values {
      for theirs in situation.neighbours.flatMap({ $0.taken + $0.coming }) {
        #expect(abs(theirs.milliseconds - time.milliseconds) >= 4 * Chain.hour)
      }
    }
  }
}
