// SPDX-License-Identifier: Apache-2.0
import Access
import CareTeam
import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

struct CareDeskTests {
  private static func entry(
    _ name: String, _ categories: Set<DataCategory> = Set(DataCategory.allCases)
  ) -> CarePanelEntry {
    CarePanelEntry(patient: PatientID(name), name: name, categories: categories, reasons: [])
  }

  private static func adherence(taken: Int, planned: Int) -> CareAdherence {
    var adherence = CareAdherence()
    adherence.set(CareAdherence.Day(taken: taken, planned: planned), daysAgo: 0)
    return adherence
  }

  @Test(arguments: CareDeskSort.allCases)
  func `patients without a value sort after the others, unshared values last`(
    sort: CareDeskSort
  ) throws {
    let entries = [
      Self.entry("hidden", []), Self.entry("None"),
      Self.entry("more").with([.fewMissed(1)], since: 20),
      Self.entry("Less").with([.missed(5)], since: 10),
      Self.entry("another", []),
    ]
    var facts = CareDeskFacts()
    facts.birthDates = [
      "more": try #require(CivilDate(text: "1950-01-01")),
      "Less": try #require(CivilDate(text: "1990-01-01")),
    ]
    facts.adherence = [
      "more": Self.adherence(taken: 9, planned: 10), "Less": Self.adherence(taken: 1, planned: 10),
      // Data that arrived here by mistake does not move a patient who does not share it.
      "hidden": Self.adherence(taken: 5, planned: 10),
    ]
    facts.lastSeen = [
      "more": Timestamp(milliseconds: 20), "Less": Timestamp(milliseconds: 10),
      "hidden": Timestamp(milliseconds: 15),
    ]
    for seed in 0..<10 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let shuffled = entries.shuffled(using: &generator)
      func names(_ isReversed: Bool) -> [String] {
        CareDeskOrder.sorted(shuffled, by: sort, isReversed: isReversed, facts).map(\.name)
      }
      switch sort {
      case .need:
        #expect(Array(names(false).prefix(2)) == ["Less", "more"])
        #expect(names(true) == names(false).reversed())
      case .name:
        #expect(names(false) == ["another", "hidden", "Less", "more", "None"])
        #expect(names(true) == names(false).reversed())
      case .age:
        // All share it; three have no birth date.
        #expect(names(false) == ["Less", "more", "another", "hidden", "None"])
        #expect(names(true) == ["more", "Less", "another", "hidden", "None"])
      case .week, .month, .seen, .since:
        #expect(names(false) == ["Less", "more", "None", "another", "hidden"])
        #expect(names(true) == ["more", "Less", "None", "another", "hidden"])
      }
    }
  }

  @Test func `percentages are whole and never rounded to 0 or 100`() {
    var adherence = CareAdherence()
    #expect(adherence.percent(days: 30) == nil)
    adherence.set(CareAdherence.Day(taken: 0, planned: 1), daysAgo: 29)
    for day in 0..<7 { adherence.set(CareAdherence.Day(taken: 99, planned: 99), daysAgo: day) }
    #expect(adherence.percent(days: 7) == 100)
    #expect(adherence.percent(days: 30) == 99)
    #expect(adherence.total(days: 30) == CareAdherence.Day(taken: 693, planned: 694))
    adherence.set(CareAdherence.Day(taken: 1, planned: 1), daysAgo: 30)
    adherence.set(CareAdherence.Day(taken: 1, planned: 1), daysAgo: -1)
    #expect(adherence.total(days: 30).planned == 694)
  }

  @Test func `doses of the requested patients are counted up to today`() async throws {
    let care = try await CareFixture(at: "2026-03-01T06:00:00+01:00", sharing: [.adherence])
    try await care.place.add(.tablet(["08:00", "20:00"]))
    care.place.clock.set("2026-03-04T12:00:00+01:00")
    try await care.place.extendHorizon()
    let day = try await care.place.listing(
      from: "2026-03-04T00:00:00+01:00", until: "2026-03-04T12:00:00+01:00")
    let (context, now) = (care.place.context, care.place.now)
    try await care.place.database.write { writer in
      for dose in day.doses {
        _ = try AnswerCommands.answer(
          dose.id, patient: TestPlace.patient, AnswerRequest(action: .refused), context: context,
          in: writer)
      }
    }
    let patients: [PatientID] = [TestPlace.patient, "doctor-self"]
    let (adherence, seen, births) = try await care.place.database.read { reader in
      (
        try CareDesk.adherence(of: patients, at: now, in: reader),
        try CareDesk.lastSeen(of: patients, at: now, in: reader),
        try PeopleQueries.birthDates(of: patients, in: reader)
      )
    }
    #expect(adherence.count == 1 && seen.count == 1)
    let days = try #require(adherence[TestPlace.patient]).days.map(\.planned)
    #expect(Array(days.suffix(5)) == [0, 1, 2, 2, 2])
    #expect(adherence[TestPlace.patient]?.total(days: 7) == CareAdherence.Day(taken: 0, planned: 7))
    #expect(seen[TestPlace.patient] == now)
    #expect(births[TestPlace.patient]?.text == "1948-05-01")
    let panel = try await care.panel()
    // The first missed dose has been late since before the second.
    let since = try #require(panel.first?.neededSince)
    #expect(since < now && panel.first?.since.count == panel.first?.reasons.count)
  }

  @Test func `an empty list runs no query`() async throws {
    let care = try await CareFixture(sharing: nil)
    let now = care.place.now
    let isEmpty = try await care.place.database.read { reader in
      try CareDesk.adherence(of: [], at: now, in: reader).isEmpty
        && CareDesk.lastSeen(of: [], at: now, in: reader).isEmpty
        && PeopleQueries.birthDates(of: [], in: reader).isEmpty
    }
    #expect(isEmpty)
  }
}

extension CarePanelEntry {
  /// Returns the same patient with reasons that apply since a time.
  fileprivate func with(_ reasons: [CareReason], since: Int64) -> CarePanelEntry {
    CarePanelEntry(
      patient: patient, name: name, categories: categories, reasons: reasons,
      since: Dictionary(
        uniqueKeysWithValues: reasons.map { ($0, Timestamp(milliseconds: since)) }))
  }
}
