// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Records
import Storage
import Testing
import TestSupport

@testable import Adherence
@testable import Dosing
@testable import People
@testable import Plans
@testable import Prescriptions
@testable import Supply

/// Plans of one person that share an identifier, and entries that break a rule of the database.
struct SharedIdentifierTests {
  typealias Fix = ImportFixtures

  private static let identifier = #""identifier":[{"system":"urn:portal","value":"1"}],"#

  private static func posted(_ name: String, _ value: String = "1") -> JSONValue {
    var request = medicationRequest(timing: ["repeat": ["timeOfDay": ["08:00:00"]]])
    request["medicationCodeableConcept"] = ["text": .string(name)]
    request["identifier"] = [["system": "urn:portal", "value": .string(value)]]
    return request
  }

  /// Returns a file with prescriptions of different medicines at their own addresses.
  private static func file(
    _ medicines: [String], times: [String] = ["08:00:00"], extra: String = identifier
  ) -> String {
    let entries = medicines.enumerated().map { index, medicine in
      Fix.entry(
        Fix.request(
          id: "r\(index + 1)", times: times,
          medicine: #""medicationCodeableConcept":{"text":"\#(medicine)"}"#, extra: extra),
        url: "https://h/fhir/MedicationRequest/\(index + 1)")
    }
    return Fix.bundle([Fix.patient] + entries)
  }

  /// Returns the plan that a key belongs to.
  private func plan(_ key: String, _ place: TestPlace) async throws -> PlanID? {
    try await place.database.read { reader in
      try PlanSources.plan([key], patient: TestPlace.patient, in: reader)
    }
  }

  private let shared = "urn:portal|1"

  @Test func `an identifier shared by two posted plans never matches either`() async throws {
    let place = try await TestPlace()
    let first = try await place.receive(Self.posted("Zinc"))
    #expect(try await plan(shared, place) == first.id)
    let second = try await place.receive(Self.posted("Ramipril"))
    #expect(try await place.plans().count == 2 && second.id != first.id)
    #expect(try await plan(shared, place) == nil)
    // Sent again by one of them, the identifier still belongs to neither.
    try await place.receive(Self.posted("Zinc"), id: first.id)
    #expect(try await plan(shared, place) == nil)
    #expect(try await plan("MedicationRequest/\(first.id)", place) == first.id)
  }

  @Test func `a change that adds another plan's identifier is stored`() async throws {
    let place = try await TestPlace()
    let first = try await place.receive(Self.posted("Zinc"))
    let second = try await place.receive(Self.posted("Ramipril", "2"))
    try await place.receive(Self.posted("Ramipril"), id: second.id)
    #expect(try await plan(shared, place) == nil)
    #expect(try await plan("urn:portal|2", place) == second.id)
    #expect(try await Set(place.plans().map(\.id)) == [first.id, second.id])
  }

  @Test func `both proposals of a file can be accepted`() async throws {
    let place = try await TestPlace()
    let file = Self.file(["Zinc", "Ramipril"])
    #expect(try await place.take(file).proposed == 2)
    var plans: Set<PlanID> = []
    for proposal in try await place.openProposals() {
      plans.insert(try await place.accept(proposal.id))
    }
    #expect(plans.count == 2)
    #expect(try await plan(shared, place) == nil)
    #expect(try await place.take(file).unchanged == 2)
    // Their addresses still find them.
    let changed = Self.file(["Zinc", "Ramipril"], times: ["09:00:00"])
    #expect(try await place.take(changed).proposed == 2)
    let found = try await place.openProposals().compactMap(\.plan)
    #expect(Set(found) == plans)
  }

  @Test func `a file accepted at once is imported as a whole`() async throws {
    let place = try await TestPlace()
    let report = try await place.take(Self.file(["Zinc", "Ramipril", "Iron"]), accept: true)
    #expect(report.accepted == 3 && report.problems.isEmpty)
    #expect(try await plan(shared, place) == nil)
  }

  @Test func `an identifier that is shared is not given to an imported plan`() async throws {
    let place = try await TestPlace()
    try await place.receive(Self.posted("Zinc"))
    try await place.receive(Self.posted("Ramipril"))
    let report = try await place.take(Self.file(["Iron"]), accept: true)
    #expect(report.accepted == 1)
    #expect(try await plan(shared, place) == nil)
    let imported = try await place.plans().first { $0.medicineName == "Iron" }
    #expect(imported != nil)
    #expect(try await plan("https://h/fhir/MedicationRequest/1", place) == imported?.id)
  }

  @Test func `an administration isn't linked to another medicine with its number`() async throws {
    let place = try await TestPlace()
    try await place.receive(Self.posted("Zinc"))
    try await place.receive(Self.posted("Ramipril"))
    let zinc = "https://h/fhir/MedicationRequest/1"
    let given = Fix.bundle([
      Fix.patient,
      Fix.entry(
        Fix.request(
          medicine: #""medicationCodeableConcept":{"text":"Zinc"}"#, extra: Self.identifier),
        url: zinc),
      Fix.entry(Fix.administration(request: zinc, medicine: "Zinc")),
    ])
    #expect(try await place.take(given).recorded == 1)
    try await place.decline(try #require(try await place.openProposals().first).id)
    let other = Fix.bundle([
      Fix.patient,
      Fix.entry(
        Fix.request(
          id: "r9", medicine: #""medicationCodeableConcept":{"text":"Ramipril"}"#,
          extra: Self.identifier), url: "https://h/fhir/MedicationRequest/9"),
    ])
    #expect(try await place.take(other, accept: true).accepted == 1)
    let intakes = try await place.intakes()
    #expect(intakes.map(\.medicineName) == ["Zinc"] && intakes.first?.plan == nil)
  }

  @Test func `an entry that breaks a database rule is refused, the rest imported`() async throws {
    let place = try await TestPlace()
    let file = ImportFixtures.file(Self.file(["Zinc", "Ramipril", "Iron"], extra: ""))
    // All ids are the same, so the second proposal already exists.
    let context = CommandContext(
      actor: place.context.actor, byName: "Ann", now: place.now, newIdentifier: { "same" },
      zones: place.zones, consequences: .all)
    let report = try await ImportRun(
      database: place.database, patient: TestPlace.patient, source: "test", accept: false,
      dispenses: DispenseCommands(), context: { context }
    ).perform(file)
    #expect(report.proposed == 1 && report.problemCount == 2)
    #expect(Set(report.problems.map(\.reason)) == [.conflict])
    #expect(try await place.openProposals().count == 1)
    #expect(try await place.database.verifyAudit().isIntact)
  }

  @Test func `a database failure ends the import`() {
    let full = StorageError.diskFull
    let broken = StorageError.constraint(.foreignKey, "plan_sources")
    let pairs: [(ImportError, ImportError)] = [
      (.storage(full), .storage(broken)),
      (.plan(.records(.storage(full))), .plan(.records(.storage(broken)))),
      (.answer(.storage(full)), .answer(.storage(broken))),
      (.answer(.records(.storage(full))), .answer(.records(.storage(broken)))),
    ]
    for (failure, rule) in pairs {
      #expect(failure.isDatabaseFailure && !failure.isConstraintViolation)
      #expect(!rule.isDatabaseFailure && rule.isConstraintViolation)
    }
    #expect(!ImportError.notFound.isDatabaseFailure && !ImportError.notFound.isConstraintViolation)
  }
}
