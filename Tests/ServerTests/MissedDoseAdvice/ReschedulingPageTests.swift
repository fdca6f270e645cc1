// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

/// A medicine of 08:00, 14:00 and 20:00 whose plan delays the next dose by five hours, at 10:30.
private struct LateHouse {
  let house: DoseHouse
  let harness: ServerHarness
  let dose: String

  init(
    _ harness: ServerHarness, name: String = "Nitrofurantoin", rule: String? = "shift"
  ) async throws {
    self.harness = harness
    house = try await DoseHouse(harness, plans: [])
    var resource: JSONValue = [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": .string(name)],
      "subject": ["reference": .string("Patient/\(house.account.patient)")],
      "dosageInstruction": [
        ["timing": ["repeat": ["timeOfDay": ["08:00:00", "14:00:00", "20:00:00"]]]]
      ],
    ]
    if let rule {
      resource["extension"] = [
        [
          "url": "urn:regimen:after-miss",
          "extension": [
            ["url": "rule", "valueCode": .string(rule)], ["url": "hours", "valuePositiveInt": 5],
          ],
        ]
      ]
    }
    let created = try await harness.send(
      .post, "/fhir/MedicationRequest", house.token, json: resource)
    #expect(created.status == .created, "\(created.text)")
    let listed = try await house.listed()
    dose = try #require(listed.first?["id"]?.string)
    // The clock begins at 07:00.
    harness.clock.advance(minutes: 210)
  }

  var page: String { "/doses/\(dose)" }

  func take(_ shift: Int64? = nil) async throws -> TestResponse {
    guard let shift else {
      return try await house.browser.post("\(page)/answers", ["action": "taken"])
    }
    return try await house.browser.post(
      "\(page)/answers", ["action": "taken", "shift": String(shift)])
  }

  func decide(_ decision: String, _ shift: Int64?) async throws -> TestResponse {
    try await house.browser.post(
      "\(page)/shift", ["decision": decision, "shift": shift.map { String($0) } ?? ""])
  }

  /// Returns the milliseconds that a page's form promises.
  func promised(_ text: String) -> Int64? {
    text.firstMatch(of: /name="shift" value="(\d+)"/).flatMap { Int64($0.output.1) }
  }

  /// Returns the times of all doses of the day, `15:30`.
  func due() async throws -> [String] {
    try await house.listed().compactMap { dose in
      dose["due"]?.string.map { String($0.dropFirst(11).prefix(5)) }
    }
  }
}

