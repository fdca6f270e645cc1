// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans
@testable import Statistics

@Suite struct HistoryQueryTests {
  private static let all = (Timestamp(milliseconds: 0), Timestamp(milliseconds: .max))
  private static let later = AnswerWorld.eight.adding(milliseconds: 20 * AnswerWorld.hour)

  /// Creates doses taken, late, skipped, refused, missed, withheld, cancelled and one in the future; two
  /// extras.
  private func world() async throws -> AnswerWorld {
    let world = try await AnswerWorld()
    try await world.addPlan("p", gapHours: nil)
    try await world.addPlan("q", name: "Ramipril", gapHours: nil)
    var doses: [DoseID] = []
    for number in Int64(0)..<5 {
      doses.append(try await world.addDose("p", number, dueMinutes: number))
    }
    try await world.addDose("q", 5, dueMinutes: 5, state: .withheld, reason: .edit)
    try await world.addDose("q", 6, dueMinutes: 6, state: .cancelled, reason: .stopped)
    try await world.addDose("q", 7, dueMinutes: 24 * 60)
    func answer(_ index: Int, _ action: AnswerAction, after minutes: Int64 = 0) async throws {
      let at = AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)
      let outcome = try await world.answer(
        doses[index], AnswerRequest(action: action, at: at, confirm: true), at: Self.later)
      try #require(outcome.accepted != nil)
    }
    try await answer(0, .taken, after: 4)
    try await answer(1, .taken, after: 90)
    try await answer(2, .skipped)
    try await answer(3, .refused)
    for (taken, minutes) in [(true, Int64(300)), (false, 310)] {
      let outcome = try await world.administer(
        AdministrationRequest(
          patient: AnswerWorld.patient, medicine: "p",
          at: AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute), taken: taken,
          confirm: true), at: Self.later)
      try #require(outcome.recorded != nil)
    }
    return world
  }

  private func lines(
    _ world: AnswerWorld, _ filter: HistoryFilter
  ) async throws -> [HistoryEntry] {
    try await world.database.read { reader in
      try HistoryQueries.entries(
        filter, patient: AnswerWorld.patient, from: Self.all.0, until: Self.all.1,
        now: Self.later, in: reader)
    }
  }

  @Test(
    arguments: [
      (
        [], nil,
        [
          "taken", "taken", "skipped", "refused", "missed", "withheld", "extra", "not taken",
          "scheduled",
        ]
      ),
      ([.taken], nil, ["taken", "extra"]), ([.late], nil, ["taken"]),
      ([.skipped], nil, ["skipped", "not taken"]),
      ([.refused, .missed], nil, ["refused", "missed"]),
      ([.withheld], nil, ["withheld"]), ([], "q", ["withheld", "scheduled"]),
      ([.taken], "q", []), ([], "unknown", []),
    ] as [(Set<DoseOutcome>, PlanID?, [String])])
  func `filters keep the lines that they name`(
    outcomes: Set<DoseOutcome>, plan: PlanID?, expected: [String]
  ) async throws {
    let world = try await world()
    let filter = HistoryFilter(plan: plan, outcomes: outcomes)
    let found = try await lines(world, filter).map { entry in
      switch entry {
      case .dose(let dose): dose.state.rawValue
      case .extra(let record): record.taken ? "extra" : "not taken"
      }
    }
    #expect(found == expected)
    let ids = try await world.database.read { reader in
      try HistoryQueries.administrations(
        filter, patient: AnswerWorld.patient, from: Self.all.0, until: Self.all.1,
        now: Self.later, in: reader)
    }
    let known = Set(["taken", "skipped", "refused", "extra", "not taken"])
    #expect(ids.count == expected.count { known.contains($0) })
  }

  @Test func `counts exclude cancelled and future doses`() async throws {
    let world = try await world()
    let counts = try await world.database.read { reader in
      try HistoryQueries.counts(
        HistoryFilter(), patient: AnswerWorld.patient, from: Self.all.0, until: Self.all.1,
        now: Self.later, in: reader)
    }
    #expect(
      counts
        == DoseCounts([.taken: 1, .late: 1, .skipped: 1, .refused: 1, .missed: 1, .withheld: 1]))
  }

  @Test func `paging works in both directions`() async throws {
    let world = try await world()
    let (back, forth, beyond, foreign) = try await world.database.read { reader in
      (
        try HistoryQueries.moment(
          2, before: Self.later, HistoryFilter(), patient: AnswerWorld.patient, now: Self.later,
          in: reader),
        try HistoryQueries.moment(
          3, from: AnswerWorld.eight, until: Self.later, HistoryFilter(plan: "p"),
          patient: AnswerWorld.patient, now: Self.later, in: reader),
        try HistoryQueries.moment(
          50, before: Self.later, HistoryFilter(), patient: AnswerWorld.patient, now: Self.later,
          in: reader),
        try HistoryQueries.isEmpty(
          HistoryFilter(), patient: "otto", from: Self.all.0, until: Self.all.1,
          now: Self.later, in: reader)
      )
    }
    #expect(back == AnswerWorld.eight.adding(milliseconds: 4 * AnswerWorld.minute))
    #expect(forth == AnswerWorld.eight.adding(milliseconds: 2 * AnswerWorld.minute))
    #expect(beyond == nil && foreign)
  }

  @Test func `a correction shows every version, an answer given once shows none`() async throws {
    let world = try await world()
    let dose = DoseID(plan: "p", era: 1, occurrence: .running(2))
    let version = try #require(try await world.dose(dose)?.version)
    _ = try await world.answer(
      dose, AnswerRequest(action: .taken, at: AnswerWorld.eight, corrects: version, confirm: true),
      at: Self.later, by: "Nora")
    let stories = try await world.database.read { reader in
      try HistoryQueries.corrections(
        plan: "p", patient: AnswerWorld.patient, from: Self.all.0, until: Self.all.1, in: reader)
    }
    #expect(stories.keys.map(\.self) == [dose])
    #expect(stories[dose]?.map(\.action) == [.skipped, .taken])
    #expect(stories[dose]?.map(\.by) == ["Ann", "Nora"])
  }

  @Test func `a skipped medicine without a plan is listed by name`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("p", gapHours: nil)
    for (name, taken) in [("Ibuprofen 400 mg", false), ("Zinc", true), ("p", false)] {
      let outcome = try await world.administer(
        AdministrationRequest(
          patient: AnswerWorld.patient, medicine: name, at: AnswerWorld.eight, taken: taken,
          reason: taken ? nil : "no pain", confirm: true), at: Self.later)
      try #require(outcome.recorded != nil)
    }
    func names(_ filter: HistoryFilter) async throws -> [String] {
      try await lines(world, filter).compactMap { entry in
        guard case .extra(let record) = entry else { return nil }
        return record.medicineName + (record.taken ? "" : ": \(record.reason ?? "-")")
      }.sorted()
    }
    let all = try await names(HistoryFilter())
    #expect(all.count == 3 && all.contains("Ibuprofen 400 mg: no pain") && all.contains("Zinc"))
    #expect(try await names(HistoryFilter(outcomes: [.skipped])).count == 2)
    #expect(try await names(HistoryFilter(plan: "p")).count == 1)
    let ids = try await world.database.read { reader in
      try HistoryQueries.administrations(
        HistoryFilter(), patient: AnswerWorld.patient, from: Self.all.0, until: Self.all.1,
        now: Self.later, in: reader)
    }
    #expect(ids.count == 3)
  }
}
