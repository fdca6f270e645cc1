// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Testing
import TestSupport

@testable import People
@testable import Prescriptions

/// The limit on the work of a proposal, and the day of a person who goes to bed after midnight.
@Suite struct IntakeWorkTests {
  private static func sixty() -> [IntakeMedicine] {
    var random = SeededTimes(seed: 60)
    return (0..<60).map { index in
      let count = 1 + random.below(3)
      return IntakeMedicine(
        id: "m\(index)", name: "M\(index)",
        intakes: (0..<count).map {
          IntakeTime(minute: 360 + $0 * 330 + random.below(20) * 15)
        }, way: .times)
    }
  }

  /// Returns sixty medicines, half of which need four hours to the other half.
  private static func linked() -> IntakeSituation {
    let spacings = stride(from: 0, to: 60, by: 2).flatMap { first in
      stride(from: 1, to: 60, by: 2).map { second in
        SimplificationPlannerTests.apart("m\(first)", "m\(second)", 4)
      }
    }
    return IntakeSituation(medicines: sixty(), spacings: spacings)
  }

  private static func broken(_ situation: IntakeSituation) -> Set<[PlanID]> {
    let all = Dictionary(
      situation.medicines.map { ($0.id, $0.minutes) }, uniquingKeysWith: { first, _ in first })
    let broken = situation.spacings.filter { spacing in
      IntakeSearch.isBroken(
        spacing, [-1, 0, 1], all[spacing.first] ?? [], all[spacing.second] ?? [])
    }
    return Set(broken.map { [$0.first, $0.second] })
  }

  @Test func `sixty medicines are planned within limits and no worse than now`() {
    var work = IntakeWork()
    let proposal = SimplificationPlanner.propose(IntakeSituation(medicines: Self.sixty()), &work)
    #expect(proposal.timesAfter.count <= proposal.timesBefore.count)
    #expect(proposal.timesAfter.count <= 8, "\(proposal.timesAfter)")
    #expect(work.done <= IntakeWork.standard + 1_000_000)
  }

  @Test(arguments: [0, 1_000, 300_000, IntakeWork.standard])
  func `sixty medicines with intervals stay within the cost limit`(most: Int) {
    let situation = Self.linked()
    var work = IntakeWork(most: most)
    let proposal = SimplificationPlanner.propose(situation, &work)
    // Work in progress may be finished: comparing a few choices of all medicines.
    #expect(work.done <= most + 1_000_000, "\(work.done)")
    if most < IntakeWork.standard { #expect(work.isUsedUp) }
    #expect(!work.isUsedUp || !proposal.isExhaustive)
    let (before, after) = (Self.broken(proposal.before), Self.broken(proposal.after))
    #expect(after.isSubset(of: before))
    if after.count == before.count {
      #expect(proposal.timesAfter.count <= proposal.timesBefore.count)
    }
    if most == 0 { #expect(proposal.changes.isEmpty) }
    var again = IntakeWork(most: most)
    var other = situation
    other.medicines.reverse()
    other.spacings.reverse()
    #expect(
      SimplificationPlanner.propose(other, &again).after.medicines == proposal.after.medicines)
    #expect(again.done == work.done)
  }

  @Test func `a few medicines are searched exhaustively`() {
    var work = IntakeWork()
    let medicines = [
      SimplificationPlannerTests.medicine("levothyroxine", ["07:00"]),
      SimplificationPlannerTests.medicine("calcium", ["08:00"]),
    ]
    let proposal = SimplificationPlanner.propose(
      IntakeSituation(
        medicines: medicines,
        spacings: [SimplificationPlannerTests.apart("levothyroxine", "calcium", 4)]), &work)
    #expect(proposal.isExhaustive && !work.isUsedUp && work.done > 0)
  }

  // MARK: Bedtime after midnight

  private static func late() throws -> DailyRhythm {
    var rhythm = DailyRhythm.standard
    rhythm.bedtime = try #require(ClockTime(hour: 0, minute: 30))
    return rhythm
  }

  @Test func `a bedtime after midnight still counts as the evening`() throws {
    let clock = IntakeClock(try Self.late())
    let bedtime = IntakeClock.Part.near(3)
    for minute in [1_380, 1_425, 0, 15, 30] {
      #expect(clock.part(of: minute) == bedtime, "\(minute)")
      #expect(clock.isAwake(minute), "\(minute)")
    }
    #expect(clock.part(of: 1_170) == .near(2))
    for minute in [45, 180, 299] {
      #expect(clock.part(of: minute) == .night && !clock.isAwake(minute), "\(minute)")
    }
    #expect(clock.isAwake(420) && !clock.isAwake(419))
    #expect(!clock.isSameDay(1_380, 15) && clock.isSameDay(0, 30))
    let usual = IntakeClock(.standard)
    #expect(usual.isAwake(1_350) && !usual.isAwake(1_351) && !usual.isAwake(15))
    #expect(usual.part(of: 15) == .night && usual.isSameDay(1_350, 15))
  }

  @Test func `late doses stay late, and none crosses midnight`() throws {
    let situation = IntakeSituation(
      medicines: [
        SimplificationPlannerTests.medicine("digoxin", ["18:30"]),
        SimplificationPlannerTests.medicine("simvastatin", ["23:00"]),
        SimplificationPlannerTests.medicine("quetiapine", ["22:45"]),
        SimplificationPlannerTests.medicine("melatonin", ["00:15"]),
      ], rhythm: try Self.late())
    let proposal = SimplificationPlanner.propose(situation)
    let after = Dictionary(
      proposal.after.medicines.map { ($0.id, $0.minutes) }, uniquingKeysWith: { first, _ in first })
    #expect(after["digoxin"] == [1_110] && after["melatonin"] == [15])
    #expect(after["simvastatin"] == after["quetiapine"])
    #expect((after["simvastatin"]?.first ?? 0) > 1_200)
    #expect(proposal.timesAfter.count == 3)
  }
}
