// SPDX-License-Identifier: Apache-2.0

import Dosing
import FHIR
import Identifiers
import Plans
import Storage
import Testing
import TestSupport

@testable import Exchange

/// Nodes that share a database: each answer and each connection is in the hands of one of them.
@Suite struct HospitalNodesTests {
  /// Creates a place with an answer to each of several medicines, which wait to be sent.
  private func begin(_ count: Int) async throws -> HospitalPlace {
    let place = try await HospitalPlace()
    for number in 1...count {
      place.hospital.prescribe(
        "\(number)", name: "Medicine \(number)", times: ["06:30:00"], identifier: "R\(number)")
    }
    try await place.sync()
    try await place.acceptAll()
    try await place.command { try $0.setWriting(true, of: "c1") }
    try await place.place.extendHorizon()
    place.place.clock.advance(minutes: 40)
    let listing = try await place.place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    #expect(listing.doses.count == count)
    let context = place.place.context
    for dose in listing.doses {
      _ = try await place.place.database.write { writer in
        try AnswerCommands.answer(
          dose.id, patient: TestPlace.patient, AnswerRequest(action: .taken, confirm: true),
          context: context, in: writer)
      }
    }
    return place
  }

  @Test func `two nodes that send at the same time send each answer once`() async throws {
    let place = try await begin(6)
    async let one: Void = place.send()
    async let other: Void = place.send()
    _ = try await (one, other)
    #expect(place.hospital.administrations().count == 6)
    #expect(place.hospital.requests("POST", "MedicationAdministration").count == 6)
    #expect(try await place.lines().allSatisfy { $0.state == .reached })
  }

  @Test func `a node begins no request that could outlive its lease`() async throws {
    let place = try await begin(1)
    let claim = try #require(try await place.claimSending().first)
    place.place.clock.advance(milliseconds: 100_000)
    try await HospitalDelivery(place.context).perform(claim)
    #expect(place.hospital.requests("POST", "MedicationAdministration").isEmpty)
    #expect(try await place.lines().map(\.state) == [.waiting])
    place.place.clock.advance(minutes: 3)
    try await place.send()
    #expect(place.hospital.requests("POST", "MedicationAdministration").count == 1)
    #expect(try await place.lines().map(\.state) == [.reached])
  }

  @Test func `a fetch asked for while one runs follows it`() async throws {
    let place = try await HospitalPlace()
    let (accounts, now) = (place.accounts, place.place.now)
    let claims = try await place.place.database.write { writer in
      try ClaimedSync.claim(limit: 1, accounts: accounts, now: now, in: writer)
    }
    let running = try #require(claims.first)
    try await place.command { try $0.fetch("c1") }
    #expect(try await place.sync() == 0)
    try await HospitalSync(place.context).perform(running)
    #expect(try await place.sync() == 1)
    #expect(try await place.sync() == 0)
  }

  @Test func `a node whose lease was taken over imports nothing`() async throws {
    let place = try await HospitalPlace()
    place.hospital.prescribe("1", identifier: "A")
    let (accounts, now) = (place.accounts, place.place.now)
    let claims = try await place.place.database.write { writer in
      try ClaimedSync.claim(limit: 1, accounts: accounts, now: now, in: writer)
    }
    place.place.clock.advance(minutes: 16)
    // Another node holds it, but has not fetched yet.
    let later = place.place.now
    _ = try await place.place.database.write { writer in
      try ClaimedSync.claim(limit: 1, accounts: accounts, now: later, in: writer)
    }
    try await HospitalSync(place.context).perform(try #require(claims.first))
    #expect(try await place.proposals().isEmpty)
    #expect(try await place.load().synced == nil)
  }

  @Test func `a token is renewed by one of several tasks`() async throws {
    let place = try await HospitalPlace()
    let base = try #require(HospitalAddress(FakeHospital.base))
    let json: JSONValue = [
      "authorization_endpoint": "https://fhir.example/r4/authorize",
      "token_endpoint": "https://fhir.example/r4/token",
      "code_challenge_methods_supported": ["S256"],
    ]
    var credentials = HospitalCredentials(access: "old")
    credentials.refresh = "r1"
    credentials.clientID = "regimen"
    credentials.launch = SmartConfiguration(json, base: base)
    let made = credentials
    try await place.command { try $0.renew("c1", made) }
    place.hospital.answer(
      "token", 200, #"{"access_token":"new","token_type":"bearer","refresh_token":"r2"}"#)
    let session = HospitalSession(context: place.context, connection: try await place.load())
    async let one = session.renewed(insteadOf: "old")
    async let other = session.renewed(insteadOf: "old")
    let tokens = try await [one, other]
    #expect(tokens == ["new", "new"])
    #expect(place.hospital.requests("POST", "token").count == 1)
    // A refusal frees the renewal for the next attempt.
    place.hospital.answer("token", 400)
    await #expect(throws: HospitalTrouble.expired) {
      _ = try await session.renewed(insteadOf: "new")
    }
    place.hospital.answer("token", 200, #"{"access_token":"third","token_type":"bearer"}"#)
    #expect(try await session.renewed(insteadOf: "new") == "third")
  }
}
