// SPDX-License-Identifier: Apache-2.0
import Access
import Dosing
import FHIR
import Plans
import Prescriptions
import Storage
import Testing
import TestSupport

struct ProposalTests {
  typealias Fix = ImportFixtures

  private static let address = "https://h/fhir/MedicationRequest/1"

  private static func file(
    status: String = "active", times: [String] = ["08:00:00"], extra: String = "",
    more: [String] = []
  ) -> String {
    Fix.bundle(
      [
        Fix.patient,
        Fix.entry(Fix.request(status: status, times: times, extra: extra), url: address),
      ] + more)
  }

  @Test func `a prescription waits for the person's approval and then rings`() async throws {
    let place = try await TestPlace()
    let report = try await place.take(Self.file())
    #expect(report.proposed == 1 && report.problems.isEmpty)
    #expect(try await place.plans().isEmpty)
    let proposal = try #require(try await place.openProposals().first)
    #expect(proposal.kind == .new && proposal.plan == nil)
    let plan = try await place.accept(proposal.id)
    #expect(try await place.accept(proposal.id) == plan)
    #expect(try await place.openProposals().isEmpty)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(listing.lines == ["2026-03-01T08:00:00+01:00 scheduled"])
  }

  @Test func `importing the same file again changes nothing`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file())
    for decision in 0..<3 {
      let rows = try await place.count("proposals")
      let versions = try await place.count("resource_versions")
      let report = try await place.take(Self.file())
      #expect(report.unchanged == 1 && report.proposed == 0)
      #expect(try await place.count("proposals") == rows)
      #expect(try await place.count("resource_versions") == versions)
      if decision == 0 {
        _ = try await place.accept(try #require(try await place.openProposals().first).id)
      }
    }
    #expect(try await place.plans().count == 1)
  }

  @Test func `another version keeps the plan and its doses`() async throws {
    let place = try await TestPlace()
    #expect(try await place.take(Self.file(), accept: true).accepted == 1)
    let plan = try #require(try await place.plans().first)
    let report = try await place.take(Self.file(times: ["09:00:00"]))
    #expect(report.proposed == 1)
    let proposal = try #require(try await place.openProposals().first)
    #expect(proposal.kind == .changed && proposal.plan == plan.id)
    // Until it is accepted the old times apply.
    #expect(try await place.plans().first?.slots == plan.slots)
    #expect(try await place.accept(proposal.id) == plan.id)
    let listing = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(listing.lines == ["2026-03-01T09:00:00+01:00 scheduled"])
    #expect(listing.doses.map(\.id.text) == ["\(plan.id)_1_20260301-1"])
  }

  @Test func `a newer proposal replaces a pending one`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file())
    _ = try await place.take(Self.file(times: ["09:00:00"]))
    let open = try await place.openProposals()
    #expect(open.count == 1)
    #expect(open.first?.request.dosages.first?.timing?.timeOfDay == ["09:00:00"])
    // Importing the old file again changes nothing.
    #expect(try await place.take(Self.file()).unchanged == 1)
    #expect(try await place.openProposals().map(\.id) == open.map(\.id))
  }

  @Test func `a source can revert to its earlier version`() async throws {
    let place = try await TestPlace()
    func version(_ status: String, _ day: Int) -> String {
      Self.file(
        status: status, extra: #""meta":{"lastUpdated":"2026-02-0\#(day)T00:00:00Z"},"#)
    }
    _ = try await place.take(version("active", 1), accept: true)
    #expect(try await place.take(version("on-hold", 2)).stopped == 1)
    #expect(try await place.plans().first?.status == "on-hold")
    #expect(try await place.take(version("active", 3)).proposed == 1)
    #expect(try await place.take(version("active", 1)).unchanged == 1)
  }

  @Test(arguments: ["stopped", "completed", "cancelled", "entered-in-error", "on-hold"])
  func `a stop from its source applies at once and is announced`(status: String) async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file(), accept: true)
    let report = try await place.take(Self.file(status: status))
    #expect(report.stopped == 1)
    let plan = try #require(try await place.plans().first)
    #expect(plan.status == status)
    #expect(plan.unplanned?.code == "status:\(status)")
    let stops = try await place.database.read {
      try ProposalQueries.waiting(patient: TestPlace.patient, in: $0).stops
    }
    #expect(stops.map(\.plan) == [plan.id])
    let (context, stop) = (place.context, try #require(stops.first))
    try await place.database.write { writer in
      try ProposalCommands.markSeen(
        stop.id, patient: TestPlace.patient, context: context, in: writer)
    }
    #expect(
      try await place.database.read {
        try ProposalQueries.waiting(patient: TestPlace.patient, in: $0).stops
      }.isEmpty)
    #expect(try await place.take(Self.file(status: status)).unchanged == 1)
  }

  @Test func `a prescription that ended before its import is history`() async throws {
    let place = try await TestPlace()
    let report = try await place.take(Self.file(status: "completed"))
    #expect(report.ended == 1)
    #expect(try await place.openProposals().isEmpty)
    #expect(try await place.plans().map(\.status) == ["completed"])
    #expect(try await place.take(Self.file(status: "completed")).unchanged == 1)
    let error = try await TestPlace()
    let ignored = try await error.take(Self.file(status: "entered-in-error"))
    #expect(ignored.ignored["entered-in-error"] == 1)
    #expect(try await error.plans().isEmpty)
  }

  @Test func `a replacement keeps the plan of what it replaces`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file(), accept: true)
    let plan = try #require(try await place.plans().first)
    let replacement = Fix.entry(
      Fix.request(
        id: "r2", times: ["20:00:00"],
        extra: #""priorPrescription":{"reference":"MedicationRequest/1"},"#),
      url: "https://h/fhir/MedicationRequest/2")
    let both = Self.file(status: "stopped", more: [replacement])
    let report = try await place.take(both)
    #expect(report.proposed == 2 && report.stopped == 0)
    // The old times apply until the person has answered.
    #expect(try await place.plans().first?.status == "active")
    #expect(
      try await place.database.read {
        try ProposalQueries.plansForReview(patient: TestPlace.patient, in: $0)
      } == [plan.id])
    let changed = try #require(try await place.openProposals().first { $0.kind == .changed })
    #expect(try await place.accept(changed.id) == plan.id)
    #expect(try await place.openProposals().isEmpty)
    #expect(try await place.plans().map(\.status) == ["active"])
    #expect(try await place.take(both).unchanged == 2)
  }

  @Test func `declining a replacement still applies the stop sent with it`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file(), accept: true)
    let replacement = Fix.entry(
      Fix.request(
        id: "r2", times: ["20:00:00"],
        extra: #""priorPrescription":{"reference":"https://h/fhir/MedicationRequest/1"},"#),
      url: "https://h/fhir/MedicationRequest/2")
    _ = try await place.take(Self.file(status: "stopped", more: [replacement]))
    let changed = try #require(try await place.openProposals().first { $0.kind == .changed })
    try await place.decline(changed.id)
    try await place.decline(changed.id)
    #expect(try await place.openProposals().isEmpty)
    #expect(try await place.plans().map(\.status) == ["stopped"])
  }

  @Test func `accepting all decides everything that is open once`() async throws {
    let place = try await TestPlace()
    let other = Fix.entry(
      Fix.request(id: "r2", medicine: #""medicationCodeableConcept":{"text":"Ramipril 5 mg"}"#),
      url: "https://h/fhir/MedicationRequest/2")
    _ = try await place.take(Self.file(more: [other]))
    let context = place.context
    for expected in [2, 0] {
      let count = try await place.database.write { writer in
        try ProposalCommands.acceptAll(
          patient: TestPlace.patient, context: context, in: writer)
      }
      #expect(count == expected)
    }
    #expect(try await place.plans().count == 2)
  }

  @Test func `a declined proposal stays declined`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file())
    let proposal = try #require(try await place.openProposals().first)
    try await place.decline(proposal.id)
    await #expect(throws: ImportError.self) { _ = try await place.accept(proposal.id) }
    #expect(try await place.take(Self.file()).unchanged == 1)
    #expect(try await place.openProposals().isEmpty)
    #expect(try await place.plans().isEmpty)
  }

  @Test func `a plan that can't ring is kept with its reason`() async throws {
    let place = try await TestPlace()
    let words =
      #"{"resourceType":"MedicationRequest","status":"active","intent":"order","medicationCodeableConcept":{"text":"x"},"subject":{"reference":"Patient/1"},"dosageInstruction":[{"text":"1-0-1"}]}"#
    #expect(try await place.take(words, accept: true).accepted == 1)
    let plan = try #require(try await place.plans().first)
    #expect(plan.unplanned == .textOnly)
    #expect(plan.request.dosages.first?.text == "1-0-1")
  }

  @Test func `an identifier finds the plan that was posted with it`() async throws {
    let place = try await TestPlace()
    var posted = medicationRequest(timing: ["repeat": ["timeOfDay": ["08:00:00"]]])
    posted["identifier"] = [["system": "urn:portal", "value": "1"]]
    let plan = try await place.receive(posted)
    let report = try await place.take(
      Self.file(extra: #""identifier":[{"system":"urn:portal","value":"1"}],"#))
    #expect(report.proposed == 1)
    #expect(try await place.openProposals().map(\.plan) == [plan.id])
  }

  @Test func `the same id with a different medicine is another prescription`() async throws {
    let place = try await TestPlace()
    _ = try await place.take(Fix.request(id: "1", subject: "Patient/1"), accept: true)
    let other = Fix.request(
      id: "1", medicine: #""medicationCodeableConcept":{"text":"Ramipril"}"#,
      subject: "Patient/1")
    _ = try await place.take(other)
    #expect(try await place.openProposals().map(\.kind) == [.new])
  }

  @Test(arguments: [Relationship.family, .practitioner])
  func `viewers can't decide on proposals`(relationship: Relationship) async throws {
    let place = try await TestPlace()
    _ = try await place.take(Self.file())
    let proposal = try #require(try await place.openProposals().first)
    let actor = Actor(
      accountID: "b", kind: .session, relationships: [TestPlace.patient: relationship],
      scope: .session)
    let context = place.context(actor)
    await #expect(throws: ImportError.self) {
      try await place.database.write { writer in
        try ProposalCommands.accept(
          proposal.id, patient: TestPlace.patient, context: context, in: writer)
      }
    }
    #expect(try await place.openProposals().count == 1)
    #expect(try await place.plans().isEmpty)
  }
}
