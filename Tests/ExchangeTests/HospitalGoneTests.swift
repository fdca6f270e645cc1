// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Prescriptions
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Exchange

/// Prescriptions that a hospital deleted: the person is asked, and an incomplete answer removes nothing.
@Suite struct HospitalGoneTests {
  /// Creates a place with accepted medicines of the hospital.
  private func begin(
    _ count: Int = 3, _ hospital: FakeHospital = FakeHospital()
  ) async throws -> HospitalPlace {
    let place = try await HospitalPlace(hospital)
    for number in 1...count {
      hospital.prescribe("\(number)", name: "Medicine \(number)", identifier: "R\(number)")
    }
    try await place.sync()
    #expect(try await place.acceptAll() == count)
    return place
  }

  @discardableResult
  private func nextDay(_ place: HospitalPlace) async throws -> HospitalConnection {
    place.place.clock.advance(minutes: 24 * 60)
    return try await place.fetch()
  }

  private func comparison(_ place: HospitalPlace) async throws -> HospitalComparison {
    try await place.place.database.read { reader in
      try HospitalComparisonStore.load("c1", patient: TestPlace.patient, in: reader)
    }
  }

  private func status(_ place: HospitalPlace, _ medicine: String) async throws -> String? {
    try await place.plans().first { $0.medicineName == medicine }?.status
  }

  @Test(arguments: [true, false])
  func `a deleted prescription goes on until the person decides`(saysSo: Bool) async throws {
    let place = try await begin()
    // Whatever is accepted without asking, an end of this kind is not.
    try await place.command { try $0.set(.all, of: "c1") }
    place.hospital.remove("MedicationRequest/2", saysSo: saysSo)
    place.place.clock.advance(minutes: 16)
    #expect(try await place.fetch().trouble == nil)
    #expect(try await place.proposals().isEmpty)
    #expect(try await nextDay(place).trouble == nil)
    let asked = try #require(try await place.proposals().first)
    #expect(try await place.proposals().count == 1)
    #expect(asked.kind == .stopped && asked.isGone && asked.source == FakeHospital.base)
    #expect(asked.request.status == "stopped")
    #expect(asked.request.statusReasonText == "The hospital no longer has this prescription.")
    #expect(try await status(place, "Medicine 2") == "active")
    // It is asked once.
    try await nextDay(place)
    #expect(try await place.proposals().map(\.id) == [asked.id])
    try await place.acceptAll()
    #expect(try await status(place, "Medicine 2") == "stopped")
    #expect(try await status(place, "Medicine 1") == "active")
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
  }

  @Test func `a declined end is not asked about again`() async throws {
    let place = try await begin()
    place.hospital.remove("MedicationRequest/2")
    try await nextDay(place)
    let asked = try #require(try await place.proposals().first)
    let context = place.place.context
    try await place.place.database.write { writer in
      try ProposalCommands.decline(
        asked.id, patient: TestPlace.patient, context: context, in: writer)
    }
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
    #expect(try await status(place, "Medicine 2") == "active")
  }

  @Test func `a prescription that is back is no longer asked about`() async throws {
    let place = try await begin()
    place.hospital.remove("MedicationRequest/2", saysSo: false)
    try await nextDay(place)
    #expect(try await place.proposals().count == 1)
    place.hospital.prescribe("2", name: "Medicine 2", identifier: "R2")
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
    #expect(try await status(place, "Medicine 2") == "active")
    // If it goes again, it is asked about again.
    place.hospital.remove("MedicationRequest/2", saysSo: false)
    try await nextDay(place)
    #expect(try await place.proposals().map(\.isGone) == [true])
  }

  /// The ways in which a list is not the whole list.
  enum Gap: String, CaseIterable, Sendable {
    case announced, outcome, left, empty, forbidden
  }

