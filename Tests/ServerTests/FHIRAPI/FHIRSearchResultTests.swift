// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

/// The order, the parts and the companions of search results.
@Suite struct FHIRSearchResultTests {
  @Test func `included resources belong to the page, once each and not to the total`()
    async throws
  {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      try await shelf.condition("c1")
      try await shelf.condition("c2")
      try await shelf.provenance("p1", of: "Condition/c1")
      let patient = "Patient/\(shelf.person.account.patient)"
      let both = "Condition?_include=Condition:subject&_revinclude=Provenance:target"
      let bundle = try await shelf.person.get("/fhir/\(both)").json()
      #expect(bundle["total"] == 2)
      #expect(bundle.entries() == ["Condition/c1", "Condition/c2"])
      #expect(bundle.entries("include") == [patient, "Provenance/p1"])
      let first = try await shelf.person.get("/fhir/\(both)&_count=1").json()
      #expect(first["total"] == 2)
      #expect(first.entries() == ["Condition/c1"])
      let second = try await shelf.person.get(#require(first.nextPath)).json()
      #expect(second["total"] == 2)
      #expect(second.entries() == ["Condition/c2"])
      #expect(second.entries("include") == [patient])
      #expect(
        try await shelf.search(
          "Provenance?_include=Provenance:target&_include:iterate=Condition:subject",
          mode: "include") == ["Condition/c1", patient])
      #expect(
        try await shelf.search(
          "Provenance?_include=Provenance:target:Patient", mode: "include") == [])
      #expect(
        try await shelf.search("Patient?_revinclude=Condition:patient", mode: "include")
          == ["Condition/c1", "Condition/c2"])
    }
  }

  @Test func `chains follow references in both directions`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let other = try await FHIRShelf.make(harness, "Bob")
      try await shelf.condition("c1")
      try await shelf.condition("c2", code: "38341003")
      try await other.condition("c3", code: "73211009")
      try await shelf.provenance("p1", of: "Condition/c1")
      let patient = shelf.person.account.patient
      for (query, found) in [
        ("Condition?patient._id=\(patient)", ["Condition/c1", "Condition/c2"]),
        ("Condition?subject:Patient._id=\(other.person.account.patient)", []),
        ("Provenance?target:Condition.code=195967001", ["Provenance/p1"]),
        ("Provenance?target:Condition.code=38341003", []),
        ("Condition?_has:Provenance:target:recorded=2026-02-01", ["Condition/c1"]),
        ("Patient?_has:Condition:patient:code=38341003", ["Patient/\(patient)"]),
        ("Patient?_has:Condition:patient:code=73211009", []),
        ("Observation?patient._id=\(patient)", []),
      ] {
        #expect(try await shelf.search(query) == found, "\(query)")
      }
    }
  }

  @Test func `results are sorted, and pages stay stable while rows arrive`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      for (id, day) in [("c1", "03"), ("c2", "01"), ("c3", "04"), ("c4", "02")] {
        try await shelf.condition(id, recorded: "2026-02-\(day)")
      }
      let rising = ["c2", "c4", "c1", "c3"].map { "Condition/\($0)" }
      #expect(try await shelf.search("Condition?_sort=recorded-date") == rising)
      #expect(try await shelf.search("Condition?_sort=-recorded-date") == rising.reversed())
      #expect(try await shelf.search("Condition?_sort=-_id").first == "Condition/c4")
      var path: String? = "/fhir/Condition?_sort=recorded-date&_count=2"
      var seen: [String] = []
      while let current = path, seen.count < 20 {
        let bundle = try await shelf.person.get(current).json()
        seen += bundle.entries()
        path = bundle.nextPath
        // A row before the first page.
        if seen.count == 2 { try await shelf.condition("c0", recorded: "2026-01-01") }
      }
      #expect(seen == rising)
      let sorted = try await shelf.person.get("/fhir/Condition?_sort=recorded-date&_count=1").json()
      let next = try #require(sorted.nextPath)
      try await shelf.person.get(next.replacing("_sort=recorded-date", with: "_sort=_id"))
        .expectOutcome(.badRequest)
    }
  }

  @Test func `only the wanted parts of resources are sent, and marked`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      try await shelf.condition("c1")
      func resource(_ query: String) async throws -> JSONValue {
        let bundle = try await shelf.person.get("/fhir/Condition?\(query)").json()
        return try #require(bundle["entry"]?[0]?["resource"])
      }
      let whole = try await resource("_summary=false")
      #expect(whole["note"] != nil && whole["meta"]?["tag"] == nil)
      let elements = try await resource("_elements=recordedDate")
      #expect(elements["recordedDate"] != nil && elements["subject"] != nil)
      #expect(elements["id"] != nil && elements["resourceType"] != nil)
      #expect(elements["note"] == nil && elements["code"] == nil)
      #expect(elements["meta"]?["tag"]?[0]?["code"]?.string == "SUBSETTED")
      #expect(elements["meta"]?["versionId"]?.string == "1")
      let summary = try await resource("_summary=true")
      #expect(summary["code"] != nil && summary["note"] == nil && summary["text"] == nil)
      let text = try await resource("_summary=text")
      #expect(text["text"] != nil && text["subject"] != nil && text["recordedDate"] == nil)
      let data = try await resource("_summary=data")
      #expect(data["text"] == nil && data["note"] != nil)
      let read = try await shelf.person.get("/fhir/Condition/c1?_summary=true").json()
      #expect(read["note"] == nil && read["meta"]?["tag"]?[0]?["code"]?.string == "SUBSETTED")
      for (query, name) in [
        ("_summary=count", "_summary"), ("_summary=all", "_summary"),
        ("_elements=colour", "_elements"), ("_elements=", "_elements"),
        ("_elements=%ff", "_elements"),
      ] {
        try await shelf.person.get("/fhir/Condition/c1?\(query)")
          .expectOutcome(.badRequest, "value", at: name)
      }
      let part = try await shelf.person.get("/fhir/Condition/c1?_elements=note,resourceType").json()
      #expect(part["note"] != nil && part["recordedDate"] == nil)
      for query in ["_summary=count", "_count=0"] {
        let count = try await shelf.person.get("/fhir/Condition?\(query)").json()
        #expect(count["total"] == 1 && count["entry"] == nil && count.link("next") == nil)
      }
      let uncounted = try await shelf.person.get("/fhir/Condition?_total=none").json()
      #expect(uncounted["total"] == nil && uncounted.entries() == ["Condition/c1"])
    }
  }

  @Test func `a form searches like an address`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      for id in ["c1", "c2"] { try await shelf.condition(id) }
      let patient = shelf.person.account.patient.text
      let found = try await harness.submit(
        "/fhir/Condition/_search?_count=1", [("patient", patient), ("_sort", "-_id")],
        shelf.person.token
      ).json()
      #expect(found["total"] == 2)
      #expect(found.entries() == ["Condition/c2"])
      let second = try await shelf.person.get(#require(found.nextPath)).json()
      #expect(second.entries() == ["Condition/c1"])
      try await harness.submit(
        "/fhir/Condition/_search", [("colour", "red")], shelf.person.token
      ).expectOutcome(.badRequest, "not-supported", at: "colour")
      let json = try await shelf.person.post("/fhir/Condition/_search", ["patient": "x"])
      try json.expectOutcome(.unsupportedMediaType)
      let read = try await shelf.person.get("/fhir/Condition/_search")
      #expect(read.status == .methodNotAllowed)
      let reading = try await harness.token(of: shelf.person.account, scope: .userReading)
      let form = try await harness.submit("/fhir/Condition/_search", [], reading)
      #expect(form.status == .ok, "\(form.text)")
    }
  }
}
