// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

/// The doses of a plan posted over FHIR.
@Suite struct PlanDosesTests {
  private static let base = "/fhir/MedicationRequest"

  @Test func `instants keep their milliseconds`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan(
        timing: [
          "event": ["2026-03-01T07:00:03.250Z", "2026-03-01T08:00:04+01:00"]
        ])
      let doses = try await ann.doses()
      #expect(
        doses.compactMap { $0["due"]?.string } == [
          "2026-03-01T07:00:03.250+00:00", "2026-03-01T07:00:04+00:00",
        ])
      let id = try #require(doses.first?["id"]?.string)
      let taken = try await ann.answer(id, ["action": "taken"])
      #expect(taken.status == .ok, "\(taken.text)")
      #expect(try taken.json()["state"] == "taken")
    }
  }

  @Test(arguments: [
    (#"{"repeat":{"period":1}}"#, "MedicationRequest.dosageInstruction[0].timing.repeat.period"),
    (
      #"{"repeat":{"frequency":1,"period":-1,"periodUnit":"d"}}"#,
      "MedicationRequest.dosageInstruction[0].timing.repeat.period"
    ),
    (
      #"{"repeat":{"timeOfDay":["08:00:00"],"when":["ACM"]}}"#,
      "MedicationRequest.dosageInstruction[0].timing.repeat.timeOfDay"
    ),
    (
      #"{"repeat":{"timeOfDay":["25:00:00"]}}"#,
      "MedicationRequest.dosageInstruction[0].timing.repeat.timeOfDay[0]"
    ),
    (
      #"{"repeat":{"countMax":3}}"#,
      "MedicationRequest.dosageInstruction[0].timing.repeat.countMax"
    ),
  ])
  func `a Timing that breaks an invariant is refused`(timing: String, expression: String)
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.post(Self.base, ann.request(timing: JSONValue(parsing: timing)))
        .expectOutcome(.unprocessableContent, at: expression)
    }
  }

  @Test(arguments: [
    #"{"repeat":{"timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2020-01-01","end":"2019-01-01"}}}"#,
    #"{"repeat":{"timeOfDay":["08:00:00"],"dayOfWeek":["mon"],"boundsPeriod":{"start":"2026-03-03","end":"2026-03-04"}}}"#,
  ])
  func `a schedule that can never fire is refused`(timing: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await ann.post(Self.base, ann.request(timing: JSONValue(parsing: timing)))
        .expectOutcome(.unprocessableContent)
      #expect(try await ann.get(Self.base).json()["total"] == 0)
    }
  }

  @Test(arguments: ["0", "0.000", "-1", "1e30"])
  func `a dose of nothing is refused`(value: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let request = ann.request(amount: .decimal(value))
      try await ann.post(Self.base, request).expectOutcome(
        .unprocessableContent,
        at: "MedicationRequest.dosageInstruction[0].doseAndRate.doseQuantity.value")
    }
  }

  @Test(arguments: [
    (#"{"timing":{"repeat":{"count":1}}}"#, "unsupported-timing:count"),
    (
      #"{"timing":{"repeat":{"frequencyMax":3,"period":1,"periodUnit":"d"}}}"#,
      "unsupported-timing:frequencyMax"
    ),
    (#"{"text":"as the doctor said"}"#, "text-only"),
    (
      #"{"asNeededBoolean":true,"timing":{"repeat":{"timeOfDay":["08:00:00"]}}}"#, "as-needed"
    ),
  ])
  func `valid but unsupported timings are stored whole and reported`(dosage: String, reason: String)
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["dosageInstruction"] = [try JSONValue(parsing: dosage)]
      let created = try await ann.post(Self.base, request)
      #expect(created.status == .created, "\(created.text)")
      #expect(try created.json()["dosageInstruction"] == request["dosageInstruction"])
      let plan = try #require(try created.json()["id"])
      let listed = try await ann.get("/api/v1/doses?\(Person.today)").json()
      #expect(listed["doses"] == [])
      #expect(listed["unplanned"] == [["plan": plan, "reason": .string(reason)]])
    }
  }

  @Test func `a dosage with an unknown modifier extension is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["dosageInstruction"] = [
        [
          "timing": ["repeat": ["timeOfDay": ["08:00:00"]]],
          "modifierExtension": [["url": "http://example.org/m", "valueBoolean": true]],
        ]
      ]
      let refused = try await ann.post(Self.base, request)
      #expect(refused.status == .unprocessableContent, "\(refused.text)")
      #expect(
        try refused.json()["issue"]?[0]?["expression"]?[0]?.string
          == "MedicationRequest.dosageInstruction[0].modifierExtension[0]")
      #expect(try await ann.get("/api/v1/doses?\(Person.today)").json()["unplanned"] == [])
    }
  }

  @Test func `bounds in the past are explained everywhere`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let timing = try JSONValue(
        parsing:
          #"{"repeat":{"timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2025-02-21","end":"2025-03-03"}}}"#
      )
      let sentence = "Its period ended on 3 March 2025, so it gives no doses."
      let prefer = try #require(HTTPField.Name("Prefer"))
      let created = try await ann.post(
        Self.base, ann.request(timing: timing), [prefer: "return=OperationOutcome"])
      #expect(created.status == .created, "\(created.text)")
      let issues = try created.json()["issue"]?.array ?? []
      #expect(
        issues.contains {
          $0["severity"]?.string == "warning" && $0["diagnostics"]?.string == sentence
        }, "\(created.text)")
      let listed = try await ann.get("/api/v1/doses?\(Person.today)").json()
      #expect(listed["doses"] == [])
      let unplanned = try #require(listed["unplanned"]?[0])
      #expect(unplanned["reason"]?.string == "ended:2025-03-03")
      let plan = try #require(unplanned["plan"]?.string)
      let page = try await harness.session(of: ann.account).open("/medicines/\(plan)")
      #expect(page.text.contains(sentence), "\(page.text)")
    }
  }

  @Test(arguments: ["on-hold", "draft", "unknown"])
  func `only active plans ring`(status: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["status"] = .string(status)
      #expect(try await ann.post(Self.base, request).status == .created)
      let listed = try await ann.get("/api/v1/doses?\(Person.today)").json()
      #expect(listed["doses"] == [])
      #expect(listed["unplanned"]?[0]?["reason"]?.string == "status:\(status)")
    }
  }

  @Test(arguments: ["proposal", "option"])
  func `an intent that requests nothing doesn't ring`(intent: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["intent"] = .string(intent)
      #expect(try await ann.post(Self.base, request).status == .created)
      let listed = try await ann.get("/api/v1/doses?\(Person.today)").json()
      #expect(listed["doses"] == [])
      #expect(listed["unplanned"]?[0]?["reason"]?.string == "intent:\(intent)")
    }
  }

  @Test func `a medicine that must not be taken doesn't ring`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request()
      request["doNotPerform"] = true
      #expect(try await ann.post(Self.base, request).status == .created)
      let listed = try await ann.get("/api/v1/doses?\(Person.today)").json()
      #expect(listed["doses"] == [])
      #expect(listed["unplanned"]?[0]?["reason"] == "do-not-perform")
    }
  }

  @Test(arguments: [
    (#"{"repeat":{"frequency":1,"period":8,"periodUnit":"h"}}"#, 2),
    (#"{"repeat":{"timeOfDay":["08:00:00","20:00:00"],"dayOfWeek":["sun"]}}"#, 2),
    (#"{"repeat":{"timeOfDay":["08:00:00"],"dayOfWeek":["mon"]}}"#, 0),
    (#"{"repeat":{"frequency":1,"period":1,"periodUnit":"d","when":["ACD","HS"]}}"#, 2),
    (
      #"{"repeat":{"timeOfDay":["08:00:00"],"boundsPeriod":{"start":"2026-03-02"}}}"#, 0
    ),
  ])
  func `a supported timing gives its doses`(timing: String, count: Int) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan(timing: JSONValue(parsing: timing))
      let listed = try await ann.get(
        "/api/v1/doses?from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z"
      ).json()
      #expect(listed["unplanned"] == [])
      #expect(listed["doses"]?.array?.count == count, "\(listed)")
    }
  }
}
