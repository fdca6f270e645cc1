// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Testing
import TestSupport

@testable import People
@testable import Plans
@testable import Prescriptions

/// Random whole numbers for made-up medicines.
struct SeededTimes {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  mutating func shuffled<Element>(_ list: [Element]) -> [Element] {
    list.shuffled(using: &generator)
  }
}

/// Every rule of the planner on random medicines, checked on each day of eight weeks.
@Suite struct SimplificationPlannerPropertyTests {
  /// A medicine with its days, defined again so that the check is independent of the planner.
  private struct Made {
    let medicine: IntakeMedicine
    let isTaken: @Sendable (Int) -> Bool
  }

  private static let days = 56
  private static let day = 1_440

  private static func made(_ index: Int, _ random: inout SeededTimes) -> Made {
    let id = "m\(index)"
    let count = 1 + random.below(3)
    var minutes: [Int] = []
    var next = 300 + random.below(24) * 15
    for _ in 0..<count where next < 1_380 {
      minutes.append(next)
      next += 120 + random.below(30) * 15
    }
    let weekday = random.below(4)
    var days = IntakeDays.daily
    var isTaken: @Sendable (Int) -> Bool = { _ in true }
    if weekday == 0 {
      let chosen = Set(Weekday.allCases.filter { $0.rawValue % 2 == index % 2 })
      days = IntakeDays(weekdays: chosen)
      isTaken = { chosen.contains(CivilDate(daysSinceEpoch: $0).weekday) }
    } else if weekday == 1 {
      let every = 2 + random.below(3)
      days = IntakeDays(every: every, from: CivilDate(daysSinceEpoch: index))
      isTaken = { $0 >= index && ($0 - index) % every == 0 }
    }
    var way = IntakeMedicine.Way.times
    var intakes = minutes.map { IntakeTime(minute: $0) }
    switch random.below(6) {
    case 0:
      way = .kept(.critical)
    case 1:
      way = .kept(.event)
      intakes = [IntakeTime(minute: 450, event: .breakfast)]
    case 2 where minutes.count > 1 && weekday > 1:
      let spread = DraftSpread(
        count: minutes.count, gapHours: 2,
        window: DayWindow(from: clock(minutes[0]), until: clock(minutes[minutes.count - 1])))
      if spread.fits {
        way = .spread(spread)
        intakes = spread.times.map { IntakeTime(minute: $0.secondsOfDay / 60) }
      }
    default: break
    }
    return Made(
      medicine: IntakeMedicine(id: PlanID(id), name: id, intakes: intakes, days: days, way: way),
      isTaken: isTaken)
  }

  private static func clock(_ minute: Int) -> ClockTime {
    ClockTime(secondsOfDay: minute * 60) ?? .midnight
  }

  private static func situation(_ seed: UInt64) -> (all: [Made], situation: IntakeSituation) {
    var random = SeededTimes(seed: seed)
    let all = (0..<(2 + random.below(5))).map { made($0, &random) }
    var spacings: [IntakeSpacing] = []
    for one in all.indices {
      for other in all.indices.dropFirst(one + 1) where random.below(3) == 0 {
        spacings.append(
          IntakeSpacing(
            first: "m\(one)", second: "m\(other)",
            firstThenSecond: random.below(4) == 0 ? nil : (1 + random.below(6)) * 60,
            secondThenFirst: (1 + random.below(4)) * 60, rows: ["r\(one)\(other)"]))
      }
    }
    let meals =
      random.below(2) == 0
      ? [IntakeMealRule(medicine: "m0", beforeMeal: 30, afterMeal: 120, rows: ["r"])] : []
    return (
      all, IntakeSituation(medicines: all.map(\.medicine), spacings: spacings, meals: meals)
    )
  }

  /// Returns the times at which a medicine is taken on the checked days.
  private static func moments(_ made: Made, _ minutes: [Int]) -> [Int] {
    (200..<(200 + days)).filter(made.isTaken).flatMap { date in
      minutes.map { date * day + $0 }
    }.sorted()
  }

  private static func isBroken(_ spacing: IntakeSpacing, _ first: [Int], _ second: [Int]) -> Bool {
    first.contains { one in
      second.contains { other in
        if one == other { return true }
        let needed = other > one ? spacing.firstThenSecond : spacing.secondThenFirst
        return needed.map { abs(other - one) < $0 } ?? false
      }
    }
  }

  private static func isNearMeal(_ rule: IntakeMealRule, _ minutes: [Int]) -> Bool {
    minutes.contains { minute in
      [450, 750, 1_110].contains { meal in
        [-day, 0, day].contains { shift in
          let distance = meal + shift - minute
          return distance == 0 || (distance > 0 && distance < rule.beforeMeal ?? 0)
            || (distance < 0 && -distance < rule.afterMeal ?? 0)
        }
      }
    }
  }

