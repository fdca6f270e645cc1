// SPDX-License-Identifier: Apache-2.0

import FHIR
import Plans
import Prescriptions
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Exchange

/// The data accepted from a hospital, and the data never accepted.
@Suite struct HospitalSyncTests {
  @Test func `a prescription waits, and each change of it after that`() async throws {
    let place = try await HospitalPlace()
    let hospital = place.hospital
    hospital.prescribe("1", identifier: "A")
    try await place.sync()
    let first = try #require(try await place.proposals().first)
    #expect(first.kind == .new && first.source == FakeHospital.base)
    #expect(try await place.load().synced != nil)
    #expect(try await place.acceptAll() == 1)
    // Nothing is new, so nothing is proposed.
    #expect(try await place.fetch().trouble == nil)
    #expect(try await place.proposals().isEmpty)
    hospital.prescribe(
      "1", times: ["09:00:00"], updated: "2026-03-01T04:00:00Z", identifier: "A")
    _ = try await place.fetch()
    let change = try #require(try await place.proposals().first)
    #expect(change.kind == .changed)
    try await place.acceptAll()
    // The plan's own source ends it, which takes effect at once.
    hospital.prescribe(
      "1", times: ["09:00:00"], status: "stopped", updated: "2026-03-01T04:30:00Z",
      identifier: "A")
    _ = try await place.fetch()
    #expect(try await place.proposals().isEmpty)
    #expect(try await place.plans().first?.status == "stopped")
  }

  @Test func `only changed resources are requested again`() async throws {
    let place = try await HospitalPlace()
    place.hospital.prescribe("1", updated: "2026-02-27T10:00:00Z")
    try await place.sync()
    _ = try await place.fetch()
    let asked = place.hospital.requests("GET", "MedicationRequest?").map(\.url)
    #expect(asked.count == 2)
    #expect(!asked[0].contains("_lastUpdated"))
    #expect(asked[1].contains("_lastUpdated=ge2026-02-27T09%3A59"))
  }

  @Test func `every page is read`() async throws {
    let place = try await HospitalPlace()
    place.hospital.state.withLock { $0.pageSize = 7 }
    for number in 10..<40 { place.hospital.prescribe("\(number)", name: "Medicine \(number)") }
    try await place.sync()
    #expect(try await place.proposals().count == 30)
    #expect(place.hospital.requests("GET", "MedicationRequest?").count == 5)
  }

  @Test func `a medicine is read once and kept`() async throws {
    let place = try await HospitalPlace()
    place.hospital.put(
      #"{"resourceType":"Medication","id":"m1","code":{"text":"Ramipril 5 mg"}}"#)
    for id in ["1", "2"] {
      place.hospital.prescribe(
        id, medicine: ["reference": "Medication/m1"], identifier: "R\(id)")
    }
    try await place.sync()
    #expect(
      try await place.proposals().map(\.request.medicationName) == [
        "Ramipril 5 mg", "Ramipril 5 mg",
      ])
    _ = try await place.fetch()
    #expect(place.hospital.requests("GET", "Medication/m1").count == 1)
  }

