// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

/// Searches of compartments by form, and searches and histories in a batch.
@Suite struct BatchReadTests {
  private typealias Form = BundleEntryForm

  @Test func `a compartment is searched by form with the access of an address`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let ann = shelf.person
      let bob = try await Person.make(harness, "Bob")
      try await shelf.condition("c1")
      try await shelf.condition("c2", code: "38341003")
      let address = "/fhir/Patient/\(ann.account.patient)/Condition/_search"
      func search(
        _ person: Person, _ fields: [(String, String)], _ query: String = ""
      ) async throws -> TestResponse {
        try await harness.submit("\(address)\(query)", fields, person.token)
      }
      let all = try await search(ann, []).json()
      #expect(all.entries().sorted() == ["Condition/c1", "Condition/c2"])
      let one = try await search(ann, [("code", "38341003")]).json()
      #expect(one.entries() == ["Condition/c2"])
      #expect(one.link("self")?.contains("/Condition?code=38341003") == true)
      let page = try await search(ann, [("_count", "1")], "?_sort=code").json()
      let next = try await ann.get(try #require(page.nextPath)).json()
      #expect(Set(page.entries() + next.entries()) == ["Condition/c1", "Condition/c2"])
      try await search(bob, []).expectOutcome(.notFound)
      try await search(ann, [("colour", "red")]).expectOutcome(.badRequest, at: "colour")
      try await search(ann, [("_pretty", "maybe")]).expectOutcome(.badRequest, at: "_pretty")
      let shared = "/fhir/Patient/\(ann.account.patient)/Medication/_search"
      let unknown = try await harness.submit(shared, [], ann.token)
      #expect([.notFound, .methodNotAllowed].contains(unknown.status))
    }
  }

  @Test(arguments: ["batch", "transaction"])
  func `compartments and histories are read in a Bundle`(type: String) async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let ann = shelf.person
      try await shelf.condition("c1")
      try await shelf.condition("c1", recorded: "2026-02-02")
      let answer = try await ann.bundle(
        .string(type),
        [
          Form.entry("GET", "Patient/\(ann.account.patient)/Condition?code=195967001"),
          Form.entry("GET", "Condition/c1/_history"),
          Form.entry("GET", "Condition/_history?_count=1"),
          Form.entry("GET", "_history?_count=0"),
          Form.entry("HEAD", "Condition/c1/_history"),
        ])
      #expect(answer.status == .ok, "\(answer.text)")
      let entries = try answer.json()["entry"]?.array ?? []
      #expect(entries.count == 5)
      #expect(entries.allSatisfy { $0["response"]?["status"]?.string == "200 OK" })
      #expect(entries.first?["resource"]?.entries() == ["Condition/c1"])
      #expect(entries[1]["resource"]?["type"] == "history")
      #expect(entries[1]["resource"]?["total"] == 2)
      #expect(entries[2]["resource"]?["entry"]?.array?.count == 1)
      #expect(entries[2]["resource"]?.nextPath != nil)
      let total = try await ann.count("/fhir/_history?_count=0")
      #expect(entries[3]["resource"]?["total"]?.number?.integer == total)
      #expect(entries[4]["resource"] == nil)
    }
  }

  @Test func `what may not be read is not found, and bad addresses are named`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let bob = try await Person.make(harness, "Bob")
      try await shelf.condition("c1")
      let owner = shelf.person.account.patient
      let rows: [(String, String)] = [
        ("Patient/\(owner)/Condition", "404"), ("Condition/c1/_history", "404"),
        ("AuditEvent/_history", "404"), ("Patient/\(owner)/Medication", "404"),
        ("Patient/\(owner)/Nothing", "404"), ("Patient/a_b/Condition", "404"),
        ("Condition/_history?_at=never", "400"), ("Condition/_history?colour=red", "400"),
        ("Condition/%zz", "400"), ("Condition?code=%ff", "400"),
      ]
      let answer = try await bob.bundle("batch", rows.map { Form.entry("GET", $0.0) })
      #expect(!answer.text.contains("Secretitis"))
      let entries = try answer.json()["entry"]?.array ?? []
      #expect(entries.count == rows.count)
      for (index, (entry, row)) in zip(entries, rows).enumerated() {
        #expect(entry["response"]?["status"]?.string?.hasPrefix(row.1) == true, "\(row.0)")
        guard row.1 == "400" else { continue }
        let place = entry["response"]?["outcome"]?["issue"]?[0]?["expression"]?[0]?.string
        #expect(place == "Bundle.entry[\(index)].request.url", "\(row.0)")
      }
    }
  }
}