@Suite struct ReschedulingPageTests {
  @Test func `a dose taken late asks on Today and its page to move the next`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      let browser = late.house.browser
      #expect(try await late.take().status == .seeOther)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
      let today = try await browser.open("/").text
      #expect(
        today.contains("Nitrofurantoin: the plan says not to take the next dose before 15:30."))
      #expect(today.contains("15:30 instead of 14:00") && today.contains("20:30 instead of 20:00"))
      let page = try await browser.open(late.page).text
      let promised = try #require(late.promised(page))
      #expect(try await late.decide("moved", promised).status == .seeOther)
      #expect(try await late.due() == ["08:00", "15:30", "20:30"])
      #expect(
        !(try await browser.open("/").text.contains("the plan says not to take the next dose")))
      let moved = try await browser.open(late.page).text
      #expect(moved.contains("The next doses were moved") && moved.contains("Move back"))
      // Posting it again changes nothing.
      #expect(try await late.decide("moved", promised).status == .seeOther)
      #expect(try await late.decide("left", nil).status == .seeOther)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
      #expect(
        try await browser.open(late.page).text.contains("The next doses stay where they are"))
    }
  }

  @Test func `one press logs a dose and moves the next, and undo restores it`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      let browser = late.house.browser
      let page = try await browser.open(late.page).text
      #expect(page.contains("id=\"what-now\""), "\(page)")
      #expect(page.contains("Taken now, move next to 15:30"))
      let today = try await browser.open("/").text
      #expect(today.contains("Taken now, move next to 15:30"))
      #expect(today.contains("#what-now"))
      harness.clock.advance(minutes: 4)
      let promised = try #require(late.promised(page))
      let answer = try await late.take(promised)
      #expect(answer.status == .seeOther)
      // Counted from the real time of the intake.
      #expect(try await late.due() == ["08:00", "15:34", "20:34"])
      let version = try #require(
        try await late.house.listed().first?["version"]?.number?.integer)
      let undo = try await browser.post(
        "\(late.page)/answers", ["action": "undo", "corrects": String(version)])
      #expect(undo.status == .seeOther)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
    }
  }

  @Test func `an outdated page moves nothing that it didn't show`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      let page = try await late.house.browser.open(late.page).text
      let promised = try #require(late.promised(page))
      harness.clock.advance(minutes: 25)
      let answer = try await late.take(promised)
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location]?.hasPrefix(late.page) == true)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
      let stale = try await late.decide("moved", promised)
      #expect(stale.status == .conflict)
      #expect(stale.text.contains("nothing was moved") && stale.text.contains("15:55"))
      #expect(try await late.decide("moved", nil).status == .badRequest)
      #expect(try await late.decide("away", promised).status == .badRequest)
      // Once the next one is due, nothing is proposed, and nothing moves.
      harness.clock.advance(minutes: 185)
      #expect(
        !(try await late.house.browser.open("/").text.contains(
          "the plan says not to take the next dose")))
      #expect(try await late.decide("moved", promised).status == .conflict)
    }
  }

  @Test func `no one else can move doses, and only after an intake`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      let page = try await late.house.browser.open(late.page).text
      let promised = try #require(late.promised(page))
      #expect(try await late.decide("moved", promised).status == .conflict)
      let other = try await harness.session(of: try await harness.makeAccount("Bob"))
      let foreign = try await other.post(
        "\(late.page)/shift", ["decision": "moved", "shift": String(promised)])
      #expect(foreign.status == .notFound)
      let forged = try await late.house.browser.post(
        "\(late.page)/shift", ["decision": "left"], token: "wrong")
      #expect(forged.status == .forbidden)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
    }
  }

  @Test func `without a rule in the plan no time is proposed anywhere`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness, rule: nil)
      let page = try await late.house.browser.open(late.page).text
      #expect(late.promised(page) == nil && !page.contains("instead of"))
      let before = try await harness.send(
        .get, "/api/v1/doses/\(late.dose)/replan", late.house.token
      ).json()
      #expect(before["verdict"]?.string == "ask" && before["moves"]?.array?.isEmpty == true)
      #expect(try await late.take().status == .seeOther)
      #expect(
        !(try await late.house.browser.open("/").text.contains(
          "the plan says not to take the next dose")))
    }
  }

  @Test func `the API gives the same advice, rule by rule`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      let found = try await harness.send(
        .get, "/api/v1/doses/\(late.dose)/replan", late.house.token
      ).json()
      #expect(found["verdict"]?.string == "take-and-move")
      #expect(
        found["moves"]?.array?.compactMap { $0["to"]?.string } == [
          "2026-03-01T15:30:00Z", "2026-03-01T20:30:00Z",
        ] || found["moves"]?.array?.count == 2, "\(found)")
      #expect(found["rules"]?.array?.allSatisfy { $0["against"]?.bool == false } == true)
      let second = try #require(try await late.house.listed().dropFirst().first?["id"]?.string)
      let none = try await harness.send(
        .get, "/api/v1/doses/\(second)/replan", late.house.token
      ).json()
      #expect(none["verdict"]?.string == "none" && none["rules"]?.array?.isEmpty == true)
    }
  }

  @Test func `the simple view and missed doses ask too and return to their page`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      #expect(try await late.take().status == .seeOther)
      for path in ["/simple", "/missed"] {
        let page = try await late.house.browser.open(path).text
        #expect(
          page.contains("Nitrofurantoin: the plan says not to take the next dose before 15:30."))
        #expect(page.contains("name=\"return\" value=\"\(path)\""), "\(path)")
      }
      let promised = try #require(
        late.promised(try await late.house.browser.open("/simple").text))
      #expect(try await late.decide("moved", promised).status == .seeOther)
      for path in ["/simple", "/missed"] {
        let page = try await late.house.browser.open(path).text
        #expect(!page.contains("the plan says not to take the next dose"), "\(path)")
      }
    }
  }

  private static func answer(
    _ late: LateHouse, _ body: JSONValue, token: HTTPFields? = nil
  ) async throws -> TestResponse {
    try await late.harness.send(
      .post, "/api/v1/doses/\(late.dose)/replan", token ?? late.house.token, json: body)
  }

  @Test func `the API moves the proposed doses and undoes it`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      let path = "/api/v1/doses/\(late.dose)/replan"
      let before = try await harness.send(.get, path, late.house.token).json()
      let to = try #require(before["moves"]?.array?.first?["to"])
      let early = try await Self.answer(late, ["decision": "moved", "to": to])
      #expect(early.status == .conflict && early.text.contains("stale"))
      #expect(try await late.take().status == .seeOther)
      let moved = try await Self.answer(late, ["decision": "moved", "to": to])
      #expect(moved.status == .ok, "\(moved.text)")
      #expect(try moved.json()["decision"]?.string == "moved")
      #expect(try moved.json()["made"]?.array?.count == 2)
      #expect(try await late.due() == ["08:00", "15:30", "20:30"])
      let again = try await Self.answer(late, ["decision": "moved", "to": to])
      #expect(again.status == .ok)
      #expect(try await late.due() == ["08:00", "15:30", "20:30"])
      let shown = try await harness.send(.get, path, late.house.token).json()
      #expect(shown["decision"]?.string == "moved" && shown["made"]?.array?.count == 2)
      let left = try await Self.answer(late, ["decision": "left"])
      #expect(try left.json()["decision"]?.string == "left")
      #expect(try left.json()["made"]?.array?.isEmpty == true)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
    }
  }

  @Test(
    arguments: [
      [:], ["decision": "away"], ["decision": "moved"], ["decision": "moved", "to": "soon"],
      ["decision": 1], ["decision": "moved", "to": "2026-03-01T15:30:00"], [],
    ] as [JSONValue])
  func `the API refuses unclear requests and moves nothing`(body: JSONValue) async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness)
      #expect(try await late.take().status == .seeOther)
      let refused = try await Self.answer(late, body)
      #expect(
        [.badRequest, .unprocessableContent].contains(refused.status), "\(refused.text)")
      let elsewhere = try await Self.answer(
        late, ["decision": "moved", "to": "2026-03-01T16:45:00Z"])
      #expect(elsewhere.status == .conflict)
      let other = try await harness.makeAccount("Bob")
      let token = try await harness.token(of: other)
      let foreign = try await Self.answer(late, ["decision": "left"], token: token)
      #expect(foreign.status == .notFound)
      #expect(try await late.due() == ["08:00", "14:00", "20:00"])
    }
  }

  @Test func `a calcium conflict names both rules and offers no button`() async throws {
    try await ServerHarness.run { harness in
      let late = try await LateHouse(harness, name: "Levothyroxine")
      try await late.house.add(
        "Calcium carbonate", dosage: ["timing": ["repeat": ["timeOfDay": ["17:00:00"]]]])
      let page = try await late.house.browser.open(late.page).text
      #expect(page.contains("contradict each other"), "\(page)")
      #expect(page.contains("from Calcium carbonate (planned for 17:00): 15:30 is too close."))
      #expect(page.contains("Source:") && late.promised(page) == nil)
      #expect(try await late.house.browser.open("/").text.contains("contradict each other"))
      #expect(try await late.take().status == .seeOther)
      let asked = try await late.house.browser.open(late.page).text
      #expect(
        asked.contains("we can’t tell when it should be") && asked.contains("Keep as planned"))
      #expect(try await late.decide("left", nil).status == .seeOther)
      #expect(
        !(try await late.house.browser.open("/").text.contains(
          "the plan says not to take the next dose")))
    }
  }
}
