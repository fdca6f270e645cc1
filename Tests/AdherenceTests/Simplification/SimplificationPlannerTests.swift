// SPDX-License-Identifier: Apache-2.0
import Foundation
import Identifiers
import Scheduling
import Testing
import TestSupport

@testable import People
@testable import Plans
@testable import Prescriptions

/// The proposals of the planner, case by case, with their reasons.
@Suite struct SimplificationPlannerTests {
  static func minute(_ text: String) -> Int { (ClockTime(text: text)?.secondsOfDay ?? 0) / 60 }

  static func medicine(
    _ id: String, _ times: [String], days: IntakeDays = .daily,
    way: IntakeMedicine.Way = .times
  ) -> IntakeMedicine {
    IntakeMedicine(
      id: PlanID(id), name: id.capitalized, intakes: times.map { IntakeTime(minute: minute($0)) },
      days: days, way: way)
  }

  static func meal(_ id: String, _ events: [DayEvent]) -> IntakeMedicine {
    let rhythm = DailyRhythm.standard
    return IntakeMedicine(
      id: PlanID(id), name: id.capitalized,
      intakes: events.map { event in
        let seconds = SlotTime.event(event, offsetMinutes: nil).wallSeconds(in: rhythm)
        return IntakeTime(minute: Int(seconds / 60), event: event)
      }, way: .kept(.event))
  }

  static func apart(_ first: String, _ second: String, _ hours: Int, _ back: Int? = nil)
    -> IntakeSpacing
  {
    IntakeSpacing(
      first: PlanID(first), second: PlanID(second), firstThenSecond: hours * 60,
      secondThenFirst: (back ?? hours) * 60, rows: ["i011"])
  }