  @Test(arguments: 1...120)
  func `rules are kept, no dose is lost, and a second run changes nothing`(seed: UInt64) {
    let (all, situation) = Self.situation(seed)
    let comment: Comment = "seed \(seed)"
    let proposal = SimplificationPlanner.propose(situation)
    let after = Dictionary(
      proposal.after.medicines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var (brokenBefore, brokenAfter) = (0, 0)
    for made in all {
      let old = made.medicine
      guard let new = after[old.id] else {
        Issue.record("lost, seed \(seed)")
        continue
      }
      #expect(new.intakes.count == old.intakes.count && new.days == old.days, comment)
      #expect(new.minutes == new.minutes.sorted(), comment)
      #expect(new.minutes.allSatisfy { (0..<Self.day).contains($0) }, comment)
      if old.kept != nil { #expect(new == old, comment) }
      let (was, now) = (Self.moments(made, old.minutes), Self.moments(made, new.minutes))
      #expect(was.count == now.count, comment)
      let shortest = zip(was, was.dropFirst()).map { $1 - $0 }.min() ?? 0
      let nearest = zip(now, now.dropFirst()).map { $1 - $0 }.min() ?? 0
      #expect(nearest * 2 >= shortest, comment)
      if case .spread(let spread) = old.way, old != new {
        #expect(nearest >= spread.gapHours * 60, comment)
        let window = spread.window.from...spread.window.until
        #expect(new.minutes.allSatisfy { window.contains(Self.clock($0)) }, comment)
      }
    }
    for spacing in situation.spacings {
      guard let first = all.first(where: { $0.medicine.id == spacing.first }),
        let second = all.first(where: { $0.medicine.id == spacing.second })
      else { continue }
      let was = Self.isBroken(
        spacing, Self.moments(first, first.medicine.minutes),
        Self.moments(second, second.medicine.minutes))
      let now = Self.isBroken(
        spacing, Self.moments(first, after[spacing.first]?.minutes ?? []),
        Self.moments(second, after[spacing.second]?.minutes ?? []))
      brokenBefore += was ? 1 : 0
      brokenAfter += now ? 1 : 0
      #expect(was || !now, comment)
      if now {
        #expect(after[spacing.first] == first.medicine, comment)
        #expect(after[spacing.second] == second.medicine, comment)
      }
    }
    for rule in situation.meals {
      let was = Self.isNearMeal(rule, all[0].medicine.minutes)
      let now = Self.isNearMeal(rule, after["m0"]?.minutes ?? [])
      brokenBefore += was ? 1 : 0
      brokenAfter += now ? 1 : 0
      #expect(was || !now, comment)
    }
    #expect(brokenAfter <= brokenBefore, comment)
    #expect(proposal.findings.count == brokenBefore, comment)
    #expect(proposal.findings.count { !$0.isMended } == brokenAfter, comment)
    #expect(proposal.findings.allSatisfy { $0.isMended != ($0.clash != nil) }, comment)
    if brokenAfter == brokenBefore {
      #expect(proposal.timesAfter.count <= proposal.timesBefore.count, comment)
    }
    #expect(proposal.entries.allSatisfy { !$0.rules.isEmpty }, comment)
    #expect(SimplificationPlanner.propose(proposal.after).changes.isEmpty, comment)
  }

  @Test(arguments: 1...40)
  func `the order of the medicines doesn't matter`(seed: UInt64) {
    let situation = Self.situation(seed).situation
    var random = SeededTimes(seed: seed)
    var other = situation
    other.medicines = random.shuffled(other.medicines)
    other.spacings = random.shuffled(other.spacings)
    let one = SimplificationPlanner.propose(situation)
    let another = SimplificationPlanner.propose(other)
    #expect(one.after.medicines == another.after.medicines, "seed \(seed)")
  }

  @Test(arguments: 1...40)
  func `no subset of the current times needs fewer`(seed: UInt64) {
    var random = SeededTimes(seed: seed)
    let medicines = (0..<5).map { index in
      IntakeMedicine(
        id: "m\(index)", name: "m\(index)",
        intakes: [IntakeTime(minute: 420 + random.below(32) * 30)], way: .times)
    }
    let spacings = [(0, 1), (2, 3)].map { one, other in
      IntakeSpacing(
        first: "m\(one)", second: "m\(other)", firstThenSecond: 60 + random.below(3) * 60,
        secondThenFirst: 120, rows: [])
    }
    let situation = IntakeSituation(medicines: medicines, spacings: spacings)
    let proposal = SimplificationPlanner.propose(situation)
    #expect(proposal.isExhaustive)
    let clock = IntakeClock(.standard)
    let now = medicines.map { $0.minutes[0] }
    func isKept(_ minutes: [Int]) -> Bool {
      zip([(0, 1), (2, 3)], spacings).allSatisfy { pair, spacing in
        let (one, other) = (minutes[pair.0], minutes[pair.1])
        return [-Self.day, 0, Self.day].allSatisfy { spacing.lacking(other + $0 - one) == nil }
      }
    }
    var fewest = Set(now).count
    func look(_ chosen: [Int]) {
      guard chosen.count < now.count else {
        if isKept(chosen) { fewest = min(fewest, Set(chosen).count) }
        return
      }
      let own = now[chosen.count]
      for minute in Set(now) where clock.part(of: minute) == clock.part(of: own) {
        look(chosen + [minute])
      }
    }
    look([])
    if isKept(now) {
      #expect(proposal.timesAfter.count <= fewest, "seed \(seed)")
    } else {
      #expect(proposal.findings.contains { $0.isMended }, "seed \(seed)")
    }
  }
}
