// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct AsNeededPageTests {
  /// Adds a medicine with the form of the pages.
  private func add(_ house: DoseHouse, _ more: [String: String] = [:]) async throws
    -> TestResponse
  {
    var fields = [
      "name": "Paracetamol", "form": "tablet", "strength-unit": "mg", "dose-value": "1",
      "schedule": "as-needed", "need": "Headache", "gap": "4", "most-doses": "2",
      "start": "2026-03-01", "policy": "follow",
    ]
    fields.merge(more) { $1 }
    return try await house.browser.submit(
      "/medicines/new/details", fields.map { ($0.key, $0.value) })
  }

  @Test func `an as-needed medicine is added, taken, questioned and counted`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let added = try await add(house)
      #expect(added.status == .seeOther, "\(added.text)")
      let plan = try #require(
        added.headers[.location]?.firstMatch(of: /medicines\/([^?]+)/)?.output.1)
      #expect(try await house.browser.open("/medicines/\(plan)").text.contains("At most 2 doses"))
      #expect(try await house.browser.open("/medicines").text.contains("Headache") == false)
      let page = try await house.browser.open("/as-needed").text
      #expect(page.contains("At least 4 hours between doses"))
      #expect(page.contains("2 more doses are within the limits."))
      let taken = try await house.browser.post(
        "/as-needed/\(plan)", ["reason": "Headache", "event": harness.environment.newIdentifier()])
      let target = try #require(taken.headers[.location], "\(taken.text)")
      #expect(target.hasPrefix("/as-needed?done=entry&entry="))
      #expect(try await house.browser.open(target).text.contains("Logged."))
      // Too soon: Today and the page show the earliest time, and a question comes before it is
      // recorded.
      #expect(try await house.browser.open("/").text.contains("Next from 11:00"))
      let question = try await house.browser.post("/as-needed/\(plan)", [:])
      #expect(question.status == .conflict && question.text.contains("Taken a short time ago"))
      harness.clock.advance(minutes: 250)
      #expect(
        try await house.browser.open("/as-needed").text.contains("the last one within the limits"))
      #expect(try await house.browser.post("/as-needed/\(plan)", [:]).status == .seeOther)
      harness.clock.advance(minutes: 250)
      let beyond = try await house.browser.post("/as-needed/\(plan)", [:])
      #expect(beyond.status == .conflict && beyond.text.contains("This one makes 3 doses."))
      let asked = beyond.text.matches(of: /name="confirm" value="([^"]+)"/).map {
        ("confirm", String($0.output.1))
      }
      #expect(asked.count == 3)
      let recorded = try await house.browser.submit("/as-needed/\(plan)", asked)
      #expect(recorded.status == .seeOther, "\(recorded.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 3)
    }
  }

  @Test func `the API asks with the limits and records confirmed intakes`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let added = try await add(house, ["most-doses": "1", "gap": ""])
      let plan = try #require(
        added.headers[.location]?.firstMatch(of: /medicines\/([^?]+)/)?.output.1)
      func take(_ confirm: Bool) async throws -> TestResponse {
        try await harness.send(
          .post, "/api/v1/administrations", house.token,
          json: [
            "medicine": .string(String(plan)), "at": "2026-03-01T06:30:00Z", "taken": true,
            "confirm": .bool(confirm),
          ])
      }
      #expect(try await take(false).status == .created)
      let asked = try await take(false)
      #expect(asked.status == .conflict)
      let problem = try asked.json()
      #expect(problem["code"]?.string == "confirm")
      #expect(problem["limits"]?[0]?["limit"]?.string == "doses")
      #expect(problem["limits"]?[0]?["reached"]?.number?.integer == 2)
      #expect(problem["taken"]?.array?.count == 1)
      #expect(try await take(true).status == .created)
    }
  }

  @Test func `a plan above its own maximum is refused with both lines`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let refused = try await add(house, ["dose-value": "3", "most-amount": "2"])
      #expect(refused.status == .unprocessableContent)
      #expect(
        refused.text.contains("“3 tablets each time” and “No more than 2 tablets in 24 hours”"))
    }
  }
}

extension Browser {
  /// Posts a form with fields that are built at run time.
  fileprivate func submit(_ address: String, _ fields: [(String, String)]) async throws
    -> TestResponse
  {
    let body = (fields + [(ForgeryGuard.field, formToken)])
      .map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }.joined(separator: "&")
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: .init(string: body))
  }
}
