// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import People
import Plans
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Exchange

/// Answers sent back to the hospital: each once and unchanged, and never for a dose without an answer.
@Suite struct HospitalOutboxTests {
  /// Creates a place with an accepted medicine of the hospital, which receives answers.
  private func begin(_ hospital: FakeHospital = FakeHospital(), writes: Bool = true) async throws
    -> (HospitalPlace, plan: PlanID)
  {
    let place = try await HospitalPlace(hospital)
    hospital.prescribe("1", times: ["06:30:00"], identifier: "A")
    try await place.sync()
    try await place.acceptAll()
    if writes { try await place.command { try $0.setWriting(true, of: "c1") } }
    try await place.place.extendHorizon()
    place.place.clock.advance(minutes: 40)
    return (place, try #require(try await place.plans().first).id)
  }

  private func dose(_ place: HospitalPlace) async throws -> Dose {
    let listing = try await place.place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    return try #require(listing.doses.first)
  }

  @discardableResult
  private func answer(
    _ place: HospitalPlace, _ action: AnswerAction, reason: String? = nil, corrects: Int64? = nil
  ) async throws -> Dose {
    let dose = try await dose(place)
    let context = place.place.context
    return try await place.place.database.write { writer in
      try AnswerCommands.answer(
        dose.id, patient: TestPlace.patient,
        AnswerRequest(action: action, reason: reason, corrects: corrects, confirm: true),
        context: context, in: writer)
    }
  }

  @Test func `an answer is sent once, and its correction updates it`() async throws {
    let (place, _) = try await begin()
    try await answer(place, .taken)
    try await place.send()
    try await place.send()
    var there = place.hospital.administrations()
    #expect(there.count == 1)
    #expect(there[0]["status"] == "completed")
    #expect(there[0]["request"]?["reference"] == "MedicationRequest/1")
    #expect(there[0]["subject"]?["reference"] == "Patient/p1")
    #expect(there[0]["dosage"]?["dose"]?["value"]?.number?.text == "1")
    #expect(there[0]["effectiveDateTime"]?.string?.hasSuffix("+01:00") == true)
    #expect(try await place.lines().map(\.state) == [.reached])
    let request = try #require(place.hospital.requests("POST", "MedicationAdministration").first)
    #expect(
      request.headers["If-None-Exist"]?.hasPrefix("identifier=urn%3Aietf%3Arfc%3A3986%7Curn")
        == true)
    let version = try await dose(place).version
    try await answer(place, .skipped, reason: "Felt dizzy", corrects: version)
    try await place.send()
    there = place.hospital.administrations()
    #expect(there.count == 1 && there[0]["status"] == "not-done")
    #expect(there[0]["statusReason"]?[0]?["text"] == "Felt dizzy")
    try await answer(place, .undo)
    try await place.send()
    there = place.hospital.administrations()
    #expect(there.count == 1 && there[0]["status"] == "entered-in-error")
  }

