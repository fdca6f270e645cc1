// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Prescriptions
import Storage
import Testing
import TestSupport

/// An unusual amount in a prescription from elsewhere is never planned before someone confirms it.
@Suite struct UnusualProposalTests {
  private static func file(_ amount: String, version: Int = 1, status: String = "active") -> String
  {
    let request = ImportFixtures.request(
      status: status, medicine: #""medicationCodeableConcept":{"text":"Levothyroxine"}"#,
      extra: #""meta":{"lastUpdated":"2026-02-0\#(version)T10:00:00Z"},"#
    ).replacing(#""value":1,"unit":"tablet""#, with: amount)
    return ImportFixtures.bundle([
      ImportFixtures.patient,
      ImportFixtures.entry(request, url: "https://h/fhir/MedicationRequest/1"),
    ])
  }

  private static let usual = #""value":100,"unit":"microgram","code":"ug""#
  private static let unusual = #""value":100,"unit":"mg","code":"mg""#

  @Test func `an imported prescription waits until someone confirms it`() async throws {
    let place = try await TestPlace()
    let report = try await place.take(Self.file(Self.unusual), accept: true)
    #expect(report.accepted == 0 && report.proposed == 1)
    let proposal = try #require(try await place.openProposals().first)
    await #expect(throws: ImportError.self) { try await place.accept(proposal.id) }
    let context = place.context
    await #expect(throws: ImportError.self) {
      try await place.database.write { writer in
        try ProposalCommands.acceptAll(patient: TestPlace.patient, context: context, in: writer)
      }
    }
    let before = try await place.plans()
    #expect(before.isEmpty)
    let confirmed = AmountFinding.all(in: proposal.request)
      .map { PlanQuestion.amount($0).confirmed(by: "yes") }
    #expect(confirmed.count == 1)
    let id = try await place.database.write { writer in
      try ProposalCommands.accept(
        proposal.id, patient: TestPlace.patient, confirmed: confirmed, context: context,
        in: writer)
    }
    let plans = try await place.plans()
    #expect(plans.map(\.id) == [id])
  }

  @Test func `a usual amount is accepted at once, an unusual change waits`() async throws {
    let place = try await TestPlace()
    let first = try await place.take(Self.file(Self.usual), accept: true)
    #expect(first.accepted == 1)
    let change = try await place.take(Self.file(Self.unusual, version: 2), accept: true)
    #expect(change.accepted == 0 && change.proposed == 1)
    let plan = try #require(try await place.plans().first)
    #expect(AmountFinding.all(in: plan.request).isEmpty)
    // A prescription that has ended gives no doses, so nothing has to be confirmed.
    let ended = try await place.take(
      Self.file(Self.unusual, version: 3, status: "stopped"), accept: true)
    #expect(ended.problemCount == 0)
    let stopped = try await place.plans()
    #expect(stopped.map(\.status) == ["stopped"])
  }
}
