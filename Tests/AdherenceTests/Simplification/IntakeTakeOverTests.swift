// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Knowledge
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Dosing
@testable import Plans
@testable import Prescriptions

/// A proposal read from stored plans, and carried out.
@Suite struct IntakeTakeOverTests {
  private func basis(_ place: TestPlace) async throws -> IntakeBasis {
    let (now, zones) = (place.now, place.zones)
    return try await place.database.read { reader in
      try IntakeReading.read(
        .shipped, patient: TestPlace.patient, now: now, zones: zones, in: reader)
    }
  }

  private func takeOver(
    _ place: TestPlace, leaving left: Set<PlanID> = [], digest: String?
  ) async throws -> [IntakeChange] {
    let planned = PlannedIntakes(try await basis(place), leaving: left)
    return try await takeOver(place, planned, digest: digest)
  }

  private func takeOver(
    _ place: TestPlace, _ planned: PlannedIntakes, digest: String?
  ) async throws -> [IntakeChange] {
    let context = place.context
    return try await place.database.write { writer in
      try SimplificationCommands.takeOver(
        planned, .shipped, digest: digest, patient: TestPlace.patient, context: context,
        in: writer)
    }
  }

  private func plan(_ id: PlanID, _ place: TestPlace) async throws -> Plan {
    let found = try await place.database.read { reader in
      try PlanQueries.plan(id, patient: TestPlace.patient, in: reader)
    }
    return try #require(found)
  }

  private func times(_ plan: Plan) -> [String] { plan.slots.map(\.time.text).sorted() }

