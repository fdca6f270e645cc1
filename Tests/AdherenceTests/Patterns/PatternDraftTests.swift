// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import People
@testable import Plans

struct PatternDraftTests {
  private static func time(_ text: String, slot: Int? = nil) -> DraftTime {
    DraftTime(slot: slot, time: ClockTime(text: text) ?? .midnight)
  }

  private static func window(_ from: String, _ until: String) -> DayWindow {
    DayWindow(
      from: ClockTime(text: from) ?? .midnight, until: ClockTime(text: until) ?? .midnight)
  }

  private static func draft(_ schedule: DraftSchedule) -> PlanDraft {
    var draft = PlanDraft.tablet(["08:00"]).with(schedule)
    if schedule.statesAmounts { draft.doseValue = "" }
    draft.doseUnit = "milligram"
    return draft
  }

  private static func issues(_ draft: PlanDraft) throws -> [DraftIssue] {
    draft.issues(
      today: try #require(CivilDate(text: "2026-03-01")),
      zone: try ZoneCatalog().zone("Europe/Berlin"), rhythm: .standard)
  }

  static let schedules: [DraftSchedule] = [
    .cycle(DraftCycle(daysOn: 21, daysOff: 7, times: [time("20:00", slot: 1)])),
    .cycle(
      DraftCycle(daysOn: 24, daysOff: 4, times: [time("20:00", slot: 1)], hasPlacebo: true)),
    .steps([
      DraftStep(days: 5, amount: "20", times: [time("08:00", slot: 1)]),
      DraftStep(days: 5, amount: "1 x 5 + 1 x 2.5", times: [time("08:00", slot: 2)]),
      DraftStep(days: nil, amount: "5", times: [time("08:00", slot: 3), time("20:00", slot: 4)]),
    ]),
    .varying([
      DraftEntry(
        time: time("08:00", slot: 1), amount: "10", weekdays: Set(Weekday.allCases)),
      DraftEntry(time: time("20:00", slot: 2), amount: "5", weekdays: [.monday, .friday]),
    ]),
    .spread(
      DraftSpread(
        count: 4, gapHours: 4, window: window("07:00", "22:00"), slots: [1, 2, 3, 4])),
    .afterIntake(DraftInterval(hours: 6, first: time("08:00").time)),
    .afterIntake(
      DraftInterval(hours: 6, first: time("08:00").time, waking: window("07:00", "23:00"))),
  ]

