// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport
import Web

@testable import FHIRAPI

@Suite struct EverythingOperationTests {
  @Test func `everything of a patient is in one Bundle`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      _ = try await ann.answer(ann.dose(of: plan), ["action": "taken"])
      let bundle = try await ann.everything()
      #expect(bundle["resourceType"] == "Bundle")
      #expect(bundle["type"] == "searchset")
      let types = Set(bundle.entries.compactMap { $0["resource"]?["resourceType"]?.string })
      #expect(types.isSuperset(of: ["Patient", "MedicationRequest", "MedicationAdministration"]))
      #expect(bundle.entries.first?["resource"]?["resourceType"] == "Patient")
      #expect(bundle.entries.allSatisfy { $0["fullUrl"]?.string?.isEmpty == false })
      #expect(bundle["total"]?.number?.integer == bundle.matches.count)
    }
  }

  @Test func `pages follow one another without gaps or repetitions`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for number in 1...4 {
        let dose = try await ann.newDose("Medicine \(number)")
        _ = try await ann.answer(dose, ["action": "taken"])
      }
      let types = "_type=Patient,MedicationRequest,MedicationAdministration"
      let whole = try await ann.everything("?\(types)")
      let all = whole.matches.compactMap { $0["fullUrl"]?.string }
      #expect(all.count == 9)
      for size in [1, 2, 4, 9] {
        var found: [String] = []
        var address: String? = "?\(types)&_count=\(size)"
        while let query = address {
          let page = try await ann.everything(query)
          #expect(page.matches.count <= size)
          found += page.matches.compactMap { $0["fullUrl"]?.string }
          address = page.link("next").map { String($0.drop { $0 != "?" }) }
          #expect(found.count <= 9)
          if found.count > 9 { return }
        }
        #expect(found == all, "\(size)")
      }
    }
  }

  @Test func `a link to a page is bound to its request and its token`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let page = try await ann.everything("?_count=1")
      let next = try #require(page.link("next")).drop { $0 != "?" }
      let address = "/fhir/Patient/\(ann.account.patient)/$everything"
      #expect(try await ann.get("\(address)\(next)").status == .ok)
      try await ann.get("\(address)\(next)&_since=2026-01-01")
        .expectOutcome(.badRequest, "value", at: "_cursor")
      let other = try await harness.token(of: ann.account)
      try await harness.send(.get, "\(address)\(next)", other)
        .expectOutcome(.badRequest, "value", at: "_cursor")
      try await ann.get("\(address)?_cursor=x").expectOutcome(.badRequest, "value", at: "_cursor")
    }
  }

  @Test func `type, time of change and time of care narrow it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      _ = try await ann.answer(ann.dose(of: plan), ["action": "taken"])
      for (query, count) in [
        ("_type=MedicationRequest", 1), ("_type=Condition", 0),
        ("_type=MedicationRequest&_since=2026-03-02", 0),
        ("_type=MedicationRequest&_since=2026-03-01", 1),
        ("_type=MedicationAdministration&start=2026-03-01&end=2026-03-01", 1),
        ("_type=MedicationAdministration&start=2026-03-02", 0),
        ("_type=MedicationAdministration&end=2026-02-28", 0),
        ("_type=MedicationRequest&start=2027", 1),
      ] {
        #expect(try await ann.everything("?\(query)").matches.count == count, "\(query)")
      }
    }
  }

  @Test func `mistakes name the parameter`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/Patient/\(ann.account.patient)/$everything"
      for (query, code, name) in [
        ("_count=0", "value", "_count"), ("_count=x", "value", "_count"),
        ("_type=Nothing", "value", "_type"), ("_since=yesterday", "value", "_since"),
        ("_since=gt2026-01-01", "value", "_since"), ("start=x", "value", "start"),
        ("end=2026-13-01", "value", "end"), ("_pretty=maybe", "value", "_pretty"),
        ("start=2026-03-02&end=2026-03-01", "value", "start"),
        ("course=1", "not-supported", "course"),
      ] {
        try await ann.get("\(address)?\(query)").expectOutcome(.badRequest, code, at: name)
      }
    }
  }

  @Test func `arguments may come as Parameters`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let address = "/fhir/Patient/\(ann.account.patient)/$everything"
      let answer = try await ann.post(
        address,
        [
          "resourceType": "Parameters",
          "parameter": [["name": "_type", "valueCode": "MedicationRequest"]],
        ])
      #expect(try answer.json().matches.count == 1)
      #expect(try await harness.send(.post, address, ann.token).status == .ok)
    }
  }

  @Test func `shared resources are included once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let system = try await harness.token(of: ann.account, scope: .system)
      let made = try await harness.send(
        .put, "/fhir/Practitioner/p1", system,
        json: ["resourceType": "Practitioner", "id": "p1", "name": [["text": "Dr Green"]]])
      #expect(made.status == .created, "\(made.text)")
      for name in ["Oneol", "Twool"] {
        var request = ann.request(name)
        request["requester"] = ["reference": "Practitioner/p1"]
        #expect(try await ann.post("/fhir/MedicationRequest", request).status == .created)
      }
      let bundle = try await ann.everything()
      let included = bundle.entries.filter { $0["search"]?["mode"] == "include" }
      #expect(included.map { $0["resource"]?["id"]?.string } == ["p1"])
      let without = try await ann.everything("?_type=MedicationRequest")
      #expect(without.entries.count == 2)
    }
  }

  @Test func `each caller gets only what is shared`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let address = "/fhir/Patient/\(ann.account.patient)/$everything"
      _ = try await ann.plan("Secretol")
      try await bob.get(address).expectOutcome(.notFound, "not-found")
      try await bob.get("\(address)?_count=x").expectOutcome(.notFound, "not-found")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: ann.account.patient, to: bob.account.id,
          from: now.adding(milliseconds: -1000), categories: [.heartRate], until: nil, in: writer)
      }
      harness.environment.sessions.forget()
      let shared = try await bob.get(address)
      #expect(shared.status == .ok)
      #expect(!shared.text.contains("Secretol"))
      #expect(try shared.json().matches.count == 1)
      try await ann.get("/fhir/Patient/nobody/$everything").expectOutcome(.notFound)
      let system = try await harness.token(of: bob.account, scope: .system)
      try await harness.send(.get, "/fhir/Patient/nobody/$everything", system)
        .expectOutcome(.notFound)
    }
  }
}

extension Person {
  /// Returns everything of this person.
  func everything(_ query: String = "") async throws -> JSONValue {
    let answer = try await get("/fhir/Patient/\(account.patient)/$everything\(query)")
    #expect(answer.status == .ok, "\(answer.text)")
    return try answer.json()
  }
}

extension JSONValue {
  /// The entries of a Bundle.
  var entries: [JSONValue] { self["entry"]?.array ?? [] }

  /// The entries of a Bundle that match the search.
  var matches: [JSONValue] { entries.filter { $0["search"]?["mode"] == "match" } }
}
