// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import Identifiers
import People
import Plans
import Prescriptions
import Scheduling
import Storage
import Testing
import TestSupport

struct ImportedAdministrationTests {
  typealias Fix = ImportFixtures

  private static let address = "urn:uuid:44444444-4444-4444-8444-444444444444"

  private static func file(_ administrations: [String]) -> String {
    Fix.bundle(
      [Fix.patient, Fix.entry(Fix.request(), url: address)]
        + administrations.map { Fix.entry($0) })
  }

  @Test func `administrations count at once and join their plan once accepted`() async throws {
    let place = try await TestPlace()
    let file = Self.file([
      Fix.administration(id: "1", request: Self.address),
      Fix.administration(id: "2", status: "not-done", request: Self.address),
    ])
    let report = try await place.take(file)
    #expect(report.recorded == 2 && report.proposed == 1)
    let intake = try #require(try await place.intakes().first)
    #expect(try await place.intakes().count == 1)
    #expect(intake.plan == nil && intake.by == "Nurse Joy")
    #expect(intake.taken == Timestamp("2026-02-27T08:05:00+01:00"))
    #expect(intake.amount == Amount(value: "1", unit: "tablet"))
    let plan = try await place.accept(try #require(try await place.openProposals().first).id)
    #expect(try await place.intakes().map(\.plan) == [plan])
    let again = try await place.take(file)
    #expect(again.recorded == 0 && again.unchangedAdministrations == 2)
    #expect(try await place.count("intakes") == 1)
    #expect(try await place.count("answers") == 2)
  }

  @Test func `an administration of an active plan answers its dose`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file([]), accept: true)
    place.clock.set("2026-03-01T08:20:00+01:00")
    let given = Self.file([
      Fix.administration(id: "1", at: "2026-03-01T08:10:00+01:00", request: Self.address)
    ])
    #expect(try await place.take(given).recorded == 1)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(listing.doses.map(\.state) == [.taken])
    #expect(listing.doses.first?.answer?.by == "Nurse Joy")
    #expect(try await place.take(given).unchangedAdministrations == 1)
    #expect(try await place.intakes().count == 1)
  }

  @Test func `a correction at the source is applied`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file([Fix.administration(id: "1")]))
    #expect(try await place.intakes().count == 1)
    let later = Self.file([Fix.administration(id: "1", at: "2026-02-27T09:00:00+01:00")])
    #expect(try await place.take(later).corrected == 1)
    #expect(try await place.intakes().map(\.taken) == [Timestamp("2026-02-27T09:00:00+01:00")])
    let error = Self.file([Fix.administration(id: "1", status: "entered-in-error")])
    #expect(try await place.take(error).corrected == 1)
    #expect(try await place.intakes().isEmpty)
  }

  @Test func `a record that was deleted here stays deleted`() async throws {
    let place = try await TestPlace()
    let address = Self.address
    let file = Self.file([Fix.administration(id: "1", request: address)])
    _ = try await place.take(file)
    let id = try await place.database.read { reader in
      try #require(
        try reader.first("SELECT id FROM resources WHERE type = 'MedicationAdministration'")?
          .value(as: AdministrationID.self))
    }
    let context = place.context
    try await place.database.write { writer in
      _ = try AdministrationRemoval.delete(
        id, patient: TestPlace.patient, ifVersion: nil, context: context, in: writer)
    }
    #expect(try await place.intakes().isEmpty)
    let later = Fix.administration(
      id: "1", at: "2026-02-27T09:00:00+01:00", request: address)
    for again in [file, Self.file([later])] {
      let report = try await place.take(again)
      #expect(report.recorded == 0 && report.corrected == 0 && report.problems.isEmpty)
    }
    // Nor does it come back with the plan of its prescription.
    _ = try await place.accept(try #require(try await place.openProposals().first).id)
    #expect(try await place.intakes().isEmpty)
    #expect(try await place.count("resources WHERE type = 'MedicationAdministration'") == 0)
  }

  @Test func `DSTU2 administrations can be marked as not given`() async throws {
    let place = try await TestPlace()
    let report = try await place.take(
      #"{"resourceType":"MedicationAdministration","id":"1","status":"completed","wasNotGiven":true,"reasonNotGiven":[{"text":"vomited"}],"patient":{"reference":"Patient/1"},"medicationCodeableConcept":{"text":"x"},"effectiveTimeDateTime":"2026-02-27"}"#
    )
    #expect(report.recorded == 1)
    #expect(try await place.intakes().isEmpty)
    #expect(try await place.count("answers") == 1)
  }

  @Test(arguments: [
    (Fix.administration(id: "x", status: "in-progress"), "not-final"),
    (Fix.administration(id: "x", at: "2027-01-01T00:00:00Z"), "future-time"),
    (Fix.administration(id: "x", at: "2027-01-01"), "future-time"),
  ])
  func `an invalid administration is reported, others are stored`(wrong: String, code: String)
    async throws
  {
    let place = try await TestPlace()
    let report = try await place.take(
      Self.file([
        wrong.replacing(
          #""effectiveDateTime""#,
          with: #""request":{"reference":"\#(Self.address)"},"effectiveDateTime""#),
        Fix.administration(id: "2", request: Self.address),
      ]))
    #expect(report.problems.map { "\($0.number) \($0.reason.code)" } == ["3 \(code)"])
    #expect(report.proposed == 1 && report.recorded == 1)
    #expect(try await place.count("imported_administrations") == 1)
  }

  @Test func `other people's entries are reported one by one`() async throws {
    let place = try await TestPlace()
    try await place.change { $0.birthDate = .init(text: "1948-07-02") }
    let other =
      #"{"fullUrl":"urn:uuid:55555555-5555-4555-8555-555555555555","resource":{"resourceType":"Patient","name":[{"family":"Other"}],"birthDate":"1950-01-01"}}"#
    let foreign = "urn:uuid:55555555-5555-4555-8555-555555555555"
    let report = try await place.take(
      Fix.bundle([
        other, Fix.entry(Fix.request(id: "f", subject: foreign)),
        Fix.entry(Fix.administration(id: "f", subject: foreign)), Fix.patient,
        Fix.entry(Fix.request(id: "own")),
      ]))
    #expect(
      report.problems.map { "\($0.number) \($0.reason.code)" } == [
        "1 other-patient", "2 other-patient", "3 other-patient",
      ])
    #expect(report.proposed == 1 && report.recorded == 0)
  }

  @Test func `a file with another date of birth is refused`() async throws {
    let place = try await TestPlace()
    try await place.change { $0.birthDate = .init(text: "1990-01-01") }
    let report = try await place.take(Self.file([]))
    #expect(report.problems.map(\.number) == [1, 2])
    #expect(report.proposed == 0)
    #expect(try await place.count("proposals") == 0)
  }
}
