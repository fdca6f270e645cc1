// SPDX-License-Identifier: Apache-2.0
import Access
import Adherence
import Dosing
import FHIR
import Identifiers
import Knowledge
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import Testing
import TestSupport

/// A weekly medicine is never planned more often, unless someone confirmed it.
@Suite struct FrequencyBreachTests {
  private static let name = "Methotrexate 2.5 mg"
  private static let daily = PlanDraft.tablet(["08:00"], name: name, dose: "6")
  private static let weekly = PlanDraft.tablet(
    ["08:00"], name: name, dose: "6", weekdays: [.monday])

  private static func request(_ repeated: JSONValue, name: String = name) -> JSONValue {
    var request = medicationRequest(timing: ["repeat": repeated])
    request["medicationCodeableConcept"] = ["text": .string(name)]
    return request
  }

  private func isRefused(_ place: TestPlace, _ draft: PlanDraft) async throws -> Bool {
    do {
      try await place.add(draft)
      return false
    } catch PlanError.tooOften(let breach) {
      #expect(breach.rule.id == "methotrexate")
      return true
    }
  }

  private func confirmed(_ draft: PlanDraft, doses: String = "7") -> PlanDraft {
    var draft = draft
    draft.confirmations = [
      PlanConfirmation(
        question: "too-often-methotrexate", stated: doses, typed: "more often")
    ]
    return draft
  }

  @Test func `a dose more than weekly is refused however it is written`() async throws {
    let place = try await TestPlace()
    let eight = DraftTime(time: ClockTime(text: "08:00") ?? .midnight)
    let schedules: [DraftSchedule] = [
      .times([eight], weekdays: Set(Weekday.allCases)),
      .times([eight], weekdays: [.monday, .thursday]),
      .everyDays(6, times: [eight]), .everyHours(24, first: eight.time),
      .meals([DraftMeal(event: .breakfast)], weekdays: Set(Weekday.allCases)),
      .asNeeded(reason: "joints"),
    ]
    for schedule in schedules {
      #expect(try await isRefused(place, Self.daily.with(schedule)), "\(schedule)")
    }
    #expect(try await place.plans().isEmpty)
    #expect(try await place.count("plan_confirmations") == 0)
    for schedule in [
      DraftSchedule.times([eight], weekdays: [.monday]), .everyDays(7, times: [eight]),
      .everyHours(168, first: eight.time),
    ] {
      let plan = try await place.add(Self.daily.with(schedule))
      #expect(plan.unplanned == nil, "\(schedule)")
    }
    // Other medicines can be taken at any frequency.
    #expect(try await place.add(.tablet(["08:00"])).unplanned == nil)
  }

