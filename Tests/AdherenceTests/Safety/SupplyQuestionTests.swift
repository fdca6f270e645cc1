// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Prescriptions
import Scheduling
import Storage
import Testing
import TestSupport

/// A prescription without an end whose supply has one never rings for ever unasked.
@Suite struct SupplyQuestionTests {
  private static let daily = #"{"timing":{"repeat":{"timeOfDay":["08:00:00"]}}}"#
  private static let tenDays =
    #"{"expectedSupplyDuration":{"value":10,"unit":"days","system":"http://unitsofmeasure.org","code":"d"}}"#

  private static func question(
    _ dispense: String, _ dosage: String = Self.daily, status: String = "active"
  ) throws -> SupplyQuestion? {
    let request = try JSONValue(
      parsing:
        #"{"resourceType":"MedicationRequest","status":"\#(status)","intent":"order","medicationCodeableConcept":{"text":"Amoxicillin"},"dosageInstruction":[\#(dosage)],"dispenseRequest":\#(dispense)}"#
    )
    return SupplyQuestion.of(
      MedicationRequestView(request), zone: .utc,
      today: try #require(CivilDate(text: "2026-03-01")))
  }

  @Test(arguments: [
    (tenDays, "10 d", "2026-03-10"),
    (#"{"expectedSupplyDuration":{"value":2,"unit":"Wochen"}}"#, "2 wk", "2026-03-14"),
    (#"{"expectedSupplyDuration":{"value":1,"code":"mo"}}"#, "1 mo", "2026-03-31"),
    (#"{"expectedSupplyDuration":{"value":1,"code":"a"}}"#, "1 a", "2027-02-28"),
    (
      #"{"numberOfRepeatsAllowed":2,"expectedSupplyDuration":{"value":10,"code":"d"}}"#, "30 d",
      "2026-03-30"
    ),
    (
      #"{"validityPeriod":{"end":"2027-05-31"},"expectedSupplyDuration":{"value":7,"code":"d"}}"#,
      "7 d", "2026-03-07"
    ),
  ])
  func `a supply with an end raises the question`(
    dispense: String, stated: String, lastDay: String
  ) throws {
    let question = try #require(try Self.question(dispense))
    #expect(question.stated == stated && question.lastDay.text == lastDay)
  }

  @Test func `the supply counts from a stated start`() throws {
    let dosage =
      #"{"timing":{"repeat":{"timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2026-02-25"}}}}"#
    let question = try #require(try Self.question(Self.tenDays, dosage))
    #expect(question.lastDay.text == "2026-03-06")
    let ended = question.ending(["dosageInstruction": [try JSONValue(parsing: dosage)]])
    #expect(
      ended["dosageInstruction"]?[0]?["timing"]?["repeat"]?["boundsPeriod"] == [
        "start": "2026-02-25", "end": "2026-03-06",
      ])
  }

  @Test(arguments: [
    #"{"timing":{"repeat":{"timeOfDay":["08:00:00"],"boundsDuration":{"value":5,"code":"d"}}}}"#,
    #"{"timing":{"repeat":{"timeOfDay":["08:00:00"],"boundsPeriod":{"end":"2026-04-01"}}}}"#,
    #"{"timing":{"repeat":{"timeOfDay":["08:00:00"],"count":10}}}"#,
    #"{"timing":{"event":["2026-03-02T08:00:00Z"]}}"#,
    #"{"asNeededBoolean":true,"timing":{"repeat":{"timeOfDay":["08:00:00"]}}}"#,
    #"{"text":"1-0-1"}"#,
  ])
  func `doses that end, or none, raise no question`(dosage: String) throws {
    #expect(try Self.question(Self.tenDays, dosage) == nil)
  }

  @Test(arguments: [
    "{}", #"{"expectedSupplyDuration":{"value":0,"code":"d"}}"#,
    #"{"expectedSupplyDuration":{"value":2.5,"code":"d"}}"#,
    #"{"expectedSupplyDuration":{"value":10,"code":"h"}}"#,
    #"{"expectedSupplyDuration":{"value":10}}"#,
    #"{"expectedSupplyDuration":{"value":10,"comparator":"<","code":"d"}}"#,
    #"{"validityPeriod":{"end":"2026-05-31"}}"#,
  ])
  func `a supply without a usable end raises no question`(dispense: String) throws {
    #expect(try Self.question(dispense) == nil)
  }

  @Test func `a prescription that has ended raises no question`() throws {
    #expect(try Self.question(Self.tenDays, status: "stopped") == nil)
  }

  // MARK: Imports

  private static func file(times: [String] = ["08:00:00"], version: Int = 1) -> String {
    ImportFixtures.bundle([
      ImportFixtures.patient,
      ImportFixtures.entry(
        ImportFixtures.request(
          times: times,
          extra:
            #""meta":{"lastUpdated":"2026-02-0\#(version)T10:00:00Z"},"dispenseRequest":\#(Self.tenDays),"#
        ), url: "https://h/fhir/MedicationRequest/1"),
    ])
  }

  private static func accept(
    _ place: TestPlace, _ answer: SupplyQuestion.Answer
  ) async throws -> PlanID {
    let proposal = try #require(try await place.openProposals().first)
    let context = place.context
    return try await place.database.write { writer in
      let confirmed = try ProposalCommands.confirmations(answer, proposal, context, in: writer)
      return try ProposalCommands.accept(
        proposal.id, patient: TestPlace.patient, confirmed: confirmed, context: context,
        in: writer)
    }
  }

  private static func lastDose(_ place: TestPlace) async throws -> String? {
    try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-20T00:00:00+01:00"
    ).lines.last
  }

  @Test func `an import waits for the answer, and the doses stop then`() async throws {
    let place = try await TestPlace()
    let report = try await place.take(Self.file(), accept: true)
    #expect(report.accepted == 0 && report.proposed == 1)
    let proposal = try #require(try await place.openProposals().first)
    await #expect(throws: ImportError.self) { try await place.accept(proposal.id) }
    #expect(try await place.plans().isEmpty)
    _ = try await Self.accept(place, .stop)
    #expect(try await Self.lastDose(place) == "2026-03-10T08:00:00+01:00 scheduled")
    // The same file again changes nothing.
    let again = try await place.take(Self.file(), accept: true)
    #expect(again.unchanged == 1)
    #expect(try await Self.lastDose(place) == "2026-03-10T08:00:00+01:00 scheduled")
  }

  @Test func `the doses go on if someone says so`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file())
    _ = try await Self.accept(place, .goOn)
    #expect(try await Self.lastDose(place) == "2026-03-19T08:00:00+01:00 scheduled")
  }

  @Test func `a later version keeps the answer`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file())
    _ = try await Self.accept(place, .stop)
    let later = try await place.take(
      Self.file(times: ["09:00:00"], version: 2), accept: true)
    #expect(later.accepted == 1)
    #expect(try await Self.lastDose(place) == "2026-03-10T09:00:00+01:00 scheduled")
  }

  @Test func `a prescription posted over FHIR rings as it says`() async throws {
    let place = try await TestPlace()
    var request = medicationRequest(timing: ["repeat": ["timeOfDay": ["08:00:00"]]])
    request["dispenseRequest"] = try JSONValue(parsing: Self.tenDays)
    #expect(try await place.receive(request).unplanned == nil)
    #expect(try await Self.lastDose(place) == "2026-03-19T08:00:00+01:00 scheduled")
  }
}
