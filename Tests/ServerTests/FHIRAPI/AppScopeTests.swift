// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import SiteMap
import Testing
import TestSupport

@testable import FHIRAPI

/// The access of apps over HTTP: by type and action, by patient, and by constraint.
@Suite struct AppScopeTests {
  private static let asthma = "195967001"
  private static let diabetes = "44054006"
  private static let category = "http://terminology.hl7.org/CodeSystem/observation-category"

  /// Runs a test with a person who has two Conditions, each with a Provenance, a laboratory result and a weight.
  private static func run(
    _ test:
      @escaping @Sendable (FHIRShelf, @escaping @Sendable (String) -> AppClient) async throws
      -> Void
  ) async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      try await shelf.condition("c1")
      try await shelf.condition("c2", code: diabetes)
      for id in ["1", "2"] { try await shelf.provenance("p\(id)", of: "Condition/c\(id)") }
      try await shelf.put(
        "Observation", "lab",
        [
          "status": "final", "subject": shelf.reference, "code": ["text": "Sodium"],
          "category": [
            ["coding": [["system": .string(category), "code": "laboratory"]]]
          ], "valueString": "140",
        ])
      let weight: JSONValue = [
        "type": "weight", "at": "2026-02-27T07:00:00Z", "value": 74, "source": "Scale",
      ]
      _ = try await shelf.person.post(Address.vitalsAPI, ["readings": [weight]])
      try await AppClient.run(harness) { start in
        try await test(shelf) { scopes in start(shelf.person, scopes) }
      }
    }
  }

  // MARK: Types, actions and patients

  @Test func `scopes can name every type that is served`() {
    let served = Set(FHIRType.allCases.map(\.rawValue))
    #expect(SMARTResources.types == served.union(["Subscription"]))
  }

  @Test func `an app reaches only the types and actions of its scopes`() async throws {
    try await Self.run { shelf, start in
      let app = start("patient/Condition.rs")
      #expect(try await app.search("Condition") == ["Condition/c1", "Condition/c2"])
      #expect(try await app.get("/fhir/Condition/c1").status == .ok)
      #expect(try await app.get("/fhir/Condition/c1/_history").status == .ok)
      for path in [
        "Observation", "Observation/lab", "Observation/nothing", "Observation/lab/_history",
        "Observation/_history", "Practitioner", "Patient", "Patient/\(shelf.patient)",
        "Patient/\(shelf.patient)/Condition", "Patient/\(shelf.patient)/$everything",
        "Patient/\(shelf.patient)/$summary",
        "Composition/visit-report-\(shelf.patient)/$document", "AuditEvent",
      ] {
        try await app.get("/fhir/\(path)").expectOutcome(.forbidden, "forbidden")
      }
      let new = shelf.person.condition("Gout")
      try await app.send(.post, "/fhir/Condition", new).expectOutcome(.forbidden)
      try await app.send(.put, "/fhir/Condition/c1", shelf.person.condition("Gout", id: "c1"))
        .expectOutcome(.forbidden)
      try await app.send(.delete, "/fhir/Condition/c1").expectOutcome(.forbidden)
      let created = try await start("patient/Condition.c").send(.post, "/fhir/Condition", new)
      #expect(created.status == .created, "\(created.text)")
      #expect(try await shelf.person.count("/fhir/Condition") == 3)

      let history = try await app.get("/fhir/_history").json()
      let types = (history["entry"]?.array ?? []).map { $0["resource"]?["resourceType"]?.string }
      #expect(Set(types) == ["Condition"])
    }
  }

  @Test func `search and read are different permissions`() async throws {
    try await Self.run { _, start in
      let reader = start("patient/Condition.r patient/Provenance.s")
      #expect(try await reader.get("/fhir/Condition/c1").status == .ok)
      try await reader.get("/fhir/Condition").expectOutcome(.forbidden)
      try await reader.get("/fhir/Provenance/p1").expectOutcome(.forbidden)
      let included = try await reader.search(
        "Provenance?_include=Provenance:target", mode: "include")
      #expect(Set(included) == ["Condition/c1", "Condition/c2"])
      let finder = start("patient/Condition.s patient/Provenance.rs")
      #expect(try await finder.search("Condition").count == 2)
      #expect(
        try await finder.search("Provenance?_include=Provenance:target", mode: "include") == [])
    }
  }

  @Test func `patient scopes reach the patient of the launch, and user scopes the account's`()
    async throws
  {
    try await Self.run { shelf, start in
      let bob = try await FHIRShelf.make(shelf.person.harness, "Bob")
      try await bob.condition("c3")
      let app = start("patient/*.rs")
      for other in [nil, bob.patient] {
        let elsewhere = app.started(for: other)
        #expect(try await elsewhere.search("Condition") == [])
        try await elsewhere.get("/fhir/Condition/c1").expectOutcome(.notFound)
        try await elsewhere.get("/fhir/Condition/c3").expectOutcome(.notFound)
        try await elsewhere.get("/fhir/Patient/\(bob.patient)").expectOutcome(.notFound)
      }
      let user = start("user/*.rs").started(for: nil)
      #expect(try await user.search("Condition") == ["Condition/c1", "Condition/c2"])
      try await user.get("/fhir/Condition/c3").expectOutcome(.notFound)
    }
  }

  @Test func `system scopes reach everyone, but only the named types and actions`() async throws {
    try await Self.run { shelf, start in
      let bob = try await FHIRShelf.make(shelf.person.harness, "Bob")
      try await bob.condition("c3")
      let app = start("system/Condition.rs system/Practitioner.c")
      let found = try await app.search("Condition")
      #expect(Set(found) == ["Condition/c1", "Condition/c2", "Condition/c3"])
      #expect(try await app.get("/fhir/Condition/c3").status == .ok)
      let practitioner: JSONValue = [
        "resourceType": "Practitioner", "name": [["family": "House"]],
      ]
      #expect(try await app.send(.post, "/fhir/Practitioner", practitioner).status == .created)
      for path in ["Observation", "Patient", "Practitioner", "Practitioner/_history", "$export"] {
        try await app.get("/fhir/\(path)").expectOutcome(.forbidden)
      }
      try await app.send(.post, "/fhir/Condition", bob.person.condition("Gout"))
        .expectOutcome(.forbidden)
      let patient: JSONValue = ["resourceType": "Patient", "name": [["text": "New"]]]
      try await app.send(.post, "/fhir/Patient", patient).expectOutcome(.forbidden)
      try await start("user/*.cruds").send(.post, "/fhir/Practitioner", practitioner)
        .expectOutcome(.forbidden)
      // Together with a person's permissions, those for the system have no effect.
      let mixed = start("user/Observation.rs system/Condition.rs")
      try await mixed.get("/fhir/Condition/c3").expectOutcome(.forbidden)
    }
  }

  // MARK: Constraints

  @Test func `a constraint applies to every way of reading`() async throws {
    try await Self.run { shelf, start in
      let app = start(
        "patient/Condition.rs?code=\(Self.asthma) patient/Provenance.rs patient/Patient.rs")
      let person = "Patient/\(shelf.patient)"
      let matches: [(String, [String])] = [
        ("Condition", ["Condition/c1"]), ("Condition?_id=c2", []),
        ("Condition?_id=c1,c2", ["Condition/c1"]), ("Condition?code=\(Self.diabetes)", []),
        ("Condition?code:not=\(Self.asthma)", []), ("\(person)/Condition", ["Condition/c1"]),
        ("Condition?_sort=-code&_count=1", ["Condition/c1"]),
        ("Condition?patient=\(shelf.patient)", ["Condition/c1"]),
        ("Condition?_has:Provenance:target:recorded=ge2020", ["Condition/c1"]),
        ("Provenance?target:Condition.code=\(Self.asthma)", ["Provenance/p1"]),
        ("Provenance?target:Condition.code=\(Self.diabetes)", []),
        ("Provenance?target:Condition.recorded-date=2026-02-01", ["Provenance/p1"]),
        ("Patient?_has:Condition:patient:code=\(Self.asthma)", [person]),
        ("Patient?_has:Condition:patient:code=\(Self.diabetes)", []),
      ]
      for (query, found) in matches {
        #expect(try await app.search(query) == found, "\(query)")
      }
      let included: [(String, [String])] = [
        ("Provenance?_include=Provenance:target", ["Condition/c1"]),
        ("Patient?_revinclude=Condition:patient", ["Condition/c1"]),
        ("Condition?_revinclude=Provenance:target", ["Provenance/p1"]),
      ]
      for (query, found) in included {
        #expect(try await app.search(query, mode: "include") == found, "\(query)")
      }
      #expect(try await app.get("/fhir/Condition?_summary=count").json()["total"] == 1)
      #expect(try await app.get("/fhir/Condition/c1").status == .ok)
      #expect(try await app.get("/fhir/Condition/c1/_history/1").status == .ok)
      for path in ["c2", "c2/_history/1", "c2/_history", "nothing"] {
        try await app.get("/fhir/Condition/\(path)").expectOutcome(.notFound)
      }
      let everything = try await app.get("/fhir/\(person)/$everything").json()
      let addresses = (everything["entry"]?.array ?? []).compactMap { $0["fullUrl"]?.string }
      #expect(addresses.contains("http://localhost/fhir/Condition/c1"))
      #expect(!addresses.contains("http://localhost/fhir/Condition/c2"))
      #expect(everything["total"]?.number?.integer == addresses.count)

      let batch: JSONValue = [
        "resourceType": "Bundle", "type": "batch",
        "entry": [
          BundleEntryForm.entry("GET", "Condition/c1"),
          BundleEntryForm.entry("GET", "Condition/c2"),
          BundleEntryForm.entry("GET", "Observation/lab"),
        ],
      ]
      let answers = try await app.send(.post, "/fhir", batch).json()
      let states = (answers["entry"]?.array ?? []).map {
        $0["response"]?["status"]?.string?.prefix(3)
      }
      #expect(states == ["200", "404", "403"])
    }
  }

  @Test func `a constraint applies to former versions one by one`() async throws {
    try await Self.run { shelf, start in
      shelf.person.harness.clock.advance(minutes: 1)
      try await shelf.condition("c1", code: Self.diabetes)
      shelf.person.harness.clock.advance(minutes: 1)
      try await shelf.condition("c1")
      #expect(try await shelf.person.delete("/fhir/Condition/c2").status == .noContent)
      let app = start("patient/Condition.rs?code=\(Self.asthma)")
      try await app.get("/fhir/Condition/c1/_history/2").expectOutcome(.notFound)
      try await app.get("/fhir/Condition/c2").expectOutcome(.notFound)
      for path in ["Condition/c1/_history", "Condition/_history", "_history"] {
        var versions: [String] = []
        var address: String? = "/fhir/\(path)?_count=1"
        while let current = address, versions.count < 9 {
          let page = try await app.get(current).json()
          versions += (page["entry"]?.array ?? []).compactMap {
            $0["response"]?["etag"]?.string
          }
          address = page.nextPath
        }
        #expect(versions == [#"W/"3""#, #"W/"1""#], "\(path)")
      }
    }
  }

  @Test func `measurements that are kept elsewhere are compared too`() async throws {
    try await Self.run { _, start in
      let app = start("patient/Observation.rs?category=\(Self.category)|vital-signs")
      let found = try await app.search("Observation")
      #expect(found.count == 1 && found != ["Observation/lab"])
      let id = try #require(found.first)
      #expect(try await app.get("/fhir/\(id)").status == .ok)
      try await app.get("/fhir/Observation/lab").expectOutcome(.notFound)
      #expect(try await app.get("/fhir/Observation?_count=0").json()["total"] == 1)
      let other = start("patient/Observation.rs?category=laboratory")
      #expect(try await other.search("Observation") == ["Observation/lab"])
      try await other.get("/fhir/\(id)").expectOutcome(.notFound)
      let either = start(
        "patient/Observation.rs?category=laboratory patient/Observation.rs?code=29463-7")
      let both = try await either.search("Observation")
      #expect(Set(both) == ["Observation/lab", id])
    }
  }

  @Test func `a constraint that cannot be evaluated matches nothing`() async throws {
    try await Self.run { _, start in
      for constraint in ["colour=red", "recorded-date=soon", "code:above=a"] {
        let app = start("patient/Condition.rs?\(constraint)")
        #expect(try await app.search("Condition") == [], "\(constraint)")
        try await app.get("/fhir/Condition/c1").expectOutcome(.notFound)
      }
    }
  }

  // MARK: Writes

  @Test func `a write must match the constraint before and after`() async throws {
    try await Self.run { shelf, start in
      let app = start("patient/Condition.cruds?code=\(Self.asthma)")
      let base = "/fhir/Condition"
      func condition(_ code: String, id: String? = nil) -> JSONValue {
        var resource = shelf.person.condition("Named", id: id)
        resource["code"] = [
          "coding": [["system": .string(FHIRShelf.snomed), "code": .string(code)]]
        ]
        return resource
      }
      #expect(try await app.send(.post, base, condition(Self.asthma)).status == .created)
      try await app.send(.post, base, condition(Self.diabetes)).expectOutcome(.forbidden)
      try await app.send(.put, "\(base)/new", condition(Self.diabetes, id: "new"))
        .expectOutcome(.forbidden)
      try await shelf.person.get("\(base)/new").expectOutcome(.notFound)
      #expect(
        try await app.send(.put, "\(base)/new", condition(Self.asthma, id: "new")).status
          == .created)

      try await app.send(.put, "\(base)/c1", condition(Self.diabetes, id: "c1"))
        .expectOutcome(.forbidden)
      try await app.send(.put, "\(base)/c2", condition(Self.asthma, id: "c2"))
        .expectOutcome(.notFound)
      let patch: HTTPFields = [.contentType: "application/json-patch+json"]
      let change: JSONValue = [
        ["op": "replace", "path": "/code/coding/0/code", "value": .string(Self.diabetes)]
      ]
      try await app.send(.patch, "\(base)/c1", change, patch).expectOutcome(.forbidden)
      try await app.send(.patch, "\(base)/c2", change, patch).expectOutcome(.notFound)
      try await app.send(.delete, "\(base)/c2").expectOutcome(.notFound)
      for id in ["c1", "c2"] {
        #expect(try await shelf.person.get("\(base)/\(id)").headers[.eTag] == #"W/"1""#)
      }
      let note: JSONValue = [["op": "remove", "path": "/note"]]
      #expect(try await app.send(.patch, "\(base)/c1", note, patch).status == .ok)
      #expect(try await app.send(.delete, "\(base)/c1").status == .noContent)

      let count = try await shelf.person.count(base)
      let transaction: JSONValue = [
        "resourceType": "Bundle", "type": "transaction",
        "entry": [
          BundleEntryForm.entry("POST", "Condition", condition(Self.asthma)),
          BundleEntryForm.entry("POST", "Condition", condition(Self.diabetes)),
        ],
      ]
      #expect(try await app.send(.post, "/fhir", transaction).status == .forbidden)
      #expect(try await shelf.person.count(base) == count)
    }
  }

  @Test func `a constrained change needs the right to read`() async throws {
    try await Self.run { shelf, start in
      let changed = shelf.person.condition("Gout", id: "c1")
      let address = "/fhir/Condition/c1"
      let limited = start("patient/Condition.ud?code=\(Self.asthma)")
      try await limited.send(.put, address, changed).expectOutcome(.forbidden)
      try await limited.send(.delete, address).expectOutcome(.forbidden)
      #expect(try await start("patient/Condition.u").send(.put, address, changed).status == .ok)
    }
  }

  // MARK: Other ways

  @Test func `an export has only what matches, for the app that began it`() async throws {
    try await Self.run { shelf, start in
      let address = "/fhir/Patient/$export"
      let prefer: HTTPFields = [.prefer: "respond-async"]
      for scopes in ["patient/Condition.rs", "patient/*.s", "patient/Patient.r"] {
        try await start(scopes).send(.get, address, nil, prefer).expectOutcome(.forbidden)
      }
      let app = start("patient/Patient.rs patient/Condition.rs?code=\(Self.asthma)")
      let begun = try await app.send(.get, address, nil, prefer)
      #expect(begun.status == .accepted, "\(begun.text)")
      let status = String(
        try #require(begun.headers[.contentLocation]).dropFirst("http://localhost".count))
      let harness = shelf.person.harness
      defer { harness.removeExportFiles() }
      try await harness.runExports()
      let output = try await app.get(status).json()["output"]?.array ?? []
      #expect(output.map { $0["type"]?.string } == ["Patient", "Condition"])
      #expect(output.allSatisfy { $0["count"] == 1 })
      let other = start("patient/Condition.rs")
      try await other.get(status).expectOutcome(.notFound)
      try await other.get("\(status)/0").expectOutcome(.notFound)
      try await other.send(.delete, status).expectOutcome(.notFound)
      #expect(try await app.get("\(status)/1").status == .ok)
      #expect(try await app.send(.delete, status).status == .accepted)
    }
  }

  @Test func `apps reach little outside the FHIR API`() async throws {
    try await Self.run { shelf, start in
      let app = start("user/*.cruds")
      let window = "\(Person.today)&patient=\(shelf.patient)"
      for path in ["doses", "deliveries"] {
        #expect(try await app.get("/api/v1/\(path)?\(window)").status == .ok, "\(path)")
        #expect(
          try await start("user/MedicationRequest.rs").get("/api/v1/\(path)?\(window)").status
            == .forbidden, "\(path)")
      }
      for path in ["me", "alarms", "conversations", "events"] {
        #expect(try await app.get("/api/v1/\(path)?\(window)").status == .forbidden, "\(path)")
      }
      #expect(
        try await app.send(.post, Address.vitalsAPI, ["readings": []]).status == .forbidden)
      let report = "/fhir/Composition/visit-report-\(shelf.patient)/$document"
      try await app.get(report).expectOutcome(.forbidden)
    }
  }
}

extension FHIRShelf {
  fileprivate var patient: PatientID { person.account.patient }
}
