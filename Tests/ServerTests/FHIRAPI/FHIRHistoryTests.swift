// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

/// The versions of one resource, of a type, and of everything.
@Suite struct FHIRHistoryTests {
  /// Returns the method and address of each entry of a Bundle.
  private func requests(_ bundle: JSONValue) -> [String] {
    (bundle["entry"]?.array ?? []).map { entry in
      "\(entry["request"]?["method"]?.string ?? "") \(entry["request"]?["url"]?.string ?? "")"
    }
  }

  @Test func `versions are listed newest first at each level, also after a deletion`()
    async throws
  {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let (ann, clock) = (shelf.person, harness.clock)
      try await shelf.condition("c1")
      clock.advance(minutes: 1)
      try await shelf.condition("c1", recorded: "2026-02-02")
      clock.advance(minutes: 1)
      try await shelf.condition("c2")
      clock.advance(minutes: 1)
      let deleted = try await harness.send(.delete, "/fhir/Condition/c1", ann.token)
      #expect([.noContent, .ok].contains(deleted.status))
      try await ann.get("/fhir/Condition/c1").expectOutcome(.gone, "deleted")
      #expect(try await ann.get("/fhir/Condition/c1/_history/1").status == .ok)
      #expect(try await ann.get("/fhir/Condition/c1/_history/3").status == .gone)

      let one = try await ann.get("/fhir/Condition/c1/_history").json()
      #expect(one["type"] == "history" && one["total"] == 3)
      #expect(requests(one) == ["DELETE Condition/c1", "PUT Condition/c1", "POST Condition"])
      #expect(one["entry"]?[0]?["resource"] == nil)
      #expect(one["entry"]?[1]?["resource"]?["recordedDate"]?.string == "2026-02-02")
      #expect(one["entry"]?[1]?["response"]?["etag"]?.string == #"W/"2""#)

      let all = [
        "DELETE Condition/c1", "POST Condition", "PUT Condition/c1", "POST Condition",
      ]
      let type = try await ann.get("/fhir/Condition/_history").json()
      #expect(requests(type) == all)
      let system = try await ann.get("/fhir/_history").json()
      #expect(Array(requests(system).prefix(3)) == Array(all.prefix(3)))

      for address in ["Condition/c1/_history", "Condition/_history", "_history"] {
        var path: String? = "/fhir/\(address)?_count=1&_since=2026-03-01T07:01:00Z"
        var seen: [String] = []
        while let current = path, seen.count < 20 {
          let page = try await ann.get(current).json()
          seen += requests(page)
          path = page.nextPath
        }
        let expected = address.contains("c1") ? [all[0], all[2]] : Array(all.prefix(3))
        #expect(seen == expected, "\(address)")
      }
    }
  }

  @Test func `nothing of another person is in a history`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let bob = try await Person.make(harness, "Bob")
      try await shelf.condition("c1")
      try await bob.get("/fhir/Condition/c1/_history").expectOutcome(.notFound)
      for address in ["Condition/_history", "_history", "_history?_since=2026-01-01"] {
        let answer = try await bob.get("/fhir/\(address)")
        #expect(answer.status == .ok, "\(address): \(answer.text)")
        #expect(!answer.text.contains("Secretitis"), "\(address)")
        #expect(!answer.text.contains(shelf.person.account.patient.text), "\(address)")
      }
      let system = try await harness.token(of: bob.account, scope: .system)
      let all = try await harness.send(.get, "/fhir/_history", system)
      #expect(all.text.contains("Secretitis"))
    }
  }

  @Test(arguments: [
    "_count=-1", "_count=many", "_since=yesterday", "_since=gt2026-03-01", "_cursor=a/b/c",
    "colour=red", "_at=2026-03-01",
  ])
  func `a bad history request is refused`(query: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      for address in ["MedicationRequest/\(plan)/_history", "Patient/_history", "_history"] {
        try await ann.get("/fhir/\(address)?\(query)").expectOutcome(.badRequest)
      }
    }
  }
}
