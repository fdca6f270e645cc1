// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@Suite struct DosesAPITests {
  @Test func `doses are sorted and due in the zone of the patient`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Oslo") { harness in
      let ann = try await Person.make(harness)
      let late = try await ann.plan("Laterol", timing: Person.timing("21:30:00"))
      let both = try await ann.plan("Bothol", timing: Person.timing("09:00:00", "21:30:00"))
      let doses = try await ann.doses(
        "patient=\(ann.account.patient)&from=2026-03-01T00:00:00%2B01:00&to=2026-03-02T00:00:00%2B01:00"
      )
      #expect(
        doses.compactMap { $0["due"]?.string } == [
          "2026-03-01T09:00:00+01:00", "2026-03-01T21:30:00+01:00", "2026-03-01T21:30:00+01:00",
        ])
      let ids = doses.compactMap { $0["id"]?.string }
      #expect(ids.dropFirst().sorted() == Array(ids.dropFirst()))
      #expect(Set(doses.compactMap { $0["plan"]?.string }) == [late.text, both.text])
      let first = try #require(doses.first)
      #expect(first["patient"]?.string == ann.account.patient.text)
      #expect(first["state"]?.string == "scheduled")
      #expect(first["late"]?.bool == false)
      #expect(first["version"]?.number?.integer != nil)
      #expect(first["answer"] == nil)
    }
  }

  @Test func `a dose explains why it is due when it is`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Oslo") { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Gapol", timing: Person.timing("02:30:00"))
      let doses = try await ann.doses(
        "patient=\(ann.account.patient)&from=2026-03-29T00:00:00%2B01:00&to=2026-03-30T00:00:00%2B02:00"
      )
      let dose = try #require(doses.first?["id"]?.string)
      #expect(doses.first?["due"]?.string == "2026-03-29T03:00:00+02:00")
      let answer = try await harness.send(.get, "/api/v1/doses/\(dose)/reasons", ann.token).json()
      let reasons = try #require(answer["reasons"]?.array)
      #expect(reasons.compactMap { $0["rule"]?.number?.integer } == [6, 8])
      #expect(reasons.compactMap { $0["moved"]?.bool } == [false, true])
      #expect(reasons.last?["text"]?.string?.contains("02:30") == true)
      let unknown = try await harness.send(
        .get, "/api/v1/doses/\(dose)9/reasons", ann.token)
      #expect(unknown.status == .notFound)
    }
  }

  @Test func `from is inclusive and to is exclusive`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      func count(_ from: String, _ until: String) async throws -> Int {
        try await ann.doses("from=2026-03-01T\(from)&to=2026-03-01T\(until)").count
      }
      #expect(try await count("08:00:00Z", "08:00:01Z") == 1)
      #expect(try await count("08:00:00.001Z", "09:00:00Z") == 0)
      #expect(try await count("07:00:00Z", "08:00:00Z") == 0)
      #expect(try await count("08:00:00Z", "08:00:00Z") == 0)
      // The same instants in another zone, and a plus sign that was decoded as a space.
      #expect(try await count("13:45:00+05:45", "13:46:00 05:45") == 1)
    }
  }

  @Test(arguments: [
    "", "from=2026-03-01T00:00:00Z", "to=2026-03-01T00:00:00Z", "from=&to=",
    "from=2026-03-01&to=2026-03-02", "from=2026-03-01T00:00:00&to=2026-03-02T00:00:00",
    "from=yesterday&to=tomorrow", "from=2026-02-30T00:00:00Z&to=2026-03-02T00:00:00Z",
    "from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z",
    "from=2026-03-01T00:00:00Z&to=2027-04-05T00:00:01Z",
    "from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z",
    "from=2026-03-01T25:00:00Z&to=2026-03-02T00:00:00Z",
  ])
  func `an invalid window is refused`(window: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.get("/api/v1/doses?\(window)").expectProblem(.unprocessableContent)
    }
  }

  @Test func `doses beyond the planned horizon are listed up to 400 days`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let doses = try await ann.doses("from=2026-03-01T00:00:00Z&to=2027-04-05T00:00:00Z")
      #expect(doses.count == 400)
      #expect(Set(doses.compactMap { $0["id"]?.string }).count == 400)
    }
  }

  @Test func `too many doses for one response are refused, a part is returned`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let often = try JSONValue(
        parsing: #"{"repeat":{"frequency":1,"period":5,"periodUnit":"min"}}"#)
      _ = try await ann.plan(timing: often)
      let all = "from=2026-03-01T00:00:00Z&to=2027-04-05T00:00:00Z"
      try await ann.get("/api/v1/doses?\(all)").expectProblem(.unprocessableContent)
      let hour = try await ann.doses("from=2027-01-01T00:00:00Z&to=2027-01-01T01:00:00Z")
      #expect(hour.count == 12)
    }
  }

  @Test(arguments: [
    "from=0001-01-01T00:00:00Z&to=0001-12-31T00:00:00Z",
    "from=9998-12-31T00:00:00Z&to=9999-12-31T23:59:59Z",
    "from=9999-12-31T23:59:59-14:00&to=9999-12-31T23:59:60-14:00",
  ])
  func `the limits of the calendar do no harm`(window: String) async throws {
    try await ServerHarness.run(homeZone: "Pacific/Kiritimati") { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let answer = try await ann.get("/api/v1/doses?\(window)")
      #expect(answer.status == .ok, "\(answer.text)")
    }
  }

  @Test func `another's patient is not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      for patient in [bob.account.patient, "nobody", "%F0%9F%92%8A", "../me"] {
        try await ann.get("/api/v1/doses?patient=\(patient)&\(Person.today)")
          .expectProblem(.notFound)
      }
      let system = try await harness.token(of: ann.account, scope: .system)
      let found = try await harness.send(
        .get, "/api/v1/doses?patient=Patient/\(bob.account.patient)&\(Person.today)", system)
      #expect(found.status == .ok)
      let missing = try await harness.send(
        .get, "/api/v1/doses?patient=nobody&\(Person.today)", system)
      try missing.expectProblem(.notFound)
    }
  }

  @Test func `a stopped plan's future doses stay as cancelled`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      var stopped = ann.request(id: plan.text)
      stopped["status"] = "stopped"
      #expect(try await ann.put("/fhir/MedicationRequest/\(plan)", stopped).status == .ok)
      let doses = try await ann.doses()
      #expect(doses.compactMap { $0["state"]?.string } == ["cancelled"])
      let id = try #require(doses.first?["id"]?.string)
      let answer = try await ann.answer(id, ["action": "taken"])
      try answer.expectProblem(.conflict, "cancelled")
      #expect(try answer.json()["dose"]?["state"]?.string == "cancelled")
    }
  }

  @Test func `a dose is due, then late, then missed, and can still be answered`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.newDose()
      func shown() async throws -> JSONValue { try #require(try await ann.doses().first) }
      harness.clock.advance(minutes: 61)
      #expect(try await shown()["state"] == "due")
      #expect(try await shown()["late"] == false)
      harness.clock.advance(minutes: 60)
      #expect(try await shown()["state"] == "due")
      #expect(try await shown()["late"] == true)
      harness.clock.advance(minutes: 13 * 60)
      #expect(try await shown()["state"] == "missed")
      let answered = try await ann.answer(
        id, ["action": "taken", "at": "2026-03-01T08:05:00Z"])
      #expect(answered.status == .ok, "\(answered.text)")
      #expect(try answered.json()["late"] == false)
    }
  }
}
