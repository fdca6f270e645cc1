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

  /// Condition c1 exists from 07:00, changes at 07:10 and is deleted at 07:30; c2 exists from 07:20.
  @Test(
    arguments: [
      ("_at=2026-03-01T06:59Z", []), ("_at=2026-03-01T07:05Z", ["POST 1"]),
      ("_at=2026-03-01T07:15:00Z", ["PUT 1"]),
      ("_at=2026-03-01T07:25:00Z", ["POST 2", "PUT 1"]),
      ("_at=2026-03-01T07:40:00Z", ["POST 2"]),
      ("_at=2026-03-01", ["DELETE 1", "POST 2", "PUT 1", "POST 1"]),
      ("_at=ge2026-03-01T07:15:00Z&_at=lt2026-03-01T07:25:00Z", ["POST 2", "PUT 1"]),
      ("_at=gt2026-03-01T07:40:00Z", ["POST 2"]), ("_at=le2026-03-01T07:00:00Z", ["POST 1"]),
      ("_at=2026-03-01T07:25:00Z&_since=2026-03-01T07:15:00Z", ["POST 2"]),
    ] as [(String, [String])])
  func `versions that were current at a time are listed`(
    query: String, expected: [String]
  ) async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let (ann, clock) = (shelf.person, harness.clock)
      try await shelf.condition("c1")
      clock.advance(minutes: 10)
      try await shelf.condition("c1", recorded: "2026-02-02")
      clock.advance(minutes: 10)
      try await shelf.condition("c2")
      clock.advance(minutes: 10)
      _ = try await ann.delete("/fhir/Condition/c1")
      func named(_ bundle: JSONValue) -> [String] {
        (bundle["entry"]?.array ?? []).map { entry in
          let id = entry["fullUrl"]?.string?.suffix(1) ?? ""
          return "\(entry["request"]?["method"]?.string ?? "") \(id)"
        }
      }
      let type = try await ann.get("/fhir/Condition/_history?\(query)").json()
      #expect(named(type) == expected)
      let total = try await ann.get("/fhir/Condition/_history?_count=0&\(query)").json()
      #expect(total["total"]?.number?.integer == expected.count)
      #expect(total["entry"] == nil && total.nextPath == nil)
      let one = expected.filter { $0.hasSuffix(" 1") }
      let address = "/fhir/Condition/c1/_history"
      #expect(named(try await ann.get("\(address)?\(query)").json()) == one)
      let ofOne = try await ann.get("\(address)?_count=0&\(query)").json()
      #expect(ofOne["total"]?.number?.integer == one.count)
      for (start, all) in [(address, one), ("/fhir/Condition/_history", expected)] {
        var path: String? = "\(start)?_count=1&\(query)"
        var seen: [String] = []
        while let current = path, seen.count < 10 {
          let page = try await ann.get(current).json()
          seen += named(page)
          path = page.nextPath
        }
        #expect(seen == all, "\(start)")
      }
    }
  }

  @Test func `a count of 0 gives the number of what the caller may see`() async throws {
    try await ServerHarness.run { harness in
      let shelf = try await FHIRShelf.make(harness)
      let bob = try await Person.make(harness, "Bob")
      for index in 1...3 { try await shelf.condition("c\(index)") }
      try await shelf.condition("c1", recorded: "2026-02-02")
      #expect(try await shelf.person.count("/fhir/Condition/_history?_count=0") == 4)
      #expect(try await shelf.person.count("/fhir/Condition/c1/_history?_count=0") == 2)
      #expect(try await bob.count("/fhir/Condition/_history?_count=0") == 0)
      let all = try await shelf.person.get("/fhir/_history?_count=500").json()
      let total = all["total"]?.number?.integer
      #expect(try await shelf.person.count("/fhir/_history?_count=0") == total)
      try await bob.get("/fhir/Condition/c1/_history?_count=0").expectOutcome(.notFound)
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
    "colour=red", "_at=yesterday", "_at=ne2026-03-01", "_at=2026-02-30", "_pretty=maybe",
    "_at=2026-03-01&_at=2026-03-02", "_at=",
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
