// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct FHIRSearchTests {
  private static let base = "/fhir/MedicationRequest"

  @Test func `a search is a bundle of matches with absolute addresses`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let bundle = try await ann.get("\(Self.base)?status=active&_count=10").json()
      #expect(bundle["resourceType"] == "Bundle")
      #expect(bundle["type"] == "searchset")
      #expect(bundle["total"] == 1)
      let entry = try #require(bundle["entry"]?[0])
      #expect(entry["fullUrl"]?.string == "http://localhost\(Self.base)/\(plan)")
      #expect(entry["search"]?["mode"] == "match")
      #expect(entry["resource"]?["id"]?.string == plan.text)
      #expect(
        bundle.link("self") == "http://localhost\(Self.base)?status=active&_count=10")
      #expect(bundle.link("next") == nil)
    }
  }

  @Test func `a search without a match has no entry list`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bundle = try await ann.get(Self.base).json()
      #expect(bundle["total"] == 0)
      #expect(bundle["entry"] == nil)
      #expect(bundle.link("self") == "http://localhost\(Self.base)")
    }
  }

  @Test func `each parameter narrows the search`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let plan = try await ann.plan("Oneol")
      var held = ann.request("Twool", id: "held")
      held["status"] = "on-hold"
      #expect(try await ann.put("\(Self.base)/held", held).status == .created)
      _ = try await bob.plan("Secretol")
      let patient = ann.account.patient
      let status = "http://hl7.org/fhir/CodeSystem/medicationrequest-status"
      let cases: [(String, Int)] = [
        ("", 2), ("_id=held", 1), ("_id=held,\(plan)", 2), ("_id=none", 0),
        ("_id=held&_id=\(plan)", 0), ("status=active", 1), ("status:not=active", 1),
        ("status=active,on-hold", 2),
        ("status=active&status=on-hold", 0), ("status=stopped", 0),
        ("status=\(status)|active", 1), ("status=http://example.org|active", 0),
        ("patient=\(patient)", 2), ("patient=Patient/\(patient)", 2),
        ("patient=http://localhost/fhir/Patient/\(patient)", 2), ("subject=Patient/\(patient)", 2),
        ("subject:Patient=\(patient)", 2), ("patient:Patient=\(patient)&status=active", 1),
        ("patient=\(bob.account.patient)", 0), ("patient=nobody", 0),
        ("patient=Practitioner/\(patient)", 0), ("patient=\(patient)&subject=nobody", 0),
        ("_lastUpdated=2026-03-01", 2), ("_lastUpdated=gt2026-03-01", 0),
        ("_lastUpdated=ge2026-03-01T07:00:00Z", 2), ("_lastUpdated=lt2026-03-01T07:00:00Z", 0),
        ("_lastUpdated=ge2026-02&_lastUpdated=le2026-03", 2), ("_lastUpdated=ne2026", 0),
        ("status=active%27%29--", 0), ("patient=\(patient),nobody", 2),
        ("patient=\(patient),\(bob.account.patient)", 2), ("patient=nobody,none", 0),
        ("_lastUpdated=2026-02-01,2026-03-01", 2), ("patient:identifier=1", 0),
      ]
      for (query, total) in cases {
        let answer = try await ann.get("\(Self.base)?\(query)")
        #expect(answer.status == .ok, "\(query): \(answer.text)")
        #expect(try answer.json()["total"] == .number(JSONNumber(total)), "\(query)")
        #expect(!answer.text.contains("Secretol"))
      }
    }
  }

  @Test func `patients and administrations are searched the same way`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.answer(ann.newDose(), ["action": "taken"])
      _ = try await Person.make(harness, "Bob")
      for (address, total) in [
        ("Patient", 1), ("Patient?_id=\(ann.account.patient)", 1), ("Patient?_id=none", 0),
        ("MedicationAdministration?status=completed", 1),
        ("MedicationAdministration?status=not-done", 0),
        ("MedicationAdministration?subject=Patient/\(ann.account.patient)", 1),
      ] {
        let bundle = try await ann.get("/fhir/\(address)").json()
        #expect(bundle["total"] == .number(JSONNumber(total)), "\(address)")
      }
    }
  }

  @Test func `a count of zero returns only a total`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let bundle = try await ann.get("\(Self.base)?_count=0").json()
      #expect(bundle["total"] == 1)
      #expect(bundle["entry"] == nil)
      #expect(bundle.link("next") == nil)
    }
  }

  @Test func `an unknown parameter is refused, or ignored and named as the client prefers`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let query = "\(Self.base)?colour=red&status=active&_sort=status"
      try await ann.get(query).expectOutcome(.badRequest, "not-supported", at: "colour")
      try await ann.get(query, [.prefer: "handling=strict"])
        .expectOutcome(.badRequest, "not-supported", at: "colour")
      let lenient = try await ann.get(query, [.prefer: "handling=lenient"]).json()
      #expect(lenient["total"] == 1)
      #expect(lenient.link("self") == "http://localhost\(Self.base)?status=active&_sort=status")
      let entries = try #require(lenient["entry"]?.array)
      #expect(entries.map { $0["search"]?["mode"]?.string } == ["match", "outcome"])
      #expect(entries.last?["resource"]?["issue"]?[0]?["expression"]?[0]?.string == "colour")
      // A malformed value is a mistake, whatever the client prefers.
      try await ann.get("\(Self.base)?_count=many", [.prefer: "handling=lenient"])
        .expectOutcome(.badRequest, "value", at: "_count")
    }
  }

  @Test(arguments: [
    "status:above=active", "patient:exact=1", "_id:exact=1", "colour:missing=true",
    "subject:Device=1", "_count=-1", "_count=many", "_count=", "_id=", "status=",
    "_id=%27%20OR%201=1--", "_lastUpdated=yesterday", "_lastUpdated=2026-02-30", "_lastUpdated=",
    "_cursor=x", "_cursor=a/b/c", "_cursor=", "_filter=a", "_query=a", "_sort=colour",
    "_summary=some", "_total=all", "_elements=colour", "_include=MedicationRequest:colour",
    "_revinclude=*", "_has:Observation:colour:code=1", "patient.colour=1", "authoredon=soon",
  ])
  func `unsupported searches are refused`(query: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.get("\(Self.base)?\(query)").expectOutcome(.badRequest)
    }
  }

  /// Ignored or searched as written, each would find more, or something else, than was meant.
  @Test(arguments: [
    ("=1", "=1"), ("status=active&=x", "=x"), ("status=%ff", "status"), ("status=%zz", "status"),
    ("status=a%4", "status"), ("code=%C3%28", "code"), ("status=active&co%64e=%C0%AF", "code"),
    ("%ff=a", "%ff"), ("_cursor=x", "_cursor"),
  ])
  func `parameters that cannot be read are named`(query: String, name: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.get("\(Self.base)?\(query)").expectOutcome(.badRequest, "value", at: name)
      let read = try await ann.get("\(Self.base)?status=%61ctive&code=Tr%C3%A4ne+x&&")
      #expect(read.status == .ok, "\(read.text)")
    }
  }

  @Test func `long lists of values are searched or refused without a crash`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await harness.token(of: ann.account, scope: .system)
      let ids = Array(repeating: "a", count: 500).joined(separator: ",")
      let dates = Array(repeating: "_lastUpdated=ne2020", count: 400).joined(separator: "&")
      for headers in [ann.token, system] {
        let found = try await harness.send(.get, "\(Self.base)?_id=\(ids)", headers)
        #expect(found.status == .ok, "\(found.text)")
        for query in [dates, "_id=\(ids),a"] {
          let refused = try await harness.send(.get, "\(Self.base)?\(query)", headers)
          try refused.expectOutcome(.badRequest, "too-costly")
        }
      }
    }
  }

  @Test func `pages contain each match once while others arrive`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var expected: Set<String> = []
      for _ in 0..<7 { expected.insert(try await ann.plan().text) }
      var address: String? = "\(Self.base)?_count=3&status=active&patient=\(ann.account.patient)"
      var seen: [String] = []
      var pages = 0
      while let current = address, pages < 10 {
        let bundle = try await ann.get(current).json()
        #expect(bundle["total"] == 7)
        let ids = bundle["entry"]?.array?.compactMap { $0["resource"]?["id"]?.string } ?? []
        #expect(ids.count <= 3 && !ids.isEmpty)
        seen += ids
        pages += 1
        let next = bundle.link("next")
        #expect(next?.hasPrefix("http://localhost/") ?? true)
        address = next.map { String($0.dropFirst("http://localhost".count)) }
        // Another version of a result that was already returned moves nothing.
        if pages == 1 {
          let held = ann.request("Changedol", id: ids[0])
          #expect(try await ann.put("\(Self.base)/\(ids[0])", held).status == .ok)
        }
      }
      #expect(pages == 3)
      #expect(seen.count == 7)
      #expect(Set(seen) == expected)
    }
  }

  @Test func `a page link works only for the credential it was made for`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for _ in 0..<2 { _ = try await ann.plan() }
      let next = try await ann.get("\(Self.base)?_count=1").json().link("next")
      let address = try #require(next).replacing("http://localhost", with: "")
      let bob = try await Person.make(harness, "Bob")
      try await bob.get(address).expectOutcome(.badRequest)
      try await harness.send(.get, address, harness.token(of: ann.account))
        .expectOutcome(.badRequest)
      let stranger = try await harness.send(.get, address)
      try stranger.expectOutcome(.unauthorized)
      #expect(stranger.headers[.wwwAuthenticate] == "Bearer")
      #expect(try await ann.get(address).status == .ok)
      try await ann.get(address + "x").expectOutcome(.badRequest)
    }
  }

  @Test func `a system token searches every patient`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.plan()
      _ = try await bob.plan()
      let system = try await harness.token(of: ann.account, scope: .system)
      let all = try await harness.send(.get, "\(Self.base)?_count=1", system).json()
      #expect(all["total"] == 2)
      let bobs = try await harness.send(
        .get, "\(Self.base)?patient=\(bob.account.patient)", system)
      #expect(try bobs.json()["total"] == 1)
    }
  }
}

extension JSONValue {
  /// Returns the address of a Bundle's link.
  func link(_ relation: String) -> String? {
    self["link"]?.array?.first { $0["relation"]?.string == relation }?["url"]?.string
  }
}