  @Test(arguments: Gap.allCases)
  func `an incomplete answer removes nothing`(gap: Gap) async throws {
    let place = try await begin()
    let hospital = place.hospital
    let others = hospital.state.withLock { state in
      ["1", "3"].compactMap { state.resources["MedicationRequest/\($0)"] }
    }
    var entries: [JSONValue] = others.map { ["resource": $0] }
    switch gap {
    case .announced:
      hospital.remove("MedicationRequest/2")
      hospital.state.withLock { $0.total = 3 }
    case .outcome:
      hospital.remove("MedicationRequest/2")
      entries.append([
        "resource": [
          "resourceType": "OperationOutcome",
          "issue": [["severity": "warning", "code": "incomplete"]],
        ]
      ])
    // The search leaves out a prescription that is still there.
    case .left: break
    case .empty:
      for id in 1...3 { hospital.remove("MedicationRequest/\(id)", saysSo: false) }
    case .forbidden:
      hospital.remove("MedicationRequest/2")
      hospital.answer("MedicationRequest/2", 403)
    }
    if gap == .outcome || gap == .left {
      let bundle: JSONValue = [
        "resourceType": "Bundle", "type": "searchset", "entry": .array(entries),
      ]
      hospital.answer("MedicationRequest?", 200, bundle.text)
    }
    #expect(try await nextDay(place).trouble == nil)
    #expect(try await place.proposals().isEmpty)
    #expect(try await comparison(place).missing == 0)
    #expect(try await place.plans().allSatisfy { $0.status == "active" })
    // The page doesn't claim that everything was compared.
    let isWhole = gap != .announced && gap != .outcome
    let compared = try await comparison(place).compared
    #expect((compared == place.place.now) == isWhole)
  }

  @Test func `a failed answer removes nothing, and the next one is compared`() async throws {
    let place = try await begin()
    place.hospital.remove("MedicationRequest/2")
    place.hospital.fail("MedicationRequest?", .unreachable)
    #expect(try await nextDay(place).trouble == "unreachable")
    #expect(try await place.proposals().isEmpty)
    place.hospital.fail("MedicationRequest/2", .unreachable)
    #expect(try await place.fetch().trouble == "unreachable")
    #expect(try await place.proposals().isEmpty)
    #expect(try await place.fetch().trouble == nil)
    #expect(try await place.proposals().map(\.isGone) == [true])
  }

  @Test func `many at once wait for a person`() async throws {
    let place = try await begin(5)
    for id in 1...3 { place.hospital.remove("MedicationRequest/\(id)", saysSo: false) }
    #expect(try await nextDay(place).trouble == nil)
    #expect(try await place.proposals().isEmpty)
    #expect(try await comparison(place).missing == 3)
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
    try await place.command { try $0.confirmMissing("c1") }
    try await place.sync()
    #expect(try await place.proposals().map(\.isGone) == [true, true, true])
    #expect(try await comparison(place).missing == 0)
    #expect(try await place.plans().allSatisfy { $0.status == "active" })
    // The confirmation was for these, and not for the next ones.
    #expect(try await comparison(place).allowed == 0)
  }

  @Test func `two of three are asked about at once`() async throws {
    let place = try await begin()
    for id in 1...2 { place.hospital.remove("MedicationRequest/\(id)", saysSo: false) }
    try await nextDay(place)
    #expect(try await place.proposals().count == 2)
  }

