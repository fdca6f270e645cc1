// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Web

@Suite struct AnswersAPITests {
  @Test func `the first answer wins and the same outcome returns it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      let first = try await ann.answer(
        id, ["action": "taken", "amount": ["value": .decimal("1.50"), "unit": "tablet"]])
      #expect(first.status == .ok, "\(first.text)")
      let dose = try first.json()
      #expect(dose["id"]?.string == id)
      #expect(dose["state"] == "taken")
      #expect(dose["answer"]?["action"] == "taken")
      #expect(dose["answer"]?["at"] == "2026-03-01T07:00:00+00:00")
      #expect(dose["answer"]?["recorded"] == "2026-03-01T07:00:00+00:00")
      #expect(dose["answer"]?["by"] == "Ann")
      #expect(dose["answer"]?["amount"] == ["value": .decimal("1.50"), "unit": "tablet"])
      let again = try await ann.answer(id, ["action": "taken"])
      #expect(again.status == .ok)
      #expect(try again.json()["version"] == dose["version"])
      #expect(try again.json()["answer"] == dose["answer"])
      let other = try await ann.answer(id, ["action": "skipped", "reason": "sick"])
      try other.expectProblem(.conflict, "answered")
      #expect(try other.json()["dose"]?["state"] == "taken")
      #expect(try await ann.doses().first?["answer"] == dose["answer"])
    }
  }

  @Test func `a correction names the version that it corrects`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      let taken = try await ann.answer(id, ["action": "taken"]).json()
      let version = try #require(taken["version"])
      let skipped = try await ann.answer(
        id, ["action": "skipped", "reason": "sick", "corrects": version])
      #expect(skipped.status == .ok, "\(skipped.text)")
      #expect(try skipped.json()["state"] == "skipped")
      #expect(try skipped.json()["answer"]?["reason"] == "sick")
      let newer = try #require(try skipped.json()["version"]?.number?.integer)
      #expect(newer > version.number?.integer ?? .max)
      let stale = try await ann.answer(id, ["action": "refused", "corrects": version])
      try stale.expectProblem(.conflict, "stale")
      #expect(try stale.json()["dose"]?["state"] == "skipped")
      let found = try await ann.get("/fhir/MedicationAdministration").json()
      #expect(found["total"] == 1)
      #expect(found["entry"]?[0]?["resource"]?["status"] == "not-done")
    }
  }

  @Test func `undo reopens the dose once for one event`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      _ = try await ann.answer(id, ["action": "taken"])
      let event: JSONValue = "7d444840-9dc0-11d1-b245-5ffdce74fad2"
      let undone = try await ann.answer(id, ["action": "undo", "event": event])
      #expect(undone.status == .ok, "\(undone.text)")
      #expect(try undone.json()["state"] == "scheduled")
      #expect(try undone.json()["answer"] == nil)
      #expect(try await ann.answer(id, ["action": "taken"]).status == .ok)
      let replayed = try await ann.answer(id, ["action": "undo", "event": event])
      #expect(replayed.status == .ok)
      #expect(try replayed.json()["state"] == "taken")
      let found = try await ann.get("/fhir/MedicationAdministration").json()
      let states = found["entry"]?.array?.compactMap { $0["resource"]?["status"]?.string } ?? []
      #expect(states.sorted() == ["completed", "entered-in-error"])
    }
  }

  @Test func `an early dose is recorded once confirmed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose().replacing("20260301", with: "20260302")
      let early = try await ann.answer(id, ["action": "taken"])
      try early.expectProblem(.conflict, "confirm")
      let problem = try early.json()
      #expect(problem["taken"] == [] && problem["limits"] == nil)
      #expect(problem["early"]?["dose"]?.string == id)
      #expect(problem["early"]?["due"] == "2026-03-02T08:00:00+00:00")
      #expect(problem["early"]?["from"] == "2026-03-02T07:00:00+00:00")
      let confirmed = try await ann.answer(id, ["action": "taken", "confirm": true])
      #expect(try confirmed.json()["state"] == "taken", "\(confirmed.text)")
    }
  }

  @Test func `an event answers exactly one dose`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let one = try await ann.newDose("Oneol")
      let two = try await ann.newDose("Twool")
      let event: JSONValue = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
      let first = try await ann.answer(one, ["action": "taken", "event": event])
      #expect(first.status == .ok)
      let again = try await ann.answer(
        one, ["action": "taken", "event": "7d444840-9dc0-11d1-b245-5ffdce74fad2"])
      #expect(try again.json() == first.json())
      try await ann.answer(two, ["action": "taken", "event": event])
        .expectProblem(.unprocessableContent)
    }
  }

  @Test func `snoozing is limited to the dose's window`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      harness.clock.advance(minutes: 65)
      let later = try await ann.answer(id, ["action": "later", "minutes": 30])
      #expect(later.status == .ok, "\(later.text)")
      #expect(try later.json()["state"] == "later")
      #expect(try later.json()["laterUntil"] == "2026-03-01T08:35:00+00:00")
      for minutes: JSONValue in [
        0, -1, 100_000, .number(JSONNumber(Int.max)), "30", .decimal("1.5"),
      ] {
        try await ann.answer(id, ["action": "later", "minutes": minutes])
          .expectProblem(.unprocessableContent)
      }
      try await ann.answer(id, ["action": "later"]).expectProblem(.unprocessableContent)
      let taken = try await ann.answer(id, ["action": "taken"])
      #expect(try taken.json()["state"] == "taken")
      #expect(try taken.json()["laterUntil"] == nil)
    }
  }

  @Test func `a repeated ingredient asks and records nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let one = try await ann.newDose("Samol")
      let two = try await ann.newDose("Samol", timing: Person.timing("08:30:00"))
      #expect(try await ann.answer(one, ["action": "taken"]).status == .ok)
      let key: HTTPFields = [.idempotencyKey: "k-1"]
      let question = try await ann.answer(two, ["action": "taken"], key)
      try question.expectProblem(.conflict, "confirm")
      let taken = try #require(try question.json()["taken"]?[0])
      #expect(taken["by"] == "Ann")
      #expect(taken["at"] == "2026-03-01T07:00:00+00:00")
      #expect(taken["medicine"] == "Samol")
      let open = try await ann.doses().first { $0["id"]?.string == two }
      #expect(open?["state"] == "scheduled")
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 1)
      // The question did not use up the key: another body may use it.
      let confirmed = try await ann.answer(two, ["action": "taken", "confirm": true], key)
      #expect(confirmed.status == .ok, "\(confirmed.text)")
      #expect(try confirmed.json()["state"] == "taken")
      let replayed = try await ann.answer(two, ["action": "taken", "confirm": true], key)
      #expect(try replayed.json() == confirmed.json())
    }
  }

  @Test func `a time more than a minute ahead is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      for at: JSONValue in [
        "2026-03-01T07:01:01Z", "9999-12-31T23:59:59Z", "2026-03-01T08:00:00Z",
      ] {
        try await ann.answer(id, ["action": "taken", "at": at])
          .expectProblem(.unprocessableContent)
      }
      let ahead = try await ann.answer(id, ["action": "taken", "at": "2026-03-01T07:00:30Z"])
      #expect(ahead.status == .ok)
      #expect(try ahead.json()["answer"]?["at"] == "2026-03-01T07:00:00+00:00")
    }
  }

  @Test func `a dose far ahead can be answered before it is due`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let window = "from=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z"
      let far = try await ann.doses(window)
      let id = try #require(far.first?["id"]?.string)
      let skipped = try await ann.answer(id, ["action": "skipped", "reason": "in hospital"])
      #expect(skipped.status == .ok, "\(skipped.text)")
      #expect(try await ann.doses(window).compactMap { $0["state"]?.string } == ["skipped"])
    }
  }

  @Test(arguments: [
    #"{}"#, #"{"action":"eaten"}"#, #"{"action":null}"#, #"{"action":1}"#, #"[]"#, #""taken""#,
    #"{"action":"taken","event":"x"}"#, #"{"action":"taken","event":7}"#,
    #"{"action":"taken","at":"08:00"}"#, #"{"action":"taken","at":1772348400}"#,
    #"{"action":"taken","at":"0001-01-01T00:00:00Z"}"#,
    #"{"action":"taken","amount":1}"#, #"{"action":"taken","amount":{"value":0,"unit":"tablet"}}"#,
    #"{"action":"taken","amount":{"value":-1,"unit":"tablet"}}"#,
    #"{"action":"taken","amount":{"value":"1","unit":"tablet"}}"#,
    #"{"action":"taken","amount":{"value":1e999999999,"unit":"tablet"}}"#,
    #"{"action":"taken","amount":{"value":1}}"#,
    #"{"action":"taken","amount":{"value":1,"unit":""}}"#,
    #"{"action":"taken","corrects":"1"}"#, #"{"action":"taken","corrects":1.5}"#,
    #"{"action":"taken","corrects":99999999999999999999}"#, #"{"action":"taken","confirm":"yes"}"#,
    #"{"action":"skipped","reason":["sick"]}"#, #"{"action":"skipped","reason":"a\u0000b"}"#,
  ])
  func `an invalid answer is refused and changes nothing`(body: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      let answer = try await ann.answer(id, JSONValue(parsing: body))
      try answer.expectProblem(.unprocessableContent)
      let dose = try #require(try await ann.doses().first)
      #expect(dose["state"] == "scheduled")
      #expect(try await ann.get("/fhir/MedicationAdministration").json()["total"] == 0)
    }
  }

  @Test func `reasons that are too long are refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      let long = JSONValue.string(String(repeating: "é", count: 501))
      let answer = try await ann.answer(id, ["action": "skipped", "reason": long])
      try answer.expectProblem(.unprocessableContent)
      #expect(try answer.json()["issues"]?[0]?["expression"] == "reason")
    }
  }

  @Test(arguments: [
    "nonsense", "a_1_n0", "a_b_c", "_0_n1", "x_0_20260301-77", "x_99999999999999999999_n1",
    "%F0%9F%92%8A", "%2e%2e", "x_0_e9223372036854775807", "x_0_n-9223372036854775808",
  ])
  func `an unknown dose is not found`(id: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      try await ann.answer(id, ["action": "taken"]).expectProblem(.notFound)
      let own = id.replacing("x_", with: "\(plan)_")
      try await ann.answer(own, ["action": "taken"]).expectProblem(.notFound)
    }
  }
}