  @Test func `a confirmation names its author and covers nothing more`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(confirmed(Self.daily))
    #expect(plan.unplanned == nil)
    let kept = try await place.database.read {
      try PlanConfirmations.all(of: plan.id.text, patient: TestPlace.patient, in: $0)
    }
    let one = try #require(kept.first)
    #expect(kept.count == 1 && one.account == "account" && one.byName == "Ann")
    #expect(one.made == place.now && one.confirmation.typed == "more often")
    let audited = try await place.database.read { reader in
      try reader.first(
        "SELECT COUNT(*) FROM audit WHERE resource = 'DetectedIssue' AND resource_id = $1",
        [.text(plan.id)])?.integer(0)
    }
    #expect(audited == 1)
    // Another time of day needs no new confirmation, but twice a day does.
    place.clock.advance(minutes: 1)
    _ = try await place.edit(
      plan.id, PlanDraft.tablet(["09:00"], slots: [1], name: Self.name, dose: "6"))
    await #expect(throws: PlanError.self) {
      try await place.edit(
        plan.id, PlanDraft.tablet(["09:00", "21:00"], name: Self.name, dose: "6"))
    }
  }

  @Test func `a weekly plan cannot be edited to daily`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(Self.weekly)
    await #expect(throws: PlanError.self) { try await place.edit(plan.id, Self.daily) }
    let doses = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(doses.lines == ["2026-03-02T08:00:00+01:00 scheduled"])
  }

  @Test(
    arguments: [
      ["timeOfDay": ["08:00:00"]],
      ["frequency": 1, "period": 1, "periodUnit": "d"],
      ["frequency": 1, "period": 24, "periodUnit": "h"],
      ["dayOfWeek": ["mon", "tue"], "timeOfDay": ["08:00:00"]],
      ["when": ["MORN"]],
    ] as [JSONValue])
  func `an API client is told the rule, and nothing is stored`(repeated: JSONValue) async throws {
    let place = try await TestPlace()
    let before = try await place.count("resource_versions")
    do {
      try await place.receive(Self.request(repeated))
      Issue.record("kept")
    } catch PlanError.invalidResource(let issues) {
      #expect(issues.first?.code == .businessRule)
      let text = issues.first?.diagnostics ?? ""
      #expect(text.contains("ethotrexate") && text.contains(": at most 1 dose(s) in 7 days"))
      #expect(text.contains("ISMP, Targeted") && !text.contains("W1") && !text.contains("Rule"))
    }
    #expect(try await place.count("resource_versions") == before)
    // A safe plan stays as it is.
    let weekly: JSONValue = ["dayOfWeek": ["mon"], "timeOfDay": ["08:00:00"]]
    let plan = try await place.receive(Self.request(weekly))
    await #expect(throws: PlanError.self) {
      try await place.receive(Self.request(repeated), id: plan.id)
    }
    #expect(try await place.plans().map(\.version) == [1])
  }

  @Test func `cycles and later steps are checked to their end`() async throws {
    let place = try await TestPlace()
    let eight = DraftTime(time: ClockTime(text: "08:00") ?? .midnight)
    func capecitabine(_ cycle: DraftCycle) -> PlanDraft {
      PlanDraft.tablet(["08:00"], name: "Capecitabine 500 mg").with(.cycle(cycle))
    }
    let twice = [eight, DraftTime(time: ClockTime(text: "20:00") ?? .midnight)]
    _ = try await place.add(
      capecitabine(DraftCycle(daysOn: 14, daysOff: 7, times: twice, hasPlacebo: false)))
    await #expect(throws: PlanError.self) {
      try await place.add(
        capecitabine(DraftCycle(daysOn: 15, daysOff: 6, times: twice, hasPlacebo: false)))
    }
    // Daily, but only from next year.
    let later: JSONValue = [
      "boundsPeriod": ["start": "2027-06-01"], "timeOfDay": ["08:00:00"],
    ]
    await #expect(throws: PlanError.self) { try await place.receive(Self.request(later)) }
  }

  @Test func `listed days far ahead are checked too`() async throws {
    let place = try await TestPlace()
    let first = try #require(CivilDate(text: "2026-03-02"))
    let weekly = (0..<101).map { first.adding(days: 7 * $0) }
    let far = try #require(CivilDate(text: "2036-01-07"))
    func events(_ days: [CivilDate]) -> JSONValue {
      var request = Self.request(["timeOfDay": ["08:00:00"]])
      let texts = days.map { JSONValue.string("\($0.text)T08:00:00+01:00") }
      request["dosageInstruction"] = [
        [
          "timing": ["event": .array(texts)],
          "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
        ]
      ]
      return request
    }
    let plan = try await place.receive(events(weekly + [far]))
    #expect(plan.unplanned == nil)
    await #expect(throws: PlanError.self) {
      try await place.receive(events(weekly + [far, far.adding(days: 1)]))
    }
  }

  /// The time that the patterns for a strength take grows with the square of the length.
  @Test(.timeLimit(.minutes(1))) func `a name of megabytes is handled quickly`() async throws {
    let place = try await TestPlace()
    for name in [
      String(repeating: "1", count: 400_000), String(repeating: "1 000 ", count: 100_000) + "1",
    ] {
      let plan = try await place.receive(
        Self.request(["timeOfDay": ["08:00:00"]], name: name))
      #expect(plan.unplanned == nil)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var strength: (value: String, unit: String)?
    var dose = "1"
    var unit = "injection"
    /// The days from one dose to the next.
    let days: Int
    var rule: String?

    var testDescription: String {
      "\(name) \(strength?.value ?? "") \(dose) \(unit) every \(days) days"
    }
  }

  static let cases: [Case] = [
    Case(name: "Denosumab", strength: ("60", "mg"), days: 28, rule: "denosumab-60"),
    Case(name: "Denosumab", strength: ("60", "mg"), days: 182),
    Case(name: "Denosumab 120 mg", days: 28),
    Case(name: "Denosumab 120 mg", days: 14, rule: "denosumab"),
    Case(name: "Prolia", days: 91, rule: "denosumab-60-brands"),
    Case(name: "Humira 40 mg", days: 14), Case(name: "Humira 40 mg", days: 7),
    Case(name: "Humira 40 mg", days: 3, rule: "adalimumab"),
    Case(name: "Leuprorelin 3.75 mg", days: 1, rule: "leuprorelin-depot"),
    Case(name: "Leuprorelin 3.75 mg", days: 28), Case(name: "Leuprolide 1 mg", days: 1),
    Case(name: "Eligard", days: 7, rule: "leuprorelin-depot-brands"),
    Case(name: "Zoladex 10.8 mg", days: 28, rule: "goserelin-10-8"),
    Case(name: "Zoladex 10.8 mg", days: 84), Case(name: "Zoladex 3.6 mg", days: 28),
    Case(name: "Zoladex", days: 28), Case(name: "Zoladex", days: 27, rule: "goserelin"),
    Case(name: "Vitamin D3 800 IU", unit: "tablet", days: 1),
    Case(name: "Vitamin D3", unit: "tablet", days: 1),
    Case(
      name: "Vitamin D3 20,000 IU capsules", unit: "capsule", days: 1, rule: "vitamin-d-20000"),
    Case(name: "Vitamin D3 20 000 IE", unit: "capsule", days: 1, rule: "vitamin-d-20000"),
    Case(
      name: "Vitamin D 20.000 I.E. Kapseln", dose: "2", unit: "capsule", days: 3,
      rule: "vitamin-d-40000"),
    Case(name: "Vitamin D3 20,000 IU capsules", unit: "capsule", days: 4),
    Case(
      name: "Colecalciferol", strength: ("50000", "IU"), unit: "capsule", days: 1,
      rule: "vitamin-d-40000"),
    Case(name: "Colecalciferol", strength: ("50000", "IU"), unit: "capsule", days: 7),
    Case(name: "Ergocalciferol 1.25 mg", unit: "capsule", days: 1, rule: "vitamin-d-40000"),
    Case(
      name: "Colecalciferol", strength: ("20000", "IU/mL"), dose: "0.05", unit: "milliliter",
      days: 1),
    Case(
      name: "Colecalciferol", strength: ("20000", "IU/mL"), unit: "milliliter", days: 1,
      rule: "vitamin-d-20000"),
    Case(name: "Calcium 500 mg and vitamin D 400 IU", unit: "tablet", days: 1),
  ]

  @Test func `a product with another name is recognized by its ingredient`() {
    var request = medicationRequest(timing: ["repeat": ["timeOfDay": ["08:00:00"]]])
    request["medicationCodeableConcept"] = nil
    request["medicationReference"] = ["reference": "#m", "display": "Zlatal 15 mg"]
    request["contained"] = [
      [
        "resourceType": "Medication", "id": "m",
        "ingredient": [["itemCodeableConcept": ["text": "Methotrexate"]]],
      ]
    ]
    let breach = FrequencyBreach.of(
      MedicationRequestView(request), zone: .utc, rhythm: .standard,
      today: CivilDate(text: "2026-03-01") ?? .earliest)
    #expect(breach?.rule.id == "methotrexate")
  }

  @Test(arguments: cases)
  func `the strength of a dose decides how often is too often`(one: Case) {
    let eight = DraftTime(time: ClockTime(text: "08:00") ?? .midnight)
    var draft = PlanDraft.tablet([], name: one.name, dose: one.dose)
      .with(.everyDays(one.days, times: [eight]))
    draft.strengthValue = one.strength?.value
    draft.strengthUnit = one.strength?.unit
    draft.doseUnit = one.unit
    let request = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: nil)
    let breach = FrequencyBreach.of(
      MedicationRequestView(request), zone: .utc, rhythm: .standard,
      today: CivilDate(text: "2026-03-01") ?? .earliest)
    let rule = breach?.rule.id
    #expect(rule == one.rule)
  }

  @Test func `an imported prescription waits until someone confirms it`() async throws {
    typealias Fix = ImportFixtures
    let place = try await TestPlace()
    let medicine = #""medicationCodeableConcept":{"text":"Methotrexate 2.5 mg"}"#
    let file = Fix.bundle([
      Fix.patient,
      Fix.entry(
        Fix.request(medicine: medicine), url: "https://h/fhir/MedicationRequest/1"),
    ])
    let report = try await place.take(file, accept: true)
    #expect(report.accepted == 0 && report.proposed == 1)
    #expect(try await place.plans().isEmpty)
    let proposal = try #require(try await place.openProposals().first)
    await #expect(throws: ImportError.self) { try await place.accept(proposal.id) }
    #expect(try await place.openProposals().count == 1)
    let context = place.context
    let confirmations = confirmed(Self.daily).confirmations
    let id = try await place.database.write { writer in
      try ProposalCommands.accept(
        proposal.id, patient: TestPlace.patient, confirmed: confirmations, context: context,
        in: writer)
    }
    let plan = try #require(try await place.plans().first)
    #expect(plan.id == id && plan.unplanned == nil)
    #expect(try await place.count("plan_confirmations") == 1)
  }

  @Test func `a plan older than the rules stops ringing and says why`() async throws {
    let place = try await TestPlace()
    let plan = try await place.add(confirmed(Self.daily))
    let weekly = try await place.add(Self.weekly)
    try await place.database.write { writer in
      try writer.execute("DELETE FROM plan_confirmations", [])
      try writer.execute("UPDATE readers SET version = 3", [])
    }
    let (now, zones) = (place.now, place.zones)
    _ = try await place.database.write { writer in
      try PlanRereading.readAgain(
        after: PlanRereading.Progress(), limit: 100, now: now, zones: zones, consequences: .all,
        in: writer)
    }
    let plans = try await place.plans()
    #expect(
      plans.first { $0.id == plan.id }?.unplanned == .tooOften(rule: "methotrexate"))
    #expect(plans.first { $0.id == weekly.id }?.unplanned == nil)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(
      listing.doses.filter { $0.plan == plan.id }.allSatisfy { $0.state == .cancelled })
    #expect(listing.unplanned.map(\.reason) == [.tooOften(rule: "methotrexate")])
    #expect(UnplannedReason(code: "too-often:methotrexate") == .tooOften(rule: "methotrexate"))
  }
}