  @Test(arguments: schedules)
  func `a request reads back as the draft that made it, also through FHIR`(
    schedule: DraftSchedule
  ) async throws {
    let draft = Self.draft(schedule)
    #expect(try Self.issues(draft) == [])
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(draft)
    #expect(plan.unplanned == nil)
    #expect(
      ResourceValidator.issues(in: plan.request.json, expecting: .medicationRequest).isEmpty)
    func read(_ plan: Plan) throws -> PlanDraft? {
      PlanDraft(
        medicationRequest: plan.request.json, slots: plan.slots,
        zone: try ZoneCatalog().zone("Europe/Berlin"), start: .earliest, policy: .follow)
    }
    #expect(try read(plan) == draft)
    // Another program that reads it and sends it back unchanged changes no dose.
    let (from, until) = ("2026-03-01T00:00:00+01:00", "2026-04-10T00:00:00+02:00")
    let before = try await place.listing(from: from, until: until).lines
    #expect(!before.isEmpty)
    let again = try await place.receive(plan.request.json, id: plan.id)
    #expect(try read(again) == draft && again.era == 1)
    #expect(try await place.listing(from: from, until: until).lines == before)
    // Nor does saving the form without a change.
    let saved = try await place.edit(plan.id, draft)
    #expect(saved.era == 1 && saved.slots == plan.slots)
    #expect(try await place.listing(from: from, until: until).lines == before)
  }

  @Test func `cycle days, steps and amounts are due as written`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    func amounts(_ schedule: DraftSchedule, days: Int) async throws -> [String] {
      let plan = try await place.add(Self.draft(schedule))
      let end = place.now.adding(milliseconds: Int64(days) * 86_400_000)
      let doses = try await place.listing(from: place.now, until: end).doses
      return doses.filter { $0.plan == plan.id }.map { dose in
        "\((dose.due.milliseconds - place.now.milliseconds) / 86_400_000):"
          + "\(dose.amount?.value ?? "")\(dose.amount?.code == PlanDraft.placeboCode ? "p" : "")"
      }
    }
    let cycle = DraftSchedule.cycle(
      DraftCycle(daysOn: 2, daysOff: 2, times: [Self.time("20:00")], hasPlacebo: true))
    #expect(try await amounts(cycle, days: 6) == ["0:1", "1:1", "2:1p", "3:1p", "4:1", "5:1"])
    let still = DraftSchedule.cycle(
      DraftCycle(daysOn: 2, daysOff: 2, times: [Self.time("20:00")]))
    #expect(try await amounts(still, days: 6) == ["0:1", "1:1", "4:1", "5:1"])
    let steps = DraftSchedule.steps([
      DraftStep(days: 2, amount: "20", times: [Self.time("08:00")]),
      DraftStep(days: 1, amount: "1 x 5 + 1 x 2,5", times: [Self.time("08:00")]),
      DraftStep(days: nil, amount: "5", times: [Self.time("08:00")]),
    ])
    #expect(try await amounts(steps, days: 5) == ["0:20", "1:20", "2:7.5", "3:5", "4:5"])
    // 1 March 2026 is a Sunday.
    let varying = DraftSchedule.varying([
      DraftEntry(
        time: Self.time("08:00"), amount: "10", weekdays: [.sunday]),
      DraftEntry(
        time: Self.time("08:00"), amount: "5",
        weekdays: Set(Weekday.allCases).subtracting([.sunday])),
    ])
    #expect(try await amounts(varying, days: 3) == ["0:10", "1:5", "2:5"])
  }

  @Test func `a contradictory draft is refused with its two lines`() throws {
    func clash(_ draft: PlanDraft) throws -> [PlanClash.Line] {
      try Self.issues(draft).compactMap(\.clash).flatMap { [$0.one, $0.other] }
    }
    var draft = Self.draft(
      .spread(DraftSpread(count: 4, gapHours: 6, window: Self.window("08:00", "20:00"))))
    #expect(
      try clash(draft) == [.apart(count: 4, hours: 6), .window(Self.window("08:00", "20:00"))])
    draft = Self.draft(
      .varying([
        DraftEntry(time: Self.time("08:00"), amount: "10", weekdays: [.monday, .tuesday]),
        DraftEntry(time: Self.time("08:00"), amount: "5", weekdays: [.tuesday]),
      ]))
    let eight = Self.time("08:00").time
    #expect(try clash(draft) == [.entry(eight, "10"), .entry(eight, "5")])
    draft = Self.draft(
      .steps([DraftStep(days: 3, amount: "10", times: [Self.time("08:00")])]))
    draft.end = CivilDate(text: "2026-03-10")
    let third = try #require(CivilDate(text: "2026-03-03"))
    let tenth = try #require(CivilDate(text: "2026-03-10"))
    #expect(try clash(draft) == [.stepsEnd(third), .lastDay(tenth)])
    draft = PlanDraft.tablet(["08:00"], dose: "7")
    draft.doseUnit = "milligram"
    draft.mix = "1 x 5 + 1 x 2.5"
    let mix = try #require(DoseMix(typed: "1 x 5 + 1 x 2.5"))
    let seven = try #require(Amount(value: "7", unit: "milligram", code: "mg"))
    #expect(try clash(draft) == [.dose(seven), .mix(mix)])
    // A later step counts against the maximum too.
    draft = Self.draft(
      .steps([
        DraftStep(days: 40, amount: "5", times: [Self.time("08:00")]),
        DraftStep(days: 5, amount: "15", times: [Self.time("08:00"), Self.time("20:00")]),
      ]))
    draft.limits.amount = "20"
    #expect(try Self.issues(draft).map(\.field) == [.maximum])
  }

  @Test(arguments: [
    ("1 x 5 + 1 x 2.5", "1 x 5 + 1 x 2.5", "7.5"), ("1×5mg + 0,5 × 5 mg", "1 x 5 + 0.5 x 5", "7.5"),
    ("5 + 2.5", "1 x 5 + 1 x 2.5", "7.5"), ("3 X 100", "3 x 100", "300"),
  ])
  func `a mix of tablets is read`(typed: String, text: String, total: String) throws {
    let mix = try #require(DoseMix(typed: typed))
    #expect(mix.text == text && mix.total == total && mix.makes(total))
    #expect(DoseMix(typed: mix.text) == mix)
    #expect(
      DoseMix(DosageView(["extension": [mix.element(unit: "milligram", code: "mg")]])) == mix)
  }

  @Test(arguments: ["7.5", "", "x", "1 x", "x 5", "1 x 5 +", "1 x 5 x 2", "a + b", "0 x 5"])
  func `text that is not a mix of tablets is refused`(typed: String) {
    #expect(DoseMix(typed: typed) == nil)
  }

  @Test func `an extension that contradicts its dosage is refused over FHIR`() async throws {
    let place = try await TestPlace()
    var draft = PlanDraft.tablet(["08:00"], dose: "7.5")
    draft.doseUnit = "milligram"
    draft.mix = "1 x 5 + 1 x 2.5"
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    var request = draft.medicationRequest(
      patient: TestPlace.patient, authoredOn: nil, zone: zone, replacing: nil)
    _ = try await place.receive(request)
    var dosage = try #require(request["dosageInstruction"]?[0])
    dosage["doseAndRate"] = [["doseQuantity": ["value": 8, "unit": "mg", "code": "mg"]]]
    request["dosageInstruction"] = .array([dosage])
    let wrong = request
    await #expect(throws: PlanError.self) { try await place.receive(wrong) }
    // Unreadable hours do not count as none: it does not ring.
    let unread = try await place.receive(
      TestSupport.medicationRequest(
        timing: ["repeat": ["frequency": 1, "period": 6, "periodUnit": "h"]],
        dosage: [
          "extension": [
            [
              "url": "urn:regimen:after-intake",
              "extension": [["url": "from", "valueTime": "07:00:00"]],
            ]
          ]
        ]))
    #expect(unread.unplanned == .unsupportedTiming(element: "extension"))
  }
}