  @Test func `statements are imported once, dispenses only without other sources`() async throws {
    let hospital = FakeHospital()
    hospital.state.withLock { $0.types += ["MedicationStatement", "MedicationDispense"] }
    hospital.put(
      """
      {"resourceType":"MedicationStatement","id":"s1","status":"active",
       "medicationCodeableConcept":{"text":"Vitamin D3"},"subject":{"reference":"Patient/p1"},
       "dosage":[{"timing":{"repeat":{"timeOfDay":["09:00:00"]}},
         "doseAndRate":[{"doseQuantity":{"value":2,"unit":"drop"}}]}]}
      """)
    hospital.put(
      """
      {"resourceType":"MedicationStatement","id":"s2","status":"active",
       "basedOn":[{"reference":"MedicationRequest/1"}],
       "medicationCodeableConcept":{"text":"Twice told"},"subject":{"reference":"Patient/p1"}}
      """)
    for (id, day) in [("d1", "2026-02-01"), ("d2", "2026-02-20")] {
      hospital.put(
        """
        {"resourceType":"MedicationDispense","id":"\(id)","status":"completed",
         "whenHandedOver":"\(day)","medicationCodeableConcept":{"text":"Ointment"},
         "subject":{"reference":"Patient/p1"},
         "dosageInstruction":[{"timing":{"repeat":{"timeOfDay":["21:00:00"]}}}]}
        """)
    }
    let place = try await HospitalPlace(hospital)
    try await place.sync()
    #expect(
      try await place.proposals().compactMap(\.request.medicationName).sorted()
        == ["Ointment", "Vitamin D3"])
    _ = try await place.fetch()
    #expect(try await place.proposals().count == 2)
  }

  @Test func `a dispense of a prescription is stored once, despite repeats`() async throws {
    let hospital = FakeHospital()
    hospital.state.withLock { $0.types.append("MedicationDispense") }
    hospital.prescribe("1", identifier: "A")
    for (id, day) in [("d1", "2026-02-28"), ("d2", "2024-02-28")] {
      hospital.put(
        """
        {"resourceType":"MedicationDispense","id":"\(id)","status":"completed",
         "authorizingPrescription":[{"reference":"MedicationRequest/1"}],
         "quantity":{"value":30,"unit":"tablet"},"whenHandedOver":"\(day)",
         "medicationCodeableConcept":{"text":"Brand"},"subject":{"reference":"Patient/p1"}}
        """)
    }
    let place = try await HospitalPlace(hospital)
    try await place.sync()
    _ = try await place.fetch()
    let rows = try await place.place.database.read { reader in
      try reader.query(
        "SELECT medicine_name, state, handed_over, request_keys FROM stock_dispenses"
      )
      .map { row in try (0..<4).map { try row.text($0) } }
    }
    // A dispense from two years ago does not count for the supply at home.
    #expect(
      rows == [["Brand", "open", "2026-02-28", "\(FakeHospital.base)/MedicationRequest/1"]])
  }

  @Test func `prescriptions with findings wait for the person whatever the rule`() async throws {
    var place = try await HospitalPlace()
    place.asksFirst = { prescription, _, _, _ in
      String(decoding: prescription.content, as: UTF8.self).contains("Ibuprofen")
    }
    try await place.command { try $0.set(.all, of: "c1") }
    place.hospital.prescribe("1", name: "Ibuprofen", identifier: "A")
    place.hospital.prescribe("2", name: "Testolol", identifier: "B")
    _ = try await place.fetch()
    #expect(try await place.plans().map(\.medicineName) == ["Testolol"])
    #expect(try await place.proposals().compactMap(\.request.medicationName) == ["Ibuprofen"])
  }

  @Test func `medicines changed here are asked about whatever the rule`() async throws {
    let place = try await HospitalPlace()
    try await place.command { try $0.set(.all, of: "c1") }
    place.hospital.prescribe("1", identifier: "A")
    _ = try await place.fetch()
    let plan = try #require(try await place.plans().first)
    #expect(plan.status == "active")
    // It is unchanged here, so the next version is accepted without asking.
    place.hospital.prescribe(
      "1", times: ["09:00:00"], updated: "2026-03-01T03:00:00Z", identifier: "A")
    _ = try await place.fetch()
    #expect(try await place.proposals().isEmpty)
    #expect(try await place.plans().first?.request.dosages.first?.timing?.timeOfDay == ["09:00:00"])
    // Now the person enters another time.
    var own = try #require(try await place.plans().first).request.json
    own["dosageInstruction"] = [
      ["timing": ["repeat": ["timeOfDay": ["11:00:00"]]]]
    ]
    try await place.place.receive(own, id: plan.id)
    place.hospital.prescribe(
      "1", times: ["10:00:00"], updated: "2026-03-01T04:00:00Z", identifier: "A")
    _ = try await place.fetch()
    #expect(try await place.proposals().map(\.kind) == [.changed])
    #expect(try await place.plans().first?.request.dosages.first?.timing?.timeOfDay == ["11:00:00"])
  }

  // MARK: Rejections

  static let refused: [(String, String, String)] = [
    ("other-patient", "MedicationRequest", otherPatient),
    ("foreign-link", "MedicationRequest", link("https://evil.example/r4/MedicationRequest")),
    ("unexpected", "MedicationRequest", #"{"resourceType":"Bundle","entry":{"a":1}}"#),
    ("unexpected", "MedicationRequest", #"{"resourceType":"Patient","id":"p1"}"#),
    ("broken", "MedicationRequest", #"{"resourceType":"Bundle","resourceType":"Bundle"}"#),
    ("broken", "MedicationRequest", "<html>"),
    ("identity", "Patient/p1", #"{"resourceType":"Patient","id":"p1","birthDate":"1990-01-01"}"#),
    ("identity", "Patient/p1", #"{"resourceType":"Patient","id":"p2","birthDate":"1948-07-02"}"#),
    (
      "identity", "metadata",
      #"{"resourceType":"CapabilityStatement","fhirVersion":"4.0.1","software":{"name":"Other"}}"#
    ),
    ("version", "metadata", #"{"resourceType":"CapabilityStatement","fhirVersion":"5.0.0"}"#),
  ]

  private static let otherPatient =
    #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"MedicationRequest","id":"9","status":"active","intent":"order","subject":{"reference":"Patient/p9"},"medicationCodeableConcept":{"text":"Not yours"}}}]}"#

  private static func link(_ url: String) -> String {
    #"{"resourceType":"Bundle","entry":[],"link":[{"relation":"next","url":"\#(url)"}]}"#
  }

  @Test(arguments: refused)
  func `bad input is refused and the last good state stays`(
    code: String, address: String, body: String
  ) async throws {
    let place = try await HospitalPlace()
    place.hospital.prescribe("1", identifier: "A")
    try await place.sync()
    let good = try await place.load().synced
    place.place.clock.advance(minutes: 5)
    place.hospital.prescribe("2", name: "Ramipril 5 mg", updated: "2026-03-01T05:00:00Z")
    place.hospital.answer(address, 200, body)
    let after = try await place.fetch()
    #expect(after.trouble == code)
    #expect(after.state == (code == "identity" ? .refused : .working))
    #expect(after.synced == good)
    #expect(try await place.proposals().count == 1)
    guard after.state == .working else { return }
    // Once the server behaves again, nothing is lost.
    #expect(try await place.fetch().trouble == nil)
    #expect(try await place.proposals().count == 2)
  }

  @Test func `endless pages are abandoned`() async throws {
    let place = try await HospitalPlace()
    let own = #"{"resourceType":"MedicationRequest","id":"1","subject":{"reference":"Patient/p1"}}"#
    for number in 0..<10 {
      place.hospital.answer(
        "MedicationRequest", 200,
        #"{"resourceType":"Bundle","entry":[{"resource":\#(own)}],"link":[{"relation":"next","url":"\#(FakeHospital.base)/MedicationRequest?page=\#(number)"}]}"#
      )
    }
    try await place.sync()
    #expect(try await place.load().trouble == "endless")
    #expect(try await place.proposals().isEmpty)
  }

  @Test(arguments: [
    (302, "redirect"), (401, "expired"), (403, "forbidden"), (500, "failing"), (503, "busy"),
    (404, "not-found"),
  ])
  func `unusable statuses`(status: Int, code: String) async throws {
    let place = try await HospitalPlace()
    place.hospital.prescribe("1")
    place.hospital.answer("MedicationRequest", status, "", ["location": "https://evil.example/"])
    try await place.sync()
    let after = try await place.load()
    #expect(after.trouble == code)
    #expect(
      after.state
        == ClaimedSync.state(
          after: code == "expired" ? .expired : code == "forbidden" ? .forbidden : .redirect))
    #expect(try await place.proposals().isEmpty)
  }

  @Test func `a busy server says when to retry`() async throws {
    let place = try await HospitalPlace()
    place.hospital.answer("MedicationRequest", 429, "", ["retry-after": "120"])
    try await place.sync()
    #expect(
      try await place.load().nextAt == place.place.now.adding(milliseconds: 120_000))
    #expect(try await place.sync() == 0)
    place.place.clock.advance(minutes: 2)
    #expect(try await place.sync() == 1)
    #expect(try await place.load().trouble == nil)
  }

  @Test func `an expired search restarts, and an unsupported one is simplified`() async throws {
    let place = try await HospitalPlace()
    place.hospital.prescribe("1")
    place.hospital.answer("MedicationRequest", 410)
    try await place.sync()
    #expect(try await place.proposals().count == 1)
    place.hospital.answer("MedicationRequest", 400)
    #expect(try await place.fetch().trouble == nil)
    let last = try #require(place.hospital.requests("GET", "MedicationRequest?").last)
    #expect(!last.url.contains("_include") && !last.url.contains("_lastUpdated"))
  }

  @Test func `a result after the lease changes nothing`() async throws {
    let place = try await HospitalPlace()
    let (accounts, now) = (place.accounts, place.place.now)
    let claims = try await place.place.database.write { writer in
      try ClaimedSync.claim(limit: 1, accounts: accounts, now: now, in: writer)
    }
    let old = try #require(claims.first)
    #expect(try await place.sync() == 0)
    place.place.clock.advance(minutes: 16)
    #expect(try await place.sync() == 1)
    let good = try await place.load()
    place.hospital.answer("Patient/p1", 500)
    try await HospitalSync(place.context).perform(old)
    #expect(try await place.load() == good)
  }

  @Test func `without the right to act nothing is fetched`() async throws {
    let place = try await HospitalPlace()
    try await place.place.database.write { writer in
      try writer.execute("DELETE FROM grants", [])
    }
    let before = place.hospital.state.withLock { $0.requests.count }
    try await place.sync()
    #expect(try await place.load().state == .revoked)
    #expect(place.hospital.state.withLock { $0.requests.count } == before)
  }

  @Test func `equal numbers of two hospitals differ, one identifier is one plan`() async throws {
    let place = try await HospitalPlace()
    place.hospital.prescribe("1", name: "Bisoprolol 2.5 mg", identifier: "A")
    try await place.sync()
    try await place.acceptAll()
    let plan = try #require(try await place.plans().first)
    var reading = ImportReading()
    var same = try #require(place.hospital.state.withLock { $0.resources["MedicationRequest/1"] })
    same["id"] = nil
    same["subject"] = ["reference": "https://other.example/Patient/p7"]
    reading.add(
      StreamedEntry(
        number: 1, fullURL: "https://other.example/MedicationRequest/55", resource: .success(same)))
    let prescription = try #require(reading.result(hasFurtherPages: false).prescriptions.first)
    let context = place.place.context
    let outcome = try await place.place.database.write { writer in
      try ProposalCommands.propose(
        prescription, patient: TestPlace.patient, source: "https://other.example", accept: false,
        context: context, in: writer)
    }
    #expect(outcome == .unchanged)
    let there = try await place.place.database.read { reader in
      try ForeignPlans.address(
        of: plan.id, below: "https://other.example", patient: TestPlace.patient, in: reader)
    }
    #expect(there == "https://other.example/MedicationRequest/55")
  }
}
