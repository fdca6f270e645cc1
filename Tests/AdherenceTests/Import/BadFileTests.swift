// SPDX-License-Identifier: Apache-2.0
import FHIR
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import Testing
import TestSupport

/// A file with every possible fault: each entry is reported, the valid ones are offered.
struct BadFileTests {
  typealias Fix = ImportFixtures

  private static let own = "urn:uuid:11111111-1111-4111-8111-111111111111"

  private static func request(_ id: String, _ dosage: String = "", _ more: String = "") -> String {
    let instructions = dosage.isEmpty ? "" : #","dosageInstruction":[\#(dosage)]"#
    return Fix.entry(
      #"{"resourceType":"MedicationRequest","id":"\#(id)","status":"active","intent":"order","medicationCodeableConcept":{"text":"Medicine \#(id)"},"subject":{"reference":"\#(own)"}\#(more)\#(instructions)}"#,
      url: "https://h/fhir/MedicationRequest/\(id)")
  }

  private static func repeated(_ members: String) -> String {
    #"{"timing":{"repeat":{\#(members)}}}"#
  }

  private static let entries = [
    Fix.patient,
    // 2: STU3. 3: R5.
    request("stu3", "", #","requester":{"agent":{"reference":"Practitioner/1"}}"#),
    Fix.entry(
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medication":{"concept":{"text":"x"}},"subject":{"reference":"\#(own)"}}"#
    ),
    // 4: someone else in the same file, with 5: a prescription.
    Fix.entry(
      #"{"resourceType":"Patient","id":"other","name":[{"text":"Bob Other"}],"birthDate":"1990-01-01"}"#,
      url: "https://h/fhir/Patient/other"),
    Fix.entry(
      Fix.request(id: "bob", subject: "https://h/fhir/Patient/other"),
      url: "https://h/fhir/MedicationRequest/bob"),
    // 6: a medicine that is nowhere. 7: contained ones in a cycle.
    Fix.entry(
      Fix.request(id: "lost", medicine: #""medicationReference":{"reference":"Medication/gone"}"#)),
    Fix.entry(
      ##"{"resourceType":"MedicationRequest","contained":[{"resourceType":"Medication","id":"a","ingredient":[{"itemReference":{"reference":"#a"}}]}],"status":"active","intent":"order","medicationReference":{"reference":"#a"},"subject":{"reference":"\##(own)"}}"##
    ),
    // 8 to 12: Timing that breaks a rule.
    request("t1", repeated(#""frequency":1,"period":-1,"periodUnit":"d""#)),
    request("t2", repeated(#""frequency":1,"period":1"#)),
    request("t3", repeated(#""when":["MORN"],"timeOfDay":["08:00:00"]"#)),
    request("t4", repeated(#""timeOfDay":["25:00:00"]"#)),
    request("t5", repeated(#""dayOfWeek":["monday"]"#)),
    // 13: a dose given in the future, 14: one without a patient.
    Fix.entry(Fix.administration(id: "f", at: "2099-01-01T08:00:00Z")),
    Fix.entry(Fix.administration(id: "n", subject: "")),
    // 15: sound, with 16: a dose given for it.
    request("sound", repeated(#""timeOfDay":["08:00:00"]"#)),
    Fix.entry(
      Fix.administration(
        id: "given", request: "https://h/fhir/MedicationRequest/sound", medicine: "Medicine sound")),
    // 17: also valid, as text only.
    request("words", #"{"text":"1-0-1"}"#),
  ]

  @Test(arguments: [true, false])
  func `invalid entries are named and leave nothing, valid ones are imported`(
    accept: Bool
  ) async throws {
    let place = try await TestPlace()
    // The birth date distinguishes her from the other person in the file.
    try await place.change { $0.birthDate = .init(text: "1948-07-02") }
    // The file is truncated within its last entry.
    let text = String(Fix.bundle(Self.entries).dropLast(2)) + #",{"resource":{"resourceType":"Medi"#
    let report = try await place.take(text, accept: accept)
    #expect(
      report.problems.map { "\($0.number) \($0.reason.code)" } == [
        "2 other-version", "3 other-version", "4 other-patient", "5 other-patient",
        "6 medication-missing", "7 cyclic-reference", "8 invalid", "9 invalid", "10 invalid",
        "11 invalid", "12 invalid", "13 future-time", "14 invalid", "18 ends-early",
      ])
    #expect(report.problemCount == report.problems.count && report.entries == 18)
    #expect(report.recorded == 1)
    #expect(accept ? report.accepted == 2 : report.proposed == 2)
    #expect(try await place.count("proposals") == 2)
    #expect(try await place.plans().count == (accept ? 2 : 0))
    #expect(try await place.intakes().map(\.medicineName) == ["Medicine sound"])
    // Importing it again adds nothing.
    let rows = try await place.count("resources")
    let again = try await place.take(text, accept: accept)
    #expect(again.unchanged == 2 && again.unchangedAdministrations == 1)
    #expect(try await place.count("resources") == rows)
  }

  @Test func `a refused dose affects neither its prescription nor other doses`() async throws {
    let place = try await TestPlace()
    func given(_ id: String, at: String) -> String {
      Fix.entry(
        Fix.administration(
          id: id, at: at, request: "https://h/fhir/MedicationRequest/sound",
          medicine: "Medicine sound"))
    }
    let file = Fix.bundle([
      Fix.patient, Self.request("sound", Self.repeated(#""timeOfDay":["08:00:00"]"#)),
      given("one", at: "2026-02-25T08:00:00+01:00"), given("late", at: "2099-01-01T08:00:00Z"),
      given("two", at: "2026-02-26T08:00:00+01:00"),
    ])
    let report = try await place.take(file, accept: true)
    #expect(report.problems.map { "\($0.number) \($0.reason.code)" } == ["4 future-time"])
    #expect(report.accepted == 1 && report.recorded == 2)
    let plan = try #require(try await place.plans().first)
    #expect(try await place.intakes().map(\.plan) == [plan.id, plan.id])
  }
}