  @Test func `a listed deletion is noticed at the next fetch`() async throws {
    let hospital = FakeHospital()
    hospital.state.withLock { $0.hasHistory = true }
    let place = try await begin(3, hospital)
    place.place.clock.advance(minutes: 16)
    try await place.sync()
    #expect(hospital.requests("GET", "MedicationRequest/_history").count == 1)
    #expect(
      try #require(hospital.requests("GET", "MedicationRequest?").last).url
        .contains("_lastUpdated"))
    hospital.remove("MedicationRequest/2")
    place.place.clock.advance(minutes: 16)
    try await place.sync()
    #expect(try await place.proposals().map(\.isGone) == [true])
    // A prescription that was asked about is not searched for again.
    place.place.clock.advance(minutes: 16)
    try await place.sync()
    #expect(
      try #require(hospital.requests("GET", "MedicationRequest?").last).url
        .contains("_lastUpdated"))
  }

  @Test func `a history that is refused changes nothing`() async throws {
    let hospital = FakeHospital()
    hospital.state.withLock { $0.hasHistory = true }
    let place = try await begin(3, hospital)
    hospital.answer("MedicationRequest/_history", 403)
    place.place.clock.advance(minutes: 16)
    try await place.sync()
    #expect(try await place.load().trouble == nil)
    #expect(try await place.load().state == .working)
  }

  @Test func `the last prescription is gone if the server says so`() async throws {
    let place = try await begin(1)
    place.hospital.remove("MedicationRequest/1")
    try await nextDay(place)
    #expect(try await place.proposals().map(\.isGone) == [true])
  }

  @Test func `a prescription that was moved to another person is asked about`() async throws {
    let place = try await begin()
    place.hospital.prescribe("2", name: "Medicine 2", patient: "p9", identifier: "R2")
    #expect(try await nextDay(place).trouble == nil)
    #expect(try await place.proposals().map(\.isGone) == [true])
  }

  @Test func `two records of one person at a hospital keep their prescriptions`() async throws {
    let place = try await begin()
    let hospital = place.hospital
    hospital.put(
      """
      {"resourceType":"Patient","id":"p2","name":[{"family":"Example","given":["Ann"]}],
       "birthDate":"1948-07-02"}
      """)
    hospital.prescribe("4", name: "Medicine 4", patient: "p2", identifier: "R4")
    let (first, now) = (try await place.load(), place.place.now)
    let person = try await HospitalPersonQuery.person("p2", try place.client())
    try await place.command { commands in
      try commands.add(
        HospitalConnection(
          id: "c2", patient: TestPlace.patient, account: HospitalPlace.account, base: first.base,
          label: "City", version: .r4, access: .open, identity: first.identity,
          types: first.types, person: nil, state: .choosing, created: now), nil)
      try commands.choose(person, for: "c2", birthDate: nil)
    }
    try await place.sync()
    #expect(try await place.proposals().map(\.kind) == [.new])
    try await place.acceptAll()
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
    // One that was deleted explicitly is gone all the same.
    hospital.remove("MedicationRequest/4")
    try await nextDay(place)
    #expect(try await place.proposals().map(\.isGone) == [true])
  }

  @Test func `the same prescription under another number isn't gone`() async throws {
    let place = try await begin()
    place.hospital.remove("MedicationRequest/2")
    place.hospital.prescribe("22", name: "Medicine 2", identifier: "R2")
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
  }

  @Test func `a waiting prescription that is gone is withdrawn`() async throws {
    let place = try await begin(2)
    place.hospital.prescribe("3", name: "Medicine 3", identifier: "R3")
    _ = try await nextDay(place)
    #expect(try await place.proposals().map(\.kind) == [.new])
    place.hospital.remove("MedicationRequest/3")
    try await nextDay(place)
    #expect(try await place.proposals().isEmpty)
    #expect(try await place.plans().count == 2)
  }

  @Test func `fetches, confirmations and questions are in the audit trail`() async throws {
    let place = try await begin()
    place.hospital.remove("MedicationRequest/2")
    try await nextDay(place)
    let asked = try #require(try await place.proposals().first)
    let now = place.place.now
    let rows = try await place.place.database.read { reader in
      (
        connection: try reader.query(
          """
          SELECT kind FROM audit WHERE resource = 'HospitalConnection' AND resource_id = 'c1'
            AND at = $1
          """, [SQLValue(now)]
        ).map { try $0.text(0) },
        proposal: try reader.query(
          "SELECT kind FROM audit WHERE resource = 'Proposal' AND resource_id = $1",
          [.text(asked.id)]
        ).map { try $0.text(0) }
      )
    }
    #expect(rows.connection == ["update"])
    #expect(rows.proposal == ["create"])
  }
}