  @Test func `an accepted proposal applies in full and keeps existing doses`() async throws {
    let place = try await TestPlace()
    let bisoprolol = try await place.add(.tablet(["08:00"], name: "Bisoprolol"))
    let ramipril = try await place.add(
      .tablet(["07:30", "19:00"], name: "Ramipril", weekdays: [.monday, .sunday]))
    let metformin = try await place.add(
      PlanDraft.tablet([], name: "Metformin").with(
        .meals(
          [DraftMeal(event: .breakfast), DraftMeal(event: .dinner)],
          weekdays: Set(Weekday.allCases))))
    let basis = try await basis(place)
    let proposal = SimplificationPlanner.propose(basis.situation)
    #expect(proposal.timesBefore.count == 4 && proposal.timesAfter.count == 2)
    let before = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 48 * 3_600_000))
    await #expect(throws: IntakeError.outdated) {
      _ = try await takeOver(place, digest: "other")
    }
    let changes = try await takeOver(place, digest: basis.digest(of: proposal))
    #expect(changes.map(\.name) == ["Bisoprolol", "Ramipril"])
    let after = try await plan(ramipril.id, place)
    #expect(times(after) == ["07:30:00", "18:30:00"])
    #expect(after.slots.map(\.id).sorted() == ramipril.slots.map(\.id).sorted())
    #expect(after.era == ramipril.era)
    #expect(times(try await plan(bisoprolol.id, place)) == ["07:30:00"])
    #expect(try await plan(metformin.id, place).version == metformin.version)
    let later = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 48 * 3_600_000))
    #expect(Set(later.doses.map(\.id)) == Set(before.doses.map(\.id)))
    #expect(later.doses.allSatisfy { $0.state != .cancelled })
    // Nothing is left to propose, and the earlier proposal is outdated.
    let again = try await self.basis(place)
    #expect(SimplificationPlanner.propose(again.situation).changes.isEmpty)
    await #expect(throws: IntakeError.outdated) {
      _ = try await takeOver(place, digest: basis.digest(of: proposal))
    }
    await #expect(throws: IntakeError.nothing) { _ = try await takeOver(place, digest: nil) }
  }

  @Test func `a dose whose new time has passed today keeps its old one once`() async throws {
    let place = try await TestPlace(at: "2026-03-01T07:45:00+01:00")
    let plan = try await place.add(.tablet(["08:00"], name: "Bisoprolol"))
    try await place.add(.tablet(["07:30"], name: "Ramipril"))
    let ramipril = try await basis(place).situation.medicines.first { $0.name == "Ramipril" }
    let left = Set([try #require(ramipril?.id)])
    _ = try await takeOver(place, leaving: left, digest: nil)
    let doses = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 36 * 3_600_000)
    ).doses.filter { $0.plan == plan.id && $0.state != .cancelled }
    #expect(
      doses.map(\.due) == [
        Timestamp("2026-03-01T08:00:00+01:00"), Timestamp("2026-03-02T07:30:00+01:00"),
      ])
  }

  @Test func `an outdated proposal is not applied`() async throws {
    let place = try await TestPlace()
    let bisoprolol = try await place.add(.tablet(["08:00"], name: "Bisoprolol"))
    try await place.add(.tablet(["09:00"], name: "Ramipril"))
    let planned = PlannedIntakes(try await basis(place))
    #expect(planned.proposal.changes.count == 1)
    let digest = planned.basis.digest(of: planned.proposal)
    // The same proposal, but the medicines have changed meanwhile.
    try await place.add(.tablet(["20:00"], name: "Digoxin"))
    await #expect(throws: IntakeError.outdated) {
      _ = try await takeOver(place, planned, digest: digest)
    }
    await #expect(throws: IntakeError.outdated) {
      _ = try await takeOver(place, planned, digest: nil)
    }
    #expect(try await plan(bisoprolol.id, place).version == bisoprolol.version)
    #expect(try await takeOver(place, digest: nil).count == 1)
  }

  @Test func `a medicine that keeps its interval while travelling keeps its times`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let away = try await place.add(.tablet(["08:00", "20:00"], name: "Levetiracetam"))
    try await place.add(.tablet(["08:00"], name: "Bisoprolol"))
    let context = place.context
    try await place.database.write { writer in
      try PlanCommands.travel(
        [away.id: .elapsed], patient: TestPlace.patient, isStaying: false, context: context,
        in: writer)
    }
    try await place.move(to: "Asia/Bangkok")
    #expect(try await plan(away.id, place).zone == "UTC+01:00")
    let medicines = try await basis(place).situation.medicines
    let found = try #require(medicines.first { $0.id == away.id })
    // Eight in the morning and evening in Berlin is two o'clock in Bangkok.
    #expect(found.kept == .zone && found.minutes.map(IntakeClock.ofDay).sorted() == [120, 840])
    #expect(medicines.first { $0.id != away.id }?.kept == nil)
  }

  @Test func `the shipped list's intervals are found with their rows`() async throws {
    let place = try await TestPlace()
    try await place.add(.tablet(["07:00"], name: "Levothyroxine"))
    try await place.add(.tablet(["08:00"], name: "Calcium carbonate"))
    try await place.add(.tablet(["12:30"], name: "Foozolin"))
    let basis = try await basis(place)
    #expect(basis.unlisted == ["Foozolin"])
    #expect(basis.situation.meals.map(\.rows) == [["i010"]])
    let proposal = SimplificationPlanner.propose(basis.situation)
    let finding = try #require(proposal.findings.first)
    guard case .apart(_, _, let minutes, let rows) = finding.rule else {
      Issue.record("no hours between two")
      return
    }
    #expect(minutes == 240 && rows == ["i011"] && finding.distance == 60 && finding.isMended)
    #expect(proposal.namesBefore(at: 480) == ["Calcium carbonate"])
  }

  @Test func `each kind of excluded plan has its own reason`() async throws {
    let place = try await TestPlace()
    let all = Set(Weekday.allCases)
    let noon = try #require(ClockTime(hour: 12, minute: 0))
    let time = DraftTime(time: noon)
    let kinds: [(IntakeKept, DraftSchedule)] = [
      (.hours, .everyHours(8, first: noon)),
      (.afterIntake, .afterIntake(DraftInterval(hours: 6, first: noon))),
      (.cycle, .cycle(DraftCycle(daysOn: 21, daysOff: 7, times: [time]))),
      (
        .steps,
        .steps([
          DraftStep(days: 3, amount: "2", times: [time]),
          DraftStep(days: nil, amount: "1", times: [time]),
        ])
      ),
      (
        .amounts,
        .varying([
          DraftEntry(time: time, amount: "2", weekdays: [.monday]),
          DraftEntry(time: time, amount: "1", weekdays: [.tuesday]),
        ])
      ),
      (.asNeeded, .asNeeded(reason: nil)),
      (.event, .meals([DraftMeal(event: .bedtime)], weekdays: all)),
    ]
    var wanted: [PlanID: IntakeKept] = [:]
    for (why, schedule) in kinds {
      var draft = PlanDraft.tablet([], name: "of \(why.rawValue)").with(schedule)
      if schedule.statesAmounts { draft.doseValue = "" }
      wanted[try await place.add(draft).id] = why
    }
    let away = try await place.add(.tablet(["12:00"], name: "of zone", policy: .home))
    wanted[away.id] = .zone
    let pressing = try await place.add(.tablet(["12:00"], name: "of critical"))
    try await place.move(to: "Europe/London")
    wanted[pressing.id] = .critical
    try await place.database.write { writer in
      try writer.execute(
        """
        INSERT INTO plan_reminders (patient, plan, is_critical, is_silent, lead)
        VALUES ($1, $2, 1, 0, NULL)
        """, [.text(TestPlace.patient), .text(pressing.id)])
    }
    let basis = try await basis(place)
    for medicine in basis.situation.medicines {
      #expect(medicine.kept == wanted[medicine.id], "\(medicine.name)")
    }
    let hours = basis.situation.medicines.first { $0.kept == .hours }
    #expect(hours?.minutes.count == 3)
    // Noon in Berlin is eleven o'clock in London.
    let zone = basis.situation.medicines.first { $0.kept == .zone }
    #expect(zone?.minutes == [660])
    #expect(SimplificationPlanner.propose(basis.situation).changes.isEmpty)
  }

  @Test func `doses that are spread out move within their window, and stay spread`() async throws {
    let place = try await TestPlace()
    let window = DayWindow(
      from: try #require(ClockTime(hour: 8, minute: 0)),
      until: try #require(ClockTime(hour: 20, minute: 0)))
    let spread = DraftSpread(count: 2, gapHours: 6, window: window)
    let plan = try await place.add(PlanDraft.tablet([], name: "Ibuprofen").with(.spread(spread)))
    try await place.add(.tablet(["19:00"], name: "Ramipril"))
    let left = try await basis(place).situation.medicines.filter { $0.name == "Ramipril" }
    let changes = try await takeOver(place, leaving: Set(left.map(\.id)), digest: nil)
    #expect(changes.map(\.to) == [[480, 1_140]])
    let after = try await self.plan(plan.id, place)
    #expect(times(after) == ["08:00:00", "19:00:00"])
    #expect(after.slots.map(\.id).sorted() == plan.slots.map(\.id).sorted())
    let sixHours: Int64 = 6 * 3_600_000
    #expect(after.minimumGapMilliseconds == sixHours)
  }

  @Test func `doses of two medicines that are too close are named`() async throws {
    let place = try await TestPlace(at: "2026-03-01T11:00:00+01:00")
    let levothyroxine = try await place.add(.tablet(["10:30"], name: "Levothyroxine"))
    let calcium = try await place.add(.tablet(["12:30"], name: "Calcium carbonate"))
    let spacing = IntakeSpacing(
      first: levothyroxine.id, second: calcium.id, firstThenSecond: 240, secondThenFirst: 240,
      rows: ["i011"])
    let situation = IntakeSituation(medicines: [], spacings: [spacing])
    let listing = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 30 * 3_600_000))
    let found = situation.nearness(of: listing.doses)
    #expect(
      found.map(\.first) == [Timestamp("2026-03-02T10:30:00+01:00")], "\(found)")
    #expect(found.map(\.second) == [Timestamp("2026-03-02T12:30:00+01:00")])
    let far = IntakeSituation(
      medicines: [],
      spacings: [
        IntakeSpacing(
          first: levothyroxine.id, second: calcium.id, firstThenSecond: 120, secondThenFirst: 240,
          rows: [])
      ])
    #expect(far.nearness(of: listing.doses).isEmpty)
  }
}