  @Test func `a record that was deleted here is withdrawn there`() async throws {
    let (place, _) = try await begin()
    try await answer(place, .taken)
    try await place.send()
    #expect(place.hospital.administrations().map { $0["status"] } == ["completed"])
    place.place.clock.advance(minutes: 1)
    let context = place.place.context
    try await place.place.database.write { writer in
      let id = try #require(
        try writer.first("SELECT id FROM resources WHERE type = 'MedicationAdministration'")?
          .value(as: AdministrationID.self))
      _ = try AdministrationRemoval.delete(
        id, patient: TestPlace.patient, ifVersion: nil, context: context, in: writer)
    }
    try await place.send()
    #expect(place.hospital.administrations().map { $0["status"] } == ["entered-in-error"])
    #expect(try await place.lines().map(\.state) == [.reached])
    try await place.send()
    #expect(place.hospital.administrations().count == 1)
  }

  @Test func `unanswered doses, other medicines and earlier answers aren't sent`() async throws {
    let (place, _) = try await begin(writes: false)
    try await answer(place, .taken)
    place.place.clock.advance(minutes: 1)
    try await place.command { try $0.setWriting(true, of: "c1") }
    try await place.send()
    // A medicine of the person's own, and a day without an answer.
    let context = place.place.context
    try await place.place.database.write { writer in
      _ = try IntakeCommands.record(
        AdministrationRequest(
          patient: TestPlace.patient, medicine: "Aspirin", at: context.now),
        context: context, in: writer)
    }
    place.place.clock.advance(minutes: 60 * 26)
    try await place.place.extendHorizon()
    try await place.send()
    #expect(place.hospital.administrations().isEmpty)
    #expect(try await place.lines().isEmpty)
  }

  @Test func `an outage loses and duplicates nothing`() async throws {
    let hospital = FakeHospital()
    hospital.state.withLock { $0.takesConditions = false }
    let (place, _) = try await begin(hospital)
    try await answer(place, .taken)
    hospital.fail("MedicationAdministration", .unreachable, times: 3)
    for _ in 0..<6 {
      try await place.send()
      place.place.clock.advance(minutes: 10)
    }
    #expect(hospital.administrations().count == 1)
    #expect(try await place.lines().map(\.state) == [.reached])
  }

  @Test func `a kill after sending causes no duplicate`() async throws {
    for takesConditions in [true, false] {
      let hospital = FakeHospital()
      hospital.state.withLock { $0.takesConditions = takesConditions }
      let (place, _) = try await begin(hospital)
      try await answer(place, .taken)
      // It was sent, but the sender died before it could record that.
      let claim = try #require(try await place.claimSending().first)
      _ = try await place.client().send(
        "POST", place.client().base.url("MedicationAdministration"), claim.form.resource(.r4),
        headers: ["If-None-Exist": claim.form.condition])
      #expect(try await place.claimSending().isEmpty)
      place.place.clock.advance(minutes: 3)
      try await place.send()
      #expect(hospital.administrations().count == 1)
      #expect(try await place.lines().map(\.state) == [.reached])
      // The process that was thought dead returns: nothing changes.
      guard takesConditions else { continue }
      try await HospitalDelivery(place.context).perform(claim)
      #expect(hospital.administrations().count == 1)
      #expect(try await place.lines().map(\.state) == [.reached])
    }
  }

  @Test func `a refused answer stays with its reason until someone resends it`() async throws {
    let (place, _) = try await begin()
    try await answer(place, .taken)
    place.hospital.answer(
      "MedicationAdministration", 422,
      #"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"invalid","diagnostics":"No such order"}]}"#
    )
    try await place.send()
    let line = try #require(try await place.lines().first)
    #expect(line.state == .refused && line.words == "No such order" && line.trouble == "refused")
    place.place.clock.advance(minutes: 60)
    try await place.send()
    #expect(place.hospital.administrations().isEmpty)
    try await place.command { try $0.sendAgain("c1") }
    try await place.send()
    #expect(try await place.lines().map(\.state) == [.reached])
  }

  @Test func `an expired token stops the connection and keeps the queue`() async throws {
    let (place, _) = try await begin()
    try await answer(place, .taken)
    place.hospital.answer("MedicationAdministration", 401)
    try await place.send()
    #expect(try await place.load().state == .expired)
    #expect(try await place.lines().map(\.state) == [.waiting])
    try await place.command { try $0.renew("c1", HospitalCredentials(access: "new")) }
    place.place.clock.advance(minutes: 10)
    try await place.send()
    #expect(try await place.lines().map(\.state) == [.reached])
  }

  @Test func `DSTU2 has its own form`() throws {
    let record = try JSONValue(
      parsing: Array(
        """
        {"resourceType":"MedicationAdministration","status":"not-done",
         "statusReason":[{"text":"Asleep"}],"medicationCodeableConcept":{"text":"X"},
         "subject":{"reference":"Patient/here"},"effectiveDateTime":"2026-03-01T08:00:00+01:00",
         "dosage":{"dose":{"value":2.50,"unit":"mg"}},"performer":[{"actor":{"display":"Ann"}}]}
        """.utf8))
    let form = AdministrationForm(
      id: "a-1", record: record, prescription: "MedicationOrder/4", person: "p1")
    let old = form.resource(.dstu2)
    #expect(old["status"] == "completed" && old["wasNotGiven"] == true)
    #expect(old["reasonNotGiven"]?[0]?["text"] == "Asleep")
    #expect(old["prescription"]?["reference"] == "MedicationOrder/4")
    #expect(old["patient"]?["reference"] == "Patient/p1")
    #expect(old["effectiveTimeDateTime"] == "2026-03-01T08:00:00+01:00")
    #expect(old["dosage"]?["quantity"]?["value"]?.number?.text == "2.50")
    #expect(old["subject"] == nil && old["request"] == nil)
    let new = form.resource(.r4, remoteID: "77")
    #expect(new["id"] == "77" && new["status"] == "not-done")
    #expect(new["performer"]?[0]?["actor"] == ["display": "Ann"])
  }
}