  private func times(_ proposal: IntakeProposal) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for medicine in proposal.after.medicines {
      found[medicine.id.text] = medicine.minutes.compactMap {
        ClockTime(secondsOfDay: $0 * 60).map { String($0.text.prefix(5)) }
      }
    }
    return found
  }

  private func propose(
    _ medicines: [IntakeMedicine], _ spacings: [IntakeSpacing] = [],
    _ meals: [IntakeMealRule] = []
  ) -> IntakeProposal {
    SimplificationPlanner.propose(
      IntakeSituation(medicines: medicines, spacings: spacings, meals: meals))
  }

  @Test func `times are merged at a meal that a plan names`() {
    let proposal = propose([
      Self.meal("insulin", [.breakfast, .dinner]), Self.medicine("bisoprolol", ["08:00"]),
      Self.medicine("ramipril", ["09:00", "20:00"]),
    ])
    #expect(proposal.timesBefore.count == 5 && proposal.timesAfter.count == 2)
    #expect(
      times(proposal) == [
        "insulin": ["07:30", "18:30"], "bisoprolol": ["07:30"], "ramipril": ["07:30", "18:30"],
      ])
    #expect(proposal.isExhaustive)
    let entry = proposal.entries.first { $0.medicine == "bisoprolol" }
    #expect(entry?.rules.contains(.together(["Insulin", "Ramipril"])) == true)
    let insulin = proposal.entries.first { $0.medicine == "insulin" }
    #expect(insulin?.rules == [.event(.breakfast)])
    #expect(proposal.kept.map(\.why) == [.event])
  }

  @Test func `a morning dose doesn't become an evening dose`() {
    let proposal = propose([
      Self.medicine("furosemide", ["08:00"]), Self.medicine("simvastatin", ["22:00"]),
    ])
    #expect(proposal.changes.isEmpty)
    #expect(proposal.entries.allSatisfy { $0.rules == [.part] })
  }

  @Test func `list intervals that aren't met now are named and then met`() throws {
    let rules = [Self.apart("levothyroxine", "calcium", 4)]
    let proposal = propose(
      [
        Self.medicine("levothyroxine", ["07:00"]), Self.medicine("calcium", ["08:00"]),
        Self.meal("metformin", [.lunch]),
      ], rules)
    let finding = try #require(proposal.findings.first)
    #expect(finding.distance == 60 && finding.isMended && finding.clash == nil)
    let rule = IntakeRule.apart(
      earlier: "levothyroxine", later: "calcium", minutes: 240, rows: ["i011"])
    #expect(finding.rule == rule)
    #expect(times(proposal)["calcium"] == ["12:30"])
    #expect(times(proposal)["levothyroxine"] == ["07:00"])
    let calcium = proposal.entries.first { $0.medicine == "calcium" }
    #expect(calcium?.rules.first == rule)
    #expect(calcium?.rules.contains(.together(["Metformin"])) == true)
  }

  @Test func `doses before breakfast stay, and conflicting ones move away`() throws {
    let medicines = [
      Self.medicine("levothyroxine", ["07:30"]), Self.medicine("calcium", ["09:00", "20:30"]),
      Self.medicine("metoprolol", ["08:00", "20:00"]), Self.medicine("ramipril", ["08:45"]),
    ]
    let proposal = propose(
      medicines, [Self.apart("levothyroxine", "calcium", 4)],
      [
        IntakeMealRule(
          medicine: "levothyroxine", beforeMeal: 30, afterMeal: 180, rows: ["i010"])
      ])
    #expect(
      times(proposal) == [
        "levothyroxine": ["07:00"], "calcium": ["11:00", "20:00"],
        "metoprolol": ["07:00", "20:00"], "ramipril": ["07:00"],
      ])
    #expect(proposal.findings.count == 2 && proposal.findings.allSatisfy(\.isMended))
    #expect(proposal.isExhaustive)
  }

  @Test func `no dose leaves its part of the day to reduce the times`() throws {
    // At noon calcium would save a time; two hours after iron it still counts as morning.
    let proposal = propose(
      [
        Self.medicine("iron", ["07:00"]), Self.medicine("calcium", ["08:00"]),
        Self.meal("metformin", [.lunch]),
      ], [Self.apart("iron", "calcium", 2)])
    #expect(proposal.findings.first?.isMended == true)
    #expect(times(proposal)["iron"] == ["07:00"] && times(proposal)["calcium"] == ["09:00"])
    #expect(proposal.timesAfter.count == 3)
  }

  @Test func `the interval depends on the order, even across midnight`() {
    let rules = [Self.apart("ciprofloxacin", "calcium", 2, 6)]
    let now = propose(
      [Self.medicine("ciprofloxacin", ["09:00"]), Self.medicine("calcium", ["21:00"])], rules)
    #expect(now.findings.isEmpty)
    // There are five and a half hours from 21:30 to 03:00, but six are needed.
    let night = propose(
      [Self.medicine("ciprofloxacin", ["03:00"]), Self.medicine("calcium", ["21:30"])], rules)
    #expect(night.findings.first?.distance == 330)
    #expect(night.findings.first?.isMended == true)
  }

  @Test func `medicines that never share a day need no interval`() {
    let monday = IntakeDays(weekdays: [.monday])
    let thursday = IntakeDays(weekdays: [.thursday])
    let rules = [Self.apart("alendronate", "calcium", 2)]
    let apart = propose(
      [
        Self.medicine("alendronate", ["08:00"], days: monday),
        Self.medicine("calcium", ["08:30"], days: thursday),
      ], rules)
    #expect(apart.findings.isEmpty && apart.timesAfter.count == 1)
    let daily = propose(
      [
        Self.medicine("alendronate", ["08:00"], days: monday),
        Self.medicine("calcium", ["08:30"]),
      ], rules)
    #expect(daily.findings.count == 1)
  }

  @Test func `intervals before and after meals are kept`() throws {
    let rule = IntakeMealRule(
      medicine: "levothyroxine", beforeMeal: 30, afterMeal: 180, rows: ["i010"])
    let proposal = propose(
      [Self.medicine("levothyroxine", ["08:00"]), Self.meal("metformin", [.breakfast])], [],
      [rule])
    let finding = try #require(proposal.findings.first)
    #expect(finding.isMended && finding.distance == 30)
    #expect(times(proposal)["levothyroxine"] == ["07:00"])
  }

  @Test func `an impossible plan is left unchanged with its conflicting rules`() throws {
    let rules = [Self.apart("levothyroxine", "iron", 4)]
    let proposal = propose(
      [
        Self.meal("levothyroxine", [.breakfast]), Self.meal("iron", [.breakfast]),
        Self.medicine("bisoprolol", ["08:00"]),
      ], rules)
    let finding = try #require(proposal.findings.first)
    #expect(!finding.isMended && finding.clash == .event(.breakfast))
    #expect(times(proposal)["bisoprolol"] == ["07:30"])
    let days = propose(
      [Self.medicine("selegiline", ["08:00"]), Self.medicine("sertraline", ["09:00"])],
      [Self.apart("selegiline", "sertraline", 336)])
    #expect(days.findings.first?.clash == .days && days.changes.isEmpty)
    #expect(days.findings.first?.distance == 60)
  }

  @Test func `doses of one medicine keep their distance, stated or not`() {
    let close = propose([
      Self.medicine("amoxicillin", ["07:30", "12:00", "18:00"]),
      Self.meal("metformin", [.lunch, .dinner]),
    ])
    #expect(times(close)["amoxicillin"] == ["07:30", "12:30", "18:30"])
    let spread = DraftSpread(
      count: 3, gapHours: 5,
      window: DayWindow(
        from: ClockTime(hour: 8, minute: 0) ?? .midnight,
        until: ClockTime(hour: 20, minute: 0) ?? .midnight))
    let stated = propose([
      Self.medicine("ibuprofen", ["08:00", "14:00", "20:00"], way: .spread(spread)),
      Self.medicine("ramipril", ["18:30"]), Self.medicine("digoxin", ["18:00"]),
    ])
    let minutes = stated.after.medicines.first { $0.id == "ibuprofen" }?.minutes ?? []
    #expect(zip(minutes, minutes.dropFirst()).allSatisfy { $1 - $0 >= 300 })
    #expect(minutes.first ?? 0 >= 480 && minutes.last ?? 1_440 <= 1_200)
  }

  @Test func `intervals to a medicine without times are left to the person`() {
    let proposal = propose(
      [
        Self.medicine("nitroglycerin", [], way: .kept(.asNeeded)),
        Self.medicine("sildenafil", ["20:00"]),
      ],
      [
        IntakeSpacing(
          first: "nitroglycerin", second: "sildenafil", firstThenSecond: nil,
          secondThenFirst: 1_440, rows: ["i073"])
      ])
    #expect(
      proposal.unforeseen == [
        .apart(earlier: "sildenafil", later: "nitroglycerin", minutes: 1_440, rows: ["i073"])
      ])
  }

  @Test func `excluded medicines stay, and the others are planned around them`() {
    let situation = IntakeSituation(medicines: [
      Self.medicine("bisoprolol", ["08:00"]), Self.medicine("ramipril", ["09:00"]),
    ])
    let proposal = SimplificationPlanner.propose(situation.leaving(["ramipril"]))
    #expect(times(proposal) == ["bisoprolol": ["09:00"], "ramipril": ["09:00"]])
    #expect(proposal.kept.map(\.why) == [.left])
    let none = SimplificationPlanner.propose(situation.leaving(["ramipril", "bisoprolol"]))
    #expect(none.changes.isEmpty && none.timesAfter.count == 2)
  }
}
