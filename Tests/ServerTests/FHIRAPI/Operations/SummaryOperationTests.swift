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

@Suite struct SummaryOperationTests {
  @Test func `an empty summary says that nothing is known`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let document = try await ann.summary()
      #expect(document["type"] == "document")
      let composition = try #require(document.entries.first?["resource"])
      #expect(composition["type"]?["coding"]?[0]?["code"] == "60591-5")
      let sections = composition["section"]?.array ?? []
      #expect(
        sections.map { $0["code"]?["coding"]?[0]?["code"]?.string } == [
          "10160-0", "48765-2", "11450-4",
        ])
      #expect(sections.allSatisfy { $0["emptyReason"] == nil && $0["entry"]?.array?.count == 1 })
      let codes = ["medicationCodeableConcept", "code", "code"]
      let absent = document.entries.suffix(3).enumerated().map { place, entry in
        entry["resource"]?[codes[place]]?["coding"]?[0]?["code"]?.string
      }
      #expect(absent == ["no-medication-info", "no-allergy-info", "no-problem-info"])
      #expect(ResourceValidator.issues(in: document, expecting: .bundle) == [])
    }
  }

  @Test func `present medicines, allergies and problems are listed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Testol <b>")
      var ended = ann.request("Oldol", id: "ended")
      ended["status"] = "stopped"
      #expect(try await ann.put("/fhir/MedicationRequest/ended", ended).status == .created)
      let patient: JSONValue = ["reference": .string("Patient/\(ann.account.patient)")]
      for resource: JSONValue in [
        ["resourceType": "Condition", "code": ["text": "Asthma"], "subject": patient],
        [
          "resourceType": "Condition", "code": ["text": "Cold"], "subject": patient,
          "clinicalStatus": Self.status("condition-clinical", "resolved"),
        ],
        [
          "resourceType": "AllergyIntolerance", "code": ["text": "Nuts"], "patient": patient,
          "clinicalStatus": Self.status("allergyintolerance-clinical", "active"),
        ],
      ] {
        let type = resource["resourceType"]?.string ?? ""
        let made = try await ann.post("/fhir/\(type)", resource)
        #expect(made.status == .created, "\(made.text)")
      }
      let document = try await ann.summary()
      let texts = (document.entries.first?["resource"]?["section"]?.array ?? [])
        .compactMap { $0["text"]?["div"]?.string }
      #expect(texts.count == 3)
      #expect(texts.first?.contains("Testol &lt;b&gt;: ") == true)
      #expect(texts.first?.contains("Oldol") == false)
      #expect(texts[1].contains("Nuts"))
      #expect(texts[2].contains("Asthma"))
      #expect(!texts[2].contains("Cold"))
      #expect(ResourceValidator.issues(in: document, expecting: .bundle) == [])
    }
  }

  private static func status(_ system: String, _ code: String) -> JSONValue {
    [
      "coding": [
        [
          "system": .string("http://terminology.hl7.org/CodeSystem/\(system)"),
          "code": .string(code),
        ]
      ]
    ]
  }

  @Test func `references name the entries, whose addresses do not change`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let document = try await ann.summary()
      let addresses = document.entries.compactMap { $0["fullUrl"]?.string }
      #expect(addresses.allSatisfy { $0.hasPrefix("urn:uuid:") })
      #expect(Set(addresses).count == addresses.count)
      let medicine = document.entries.first {
        $0["resource"]?["resourceType"] == "MedicationRequest"
      }
      #expect(
        medicine?["resource"]?["subject"]?["reference"]?.string == addresses.dropFirst().first)
      let again = try await ann.summary()
      #expect(again.entries.compactMap { $0["fullUrl"]?.string } == addresses)
      harness.clock.advance(minutes: 1)
      let later = try await ann.summary()
      #expect(later["identifier"] != document["identifier"])
    }
  }

  @Test func `what is not shared is withheld`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let address = "/fhir/Patient/\(ann.account.patient)/$summary"
      _ = try await ann.plan("Secretol")
      try await bob.get(address).expectOutcome(.notFound)
      try await bob.get("\(address)?profile=x").expectOutcome(.notFound)
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: ann.account.patient, to: bob.account.id,
          from: now.adding(milliseconds: -1000), categories: [.heartRate], until: nil, in: writer)
      }
      harness.environment.sessions.forget()
      let answer = try await bob.get(address)
      #expect(!answer.text.contains("Secretol"))
      let sections = try answer.json().entries.first?["resource"]?["section"]?.array ?? []
      #expect(
        sections.map { $0["emptyReason"]?["coding"]?[0]?["code"]?.string } == [
          "withheld", "withheld", "withheld",
        ])
    }
  }

  @Test func `mistakes name the parameter`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/fhir/Patient/\(ann.account.patient)/$summary"
      let profile = "http://hl7.org/fhir/uv/ips/StructureDefinition/Bundle-uv-ips"
      #expect(try await ann.get("\(address)?profile=\(profile)").status == .ok)
      #expect(try await harness.send(.post, address, ann.token).status == .ok)
      for (query, name) in [
        ("profile=http://example.org/p", "profile"), ("persist=true", "persist"),
        ("graph=x", "graph"),
      ] {
        try await ann.get("\(address)?\(query)")
          .expectOutcome(.badRequest, "not-supported", at: name)
      }
    }
  }
}

extension Person {
  fileprivate func summary() async throws -> JSONValue {
    let answer = try await get("/fhir/Patient/\(account.patient)/$summary")
    #expect(answer.status == .ok, "\(answer.text)")
    return try answer.json()
  }
}
