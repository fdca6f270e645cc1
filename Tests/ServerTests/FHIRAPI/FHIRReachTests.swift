// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import SiteMap
import Testing
import TestSupport
import Web

/// The people whose resources a search reaches, and those whose resources it never shows.
@Suite struct FHIRReachTests {
  private static let reading: JSONValue = [
    "type": "weight", "at": "2026-02-27T07:00:00Z", "value": 74, "source": "Scale",
  ]

  @Test func `a system token finds the measurements of everyone`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      for person in [ann, bob] {
        _ = try await person.post(Address.vitalsAPI, ["readings": [Self.reading]])
      }
      let system = try await harness.token(of: ann.account, scope: .system)
      let all = try await harness.send(.get, "/fhir/Observation?_count=1", system).json()
      #expect(all["total"] == 2)
      let second = try await harness.send(.get, #require(all.nextPath), system).json()
      let subjects = [all, second].map {
        $0["entry"]?[0]?["resource"]?["subject"]?["reference"]?.string ?? ""
      }
      #expect(
        Set(subjects)
          == ["Patient/\(ann.account.patient)", "Patient/\(bob.account.patient)"])
      #expect(second.nextPath == nil)
      let bobs = try await harness.send(
        .get, "/fhir/Observation?patient=\(bob.account.patient)", system)
      #expect(try bobs.json()["total"] == 1)
      #expect(try await ann.get("/fhir/Observation").json()["total"] == 1)
      for type in ["Consent", "CareTeam", "RelatedPerson", "AuditEvent", "Communication"] {
        let found = try await harness.send(.get, "/fhir/\(type)?_count=5", system)
        #expect(found.status == .ok, "\(type): \(found.text)")
      }
    }
  }

  @Test func `measurements are found by every part of their code, value and time`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.post(Address.vitalsAPI, ["readings": [Self.reading]])
      let category = "http://terminology.hl7.org/CodeSystem/observation-category"
      for (query, total) in [
        ("code=http://loinc.org|", 1), ("code=29463-7", 1), ("code=http://loinc.org|29463-7", 1),
        ("code=|29463-7", 0), ("code=http://snomed.info/sct|", 0), ("code=8867-4", 0),
        ("code=8867-4,29463-7", 1), ("code:not=29463-7", 0), ("category=vital-signs", 1),
        ("category=\(category)|vital-signs", 1), ("category=laboratory", 0), ("status=final", 1),
        ("status=amended", 0), ("value-quantity=74|http://unitsofmeasure.org|kg", 1),
        ("value-quantity=gt74", 0), ("value-quantity=74||g", 0), ("date=2026-02-27", 1),
        ("date=ge2026-02-28", 0), ("date=ne2026-02-27", 0), ("date=2026-02-26,2026-02-27", 1),
        ("patient=\(ann.account.patient)&category=vital-signs&date=ge2026-02-01", 1),
        ("subject:Patient=\(ann.account.patient)", 1), ("subject=Device/1", 0), ("_id=none", 0),
        ("code:missing=true", 0), ("_lastUpdated=2026-03-01", 1), ("_sort=code", 1),
      ] {
        let answer = try await ann.get("/fhir/Observation?\(query)")
        #expect(answer.status == .ok, "\(query): \(answer.text)")
        #expect(try answer.json()["total"] == .number(JSONNumber(total)), "\(query)")
      }
    }
  }

  @Test func `a patient's compartment has the patient's resources of a type`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let bob = try await FHIRShelf.make(harness, "Bob")
      for id in ["c1", "c2"] { try await shelf.condition(id) }
      try await bob.condition("c3")
      let (patient, other) = (shelf.person.account.patient, bob.person.account.patient)
      let base = "Patient/\(patient)/Condition"
      let page = try await shelf.person.get("/fhir/\(base)?_count=1").json()
      #expect(page["total"] == 2)
      #expect(page.link("self") == "http://localhost/fhir/\(base)?_count=1")
      #expect(page["entry"]?[0]?["fullUrl"]?.string == "http://localhost/fhir/Condition/c1")
      let rest = try await shelf.person.get(#require(page.nextPath)).json()
      #expect(rest.entries() == ["Condition/c2"])
      #expect(try await shelf.search("\(base)?patient=\(other)") == [])
      for path in ["Patient/\(other)/Condition", "Patient/nobody/Condition", "Patient/a_b/Device"] {
        try await shelf.person.get("/fhir/\(path)").expectOutcome(.notFound)
      }
      let system = try await harness.token(of: bob.person.account, scope: .system)
      let found = try await harness.send(.get, "/fhir/\(base)", system).json()
      #expect(found["total"] == 2)
    }
  }

  @Test func `nothing of another person is found in any way`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      try await shelf.condition("c1")
      try await shelf.provenance("p1", of: "Condition/c1")
      let bob = try await Person.make(harness, "Bob")
      let patient = shelf.person.account.patient
      for query in [
        "Condition", "Condition?patient=\(patient)", "Condition?_id=c1",
        "Condition?patient=\(patient),\(bob.account.patient)", "Provenance?_id=p1",
        "Condition?_has:Provenance:target:recorded=ge2020", "Condition?code=195967001",
        "Provenance?target:Condition.code=195967001", "Provenance?target=Condition/c1",
        "Patient?_has:Condition:patient:code=195967001",
        "Condition?patient._id=\(patient)", "AuditEvent?patient=\(patient)",
        "Consent?patient=\(patient)", "Condition?_id=c1&_summary=count",
      ] {
        let answer = try await bob.get("/fhir/\(query)")
        #expect(answer.status == .ok, "\(query): \(answer.text)")
        let bundle = try answer.json()
        #expect(bundle["total"] == 0 && bundle["entry"] == nil, "\(query)")
        #expect(!answer.text.contains("Secretitis"), "\(query)")
      }
    }
  }

  @Test func `family see no category that is not shared, not even through an include`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      _ = try await house.connect(bob, .family, categories: [.medicines])
      let own = try await harness.token(of: house.ann)
      let token = try await harness.token(of: bob)
      let condition: JSONValue = [
        "resourceType": "Condition", "id": "c1", "code": ["text": "Secretitis"],
        "subject": ["reference": .string("Patient/\(house.child)")],
      ]
      let put = try await harness.send(.put, "/fhir/Condition/c1", own, json: condition)
      #expect(put.status == .created, "\(put.text)")
      for query in [
        "Condition", "Condition?patient=\(house.child)", "Observation?patient=\(house.child)",
        "Patient/\(house.child)/Condition", "AuditEvent?patient=\(house.child)",
      ] {
        let answer = try await harness.send(.get, "/fhir/\(query)", token)
        #expect(answer.status == .ok, "\(query): \(answer.text)")
        #expect(try answer.json()["total"] == 0, "\(query)")
      }
      let included = try await harness.send(
        .get, "/fhir/Patient?_id=\(house.child)&_revinclude=Condition:patient", token)
      #expect(try included.json().entries() == ["Patient/\(house.child)"])
      #expect(!included.text.contains("Secretitis"))
      let chained = try await harness.send(
        .get, "/fhir/Patient?_has:Condition:patient:_id=c1", token)
      #expect(try chained.json()["total"] == 0)
      try await harness.send(.get, "/fhir/Condition/c1", token).expectOutcome(.notFound)
      let history = try await harness.send(.get, "/fhir/_history", token)
      #expect(history.status == .ok && !history.text.contains("Secretitis"))
    }
  }

  @Test func `shared resources are read by everyone, and derived ones written by no one`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let system = try await harness.token(of: ann.account, scope: .system)
      let doctor: JSONValue = [
        "resourceType": "Practitioner", "id": "d1", "name": [["family": "Ng"]],
      ]
      let put = try await harness.send(.put, "/fhir/Practitioner/d1", system, json: doctor)
      #expect(put.status == .created, "\(put.text)")
      #expect(try await bob.get("/fhir/Practitioner/d1").status == .ok)
      let found = try await bob.get("/fhir/Practitioner?family=ng").json()
      #expect(found.entries() == ["Practitioner/d1"])
      #expect(try await bob.get("/fhir/Practitioner/d1/_history").json()["total"] == 1)
      #expect(try await bob.put("/fhir/Practitioner/d1", doctor).status == .forbidden)
      for type in ["Consent", "CareTeam", "RelatedPerson", "AuditEvent"] {
        let answer = try await ann.post("/fhir/\(type)", ["resourceType": .string(type)])
        try answer.expectOutcome(.methodNotAllowed, "not-supported")
      }
    }
  }

  @Test func `the access log has every type that a search returned`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      try await shelf.condition("c1")
      let patient = shelf.person.account.patient
      _ = try await shelf.search("Patient?_revinclude=Condition:patient")
      _ = try await shelf.search("Observation?patient=\(patient)")
      let environment = harness.environment
      try await environment.readAudit.flush(into: environment.database)
      let found = try await shelf.person.get("/fhir/AuditEvent?patient=\(patient)&action=E").json()
      let queries = Set(
        (found["entry"]?.array ?? []).compactMap { entry -> String? in
          let query = entry["resource"]?["entity"]?[0]?["query"]?.string ?? ""
          return Data(base64Encoded: query).map { String(decoding: $0, as: UTF8.self) }
        })
      for type in ["Patient", "Condition", "Observation"] {
        #expect(queries.contains("\(type)?patient=\(patient)"), "\(queries)")
      }
    }
  }
}
