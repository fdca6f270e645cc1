// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import FHIRAPI

@Suite struct DocumentOperationTests {
  @Test func `a document has the Composition first, then what it refers to`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let id = try await ann.composition(["MedicationRequest/\(plan)", "Condition/none"])
      let answer = try await ann.get("/fhir/Composition/\(id)/$document")
      #expect(answer.status == .ok, "\(answer.text)")
      let document = try answer.json()
      #expect(document["type"] == "document")
      #expect(document["identifier"]?["value"]?.string?.hasPrefix("urn:uuid:") == true)
      #expect(document["timestamp"]?.string?.hasPrefix("2026-03-01T07:00:00") == true)
      let addresses = document.entries.compactMap { $0["fullUrl"]?.string }
      #expect(addresses.first == "http://localhost/fhir/Composition/\(id)")
      #expect(
        Set(addresses.dropFirst()) == [
          "http://localhost/fhir/Patient/\(ann.account.patient)",
          "http://localhost/fhir/MedicationRequest/\(plan)",
        ])
      #expect(ResourceValidator.issues(in: document, expecting: .bundle) == [])
    }
  }

  @Test func `what the caller may not read is left out`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let secret = try await bob.plan("Secretol")
      let id = try await ann.composition(["MedicationRequest/\(secret)"])
      let answer = try await ann.get("/fhir/Composition/\(id)/$document")
      #expect(answer.status == .ok)
      #expect(!answer.text.contains("Secretol"))
      try await bob.get("/fhir/Composition/\(id)/$document").expectOutcome(.notFound)
    }
  }

  @Test func `mistakes name the parameter`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.composition([])
      let address = "/fhir/Composition/\(id)/$document"
      #expect(try await ann.get("\(address)?persist=false").status == .ok)
      for (query, code, name) in [
        ("persist=true", "not-supported", "persist"), ("persist=maybe", "value", "persist"),
        ("graph=http://example.org", "not-supported", "graph"),
        ("start=2026-03-01", "not-supported", "start"), ("depth=1", "not-supported", "depth"),
      ] {
        try await ann.get("\(address)?\(query)").expectOutcome(.badRequest, code, at: name)
      }
      try await ann.get("/fhir/Composition/none/$document").expectOutcome(.notFound)
    }
  }

  @Test func `the report for a visit is a document`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan("Testol <b>")
      let address = "/fhir/Composition/visit-report-\(ann.account.patient)/$document"
      let answer = try await ann.get("\(address)?start=2026-02-01&end=2026-03-01")
      #expect(answer.status == .ok, "\(answer.text)")
      let document = try answer.json()
      #expect(document["type"] == "document")
      let composition = try #require(document.entries.first?["resource"])
      #expect(composition["resourceType"] == "Composition")
      #expect(composition["id"]?.string == "visit-report-\(ann.account.patient)")
      let text = try #require(composition["section"]?[0]?["text"]?["div"]?.string)
      #expect(text.contains("Testol &lt;b&gt;"))
      #expect(
        document.entries.contains {
          $0["fullUrl"]?.string == "http://localhost/fhir/MedicationRequest/\(plan)"
        })
      #expect(ResourceValidator.issues(in: document, expecting: .bundle) == [])
      #expect(try await ann.get(address).status == .ok)
    }
  }

  @Test func `the report is only for those who may export`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let address = "/fhir/Composition/visit-report-\(ann.account.patient)/$document"
      try await bob.get(address).expectOutcome(.notFound)
      try await bob.get("\(address)?start=x").expectOutcome(.notFound)
      for query in ["start=x", "start=2026-03-02&end=2026-03-01", "start=1990-01-01"] {
        try await ann.get("\(address)?\(query)").expectOutcome(.badRequest, "value", at: "start")
      }
      for id in ["visit-report-", "visit-report-nobody", "visit-report-a%20b"] {
        try await ann.get("/fhir/Composition/\(id)/$document").expectOutcome(.notFound)
      }
    }
  }
}

extension Person {
  /// Stores a Composition about this person with references in one section, and returns its id.
  fileprivate func composition(_ references: [String]) async throws -> String {
    var section: JSONValue = [
      "title": "Medicines",
      "text": [
        "status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\">Text</div>",
      ],
    ]
    if !references.isEmpty {
      section["entry"] = .array(references.map { ["reference": .string($0)] })
    }
    let answer = try await post(
      "/fhir/Composition",
      [
        "resourceType": "Composition", "status": "final",
        "type": ["coding": [["system": "http://loinc.org", "code": "56445-0"]]],
        "subject": ["reference": .string("Patient/\(account.patient)")],
        "date": "2026-03-01", "author": [["display": "Ann"]], "title": "Medicines",
        "section": [section],
      ])
    #expect(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json()["id"]?.string)
  }
}
