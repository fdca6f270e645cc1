// SPDX-License-Identifier: Apache-2.0
import Dosing
import Identifiers
import Plans
import Prescriptions
import Scheduling
import Storage
import Testing
import TestSupport

/// Doses timed from the last intake, after an intake that another system recorded.
struct ImportedIntakeFollowingTests {
  typealias Fix = ImportFixtures

  private static let address = "https://clinic.example/fhir/MedicationRequest/1"
  private static let draft = PlanDraft.tablet(["08:00"]).with(
    .afterIntake(
      DraftInterval(hours: 6, first: ClockTime(text: "08:00") ?? .midnight, waking: nil)))

  /// A prescription of one tablet, six hours after the last.
  private static let prescription = #"""
    {"resourceType":"MedicationRequest","id":"1","status":"active","intent":"order",
     "medicationCodeableConcept":{"text":"Bisoprolol 2.5 mg"},
     "subject":{"reference":"urn:uuid:11111111-1111-4111-8111-111111111111"},
     "dosageInstruction":[{
      "extension":[{"url":"urn:regimen:after-intake","valueBoolean":true}],
      "timing":{"repeat":{"boundsPeriod":{"start":"2026-03-01T08:00:00+01:00"},
       "frequency":1,"period":6,"periodUnit":"h"}},
      "doseAndRate":[{"doseQuantity":{"value":1,"unit":"tablet"}}]}]}
    """#

  /// A file with one administration, which always has the same id.
  private static func file(
    at time: String, status: String = "completed", request: String
  ) -> String {
    Fix.bundle([
      Fix.patient,
      Fix.entry(Fix.administration(id: "1", status: status, at: day(time), request: request)),
    ])
  }

  private static func file(
    at time: String, status: String = "completed", of plan: Plan
  ) -> String {
    file(at: time, status: status, request: "MedicationRequest/\(plan.id)")
  }

  private static func day(_ time: String) -> String { "2026-03-01T\(time):00+01:00" }

  /// Returns the plan's doses from half past eight until the next morning, such as "14:00".
  private static func coming(_ place: TestPlace) async throws -> [String] {
    try await listed(place).map { String($0.dropFirst(11).prefix(5)) }
  }

  private static func listed(_ place: TestPlace) async throws -> [String] {
    try await place.listing(
      from: Timestamp("2026-03-01T08:31:00+01:00"), until: Timestamp("2026-03-02T07:59:00+01:00")
    ).lines
  }

  /// Ann at half past eight, with a dose due at eight.
  private static func place() async throws -> (TestPlace, Plan) {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(draft)
    place.clock.set("2026-03-01T08:30:00+01:00")
    #expect(try await coming(place) == ["14:00", "20:00", "02:00"])
    return (place, plan)
  }

  @Test(arguments: [
    // An answer to the dose of eight o'clock, and an intake outside every dose's window.
    ("08:20", ["14:20", "20:20", "02:20"]), ("06:30", ["12:30", "18:30", "00:30", "06:30"]),
  ])
  func `an imported intake moves the next doses like an answer does`(
    time: String, expected: [String]
  ) async throws {
    let (here, plan) = try await Self.place()
    let context = here.context
    let request = AdministrationRequest(
      patient: TestPlace.patient, medicine: plan.id.text, at: Timestamp(Self.day(time)),
      confirm: true)
    _ = try await here.database.write { writer in
      try IntakeCommands.record(request, context: context, in: writer)
    }
    let (elsewhere, same) = try await Self.place()
    #expect(try await elsewhere.take(Self.file(at: time, of: same)).recorded == 1)
    #expect(try await Self.coming(here) == expected)
    let answered = try await Self.listed(here)
    #expect(try await Self.listed(elsewhere) == answered)
    // The same file again changes nothing.
    #expect(
      try await elsewhere.take(Self.file(at: time, of: same)).unchangedAdministrations == 1)
    #expect(try await Self.coming(elsewhere) == expected)
  }

  @Test func `a correction by the source moves the next doses again`() async throws {
    let (place, plan) = try await Self.place()
    #expect(try await place.take(Self.file(at: "06:30", of: plan)).recorded == 1)
    #expect(try await Self.coming(place) == ["12:30", "18:30", "00:30", "06:30"])
    #expect(try await place.take(Self.file(at: "06:45", of: plan)).corrected == 1)
    #expect(try await Self.coming(place) == ["12:45", "18:45", "00:45", "06:45"])
    #expect(try await place.intakes().map(\.plan) == [plan.id])
    let error = Self.file(at: "06:45", status: "entered-in-error", of: plan)
    #expect(try await place.take(error).corrected == 1)
    #expect(try await place.intakes().isEmpty)
    #expect(try await Self.coming(place) == ["14:00", "20:00", "02:00"])
    // The source withdraws its correction.
    #expect(try await place.take(Self.file(at: "06:50", of: plan)).corrected == 1)
    #expect(try await Self.coming(place) == ["12:50", "18:50", "00:50", "06:50"])
    #expect(try await place.intakes().map(\.plan) == [plan.id])
  }

  @Test func `an intake imported before its prescription moves the new doses`() async throws {
    let place = try await TestPlace(at: "2026-03-01T08:30:00+01:00")
    let given = Self.file(at: "06:30", request: Self.address)
    #expect(try await place.take(given).recorded == 1)
    #expect(try await place.intakes().map(\.plan) == [nil])
    place.clock.set("2026-03-01T08:40:00+01:00")
    let report = try await place.take(
      Fix.bundle([Fix.patient, Fix.entry(Self.prescription, url: Self.address)]))
    #expect(report.proposed == 1)
    let plan = try await place.accept(try #require(try await place.openProposals().first).id)
    #expect(try await place.intakes().map(\.plan) == [plan])
    #expect(try await Self.coming(place) == ["12:30", "18:30", "00:30", "06:30"])
    // From now on its source corrects it as one of the plan.
    #expect(
      try await place.take(Self.file(at: "06:45", request: Self.address)).corrected == 1)
    #expect(try await Self.coming(place) == ["12:45", "18:45", "00:45", "06:45"])
  }

  @Test(arguments: ["taken", "skipped", "taken back"])
  func `a correction of an administration that answered a dose changes only its record`(
    answer: String
  ) async throws {
    let (place, plan) = try await Self.place()
    let status = answer == "skipped" ? "not-done" : "completed"
    #expect(try await place.take(Self.file(at: "08:20", status: status, of: plan)).recorded == 1)
    let doses = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-01T09:00:00+01:00"
    ).doses
    let dose = try #require(doses.first)
    #expect(dose.answer?.by == "Nurse Joy")
    let context = place.context
    if answer == "taken back" {
      _ = try await place.database.write { writer in
        try AnswerCommands.answer(
          dose.id, patient: TestPlace.patient, AnswerRequest(action: .undo), context: context,
          in: writer)
      }
    }
    let before = try await State(place)
    #expect(before.intakes.count == (answer == "taken" ? 1 : 0))
    #expect(try await place.take(Self.file(at: "08:25", of: plan)).corrected == 1)
    #expect(try await State(place) == before)
    let record = try await place.database.read { reader in
      try reader.query("SELECT body FROM resources WHERE type = 'MedicationAdministration'")
        .map { row in try row.text(0) }
    }
    #expect(record.count == 1 && record.first?.contains("T08:25:00+01:00") == true)
  }

  /// Everything that an answer changes besides the record.
  private struct State: Equatable {
    let doses: [String]
    let intakes: [Intake]
    let answers: Int64

    init(_ place: TestPlace) async throws {
      doses = try await place.listing(
        from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T08:00:00+01:00"
      ).lines
      intakes = try await place.intakes()
      answers = try await place.count("answers")
    }
  }
}
