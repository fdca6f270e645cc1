// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import HomeDevices
@testable import Web

/// Devices in the home over HTTP: their pages, their token, and what it opens.
@Suite struct HomeDeviceServerTests {
  private static let events = "/api/v1/home-devices/events"

  /// Adds a pill box over the API and returns its id and the fields of its requests.
  private func add(
    _ ann: Person, meaning: String = "log"
  ) async throws -> (id: String, fields: HTTPFields) {
    let answer = try await ann.post(
      "/api/v1/home-devices",
      [
        "kind": "pill-box", "name": "Kitchen",
        "compartments": [["meaning": .string(meaning)]],
      ])
    #expect(answer.status == .created, "\(answer.text)")
    let json = try answer.json()
    let token = try #require(json["token"]?.string)
    #expect(token.hasPrefix("rgd_"))
    return (try #require(json["id"]?.string), [.authorization: "Bearer \(token)"])
  }

  private func opened(_ sequence: Int) -> JSONValue {
    ["events": [["sequence": .number(JSONNumber(sequence)), "event": "opened"]]]
  }

  @Test func `an opened lid is the dose taken, shown with the device, and undone`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose()
      let (id, device) = try await add(ann)
      harness.clock.advance(minutes: 65)
      let posted = try await harness.send(.post, Self.events, device, json: opened(1))
      #expect(posted.status == .ok, "\(posted.text)")
      #expect(try posted.json()["results"]?[0]?["outcome"]?.string == "logged")
      let listed = try #require(try await ann.doses().first { $0["id"]?.string == dose })
      #expect(listed["state"]?.string == "taken")
      #expect(listed["answer"]?["by"]?.string == "Pill box “Kitchen”")
      let found = try await ann.get("/fhir/MedicationAdministration?device=Device/\(id)")
      #expect(try found.json()["total"]?.number?.integer == 1, "\(found.text)")
      let resource = try await ann.get("/fhir/Device/\(id)")
      #expect(try resource.json()["deviceName"]?[0]?["name"]?.string == "Kitchen")
      let browser = try await harness.session(of: ann.account)
      #expect(try await browser.open("/").text.contains("by Pill box “Kitchen”"))
      let page = try await browser.open("/home-devices/\(id)")
      #expect(page.status == .ok)
      #expect(page.text.contains("Logged as taken"))
      #expect(page.text.contains("/doses/\(dose)/answers"))
      let version = try #require(page.text.firstMatch(of: /name="corrects" value="(\d+)"/)).1
      let undone = try await browser.post(
        "/doses/\(dose)/answers",
        [
          "action": "undo", "corrects": String(version),
          "event": "00000000-0000-4000-8000-000000000001",
        ])
      #expect(undone.status == .seeOther)
      let after = try #require(try await ann.doses().first { $0["id"]?.string == dose })
      #expect(after["state"]?.string == "due")
      #expect(!(try await browser.open("/home-devices/\(id)").text.contains("name=\"corrects\"")))
    }
  }

  @Test func `the pages add, change, turn off and remove a device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let browser = try await harness.session(of: ann.account)
      #expect(try await browser.open("/home-devices").text.contains("No devices yet"))
      #expect(try await browser.open("/home-devices/new").text.contains("Testolol"))
      let made = try await browser.post(
        "/home-devices",
        ["kind": "button", "name": "Bed", "meaning-0": "ask", "plan-0": plan.text])
      #expect(made.status == .ok)
      let token = try #require(made.text.firstMatch(of: /rgd_[A-Za-z0-9_-]{43}/)).0
      let link = try #require(made.text.firstMatch(of: /"\/home-devices\/([0-9a-f-]{36})"/)).1
      let path = "/home-devices/\(link)"
      #expect(!(try await browser.open(path).text.contains("rgd_")))
      let wrong = try await browser.post("/home-devices", ["kind": "button", "name": ""])
      #expect(wrong.status == .unprocessableContent)
      let changed = try await browser.post(
        path,
        [
          "name": "Bedroom", "meaning-0": "note", "compartment-1": "left", "meaning-1": "log",
          "compartment-2": "", "meaning-2": "log",
        ])
      #expect(changed.status == .seeOther)
      let shown = try await browser.open(path).text
      #expect(shown.contains("Bedroom") && shown.contains("value=\"left\""))
      let twice = try await browser.post(
        path,
        [
          "name": "Bedroom", "meaning-0": "note", "compartment-1": "left", "meaning-1": "log",
          "compartment-2": "left", "meaning-2": "log",
        ])
      #expect(twice.status == .unprocessableContent)
      let device: HTTPFields = [.authorization: "Bearer \(token)"]
      #expect(try await harness.send(.post, Self.events, device, json: opened(1)).status == .ok)
      _ = try await browser.post("\(path)/revoke", [:])
      let refused = try await harness.send(.post, Self.events, device, json: opened(2))
      try refused.expectProblem(.unauthorized, "login")
      let renewed = try await browser.post("\(path)/token", [:])
      let other = try #require(renewed.text.firstMatch(of: /rgd_[A-Za-z0-9_-]{43}/)).0
      #expect(
        try await harness.send(
          .post, Self.events, [.authorization: "Bearer \(other)"], json: opened(2)
        ).status == .ok)
      let gone = try await browser.post("\(path)/remove", [:])
      #expect(gone.status == .seeOther)
      #expect(try await browser.open(path).status == .notFound)
    }
  }

  @Test func `only the token of a device reports, and it opens nothing else`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let (id, device) = try await add(ann)
      let strangers: [HTTPFields] = [
        [:], [.authorization: "Bearer rgd_unknown"], [.authorization: "Bearer rgt_unknown"],
        [.authorization: "Basic x"],
      ]
      for fields in strangers {
        try await harness.send(.post, Self.events, fields, json: opened(1))
          .expectProblem(.unauthorized, "login")
      }
      try await harness.send(.post, Self.events, ann.token, json: opened(1))
        .expectProblem(.forbidden, "forbidden")
      let own = "/api/v1/home-devices/registered/\(id)"
      for path in ["/api/v1/doses", "/api/v1/me", "/fhir/Patient", own] {
        #expect(try await harness.send(.get, path, device).status == .unauthorized)
      }
      let revoked = try await harness.send(.delete, own, ann.token)
      #expect(revoked.status == .noContent)
      try await harness.send(.post, Self.events, device, json: opened(1))
        .expectProblem(.unauthorized, "login")
    }
  }

  @Test func `a device of a guardian stops when the guardian may no longer act`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let (_, device) = try await add(ann)
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM grants", [])
      }
      try await harness.send(.post, Self.events, device, json: opened(1))
        .expectProblem(.notFound, "not-found")
    }
  }

  @Test func `a report that is not understood is refused whole`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let (id, device) = try await add(ann)
      let long = String(repeating: "x", count: 41)
      let bodies: [JSONValue] = [
        [:], ["events": []], ["events": "opened"], ["events": [1]],
        ["events": [["sequence": -1, "event": "opened"]]],
        ["events": [["sequence": 1, "event": "exploded"]]],
        try JSONValue(parsing: Array(#"{"events":[{"sequence":1.5,"event":"opened"}]}"#.utf8)),
        ["events": [["sequence": 1, "event": "weight"]]],
        ["events": [["sequence": 1, "event": "battery", "percent": 101]]],
        ["events": [["sequence": 1, "event": "opened", "at": "yesterday"]]],
        ["events": [["sequence": 1, "event": "opened", "secondsAgo": -5]]],
        ["events": [["sequence": 1, "event": "opened", "compartment": .string(long)]]],
        ["events": .array(Array(repeating: ["sequence": 1, "event": "closed"], count: 101))],
        ["events": [["sequence": 1, "event": "opened"], ["sequence": 2, "event": "exploded"]]],
      ]
      for body in bodies {
        let answer = try await harness.send(.post, Self.events, device, json: body)
        #expect(answer.status == .unprocessableContent, "\(body): \(answer.text)")
      }
      let shown = try await ann.get("/api/v1/home-devices/registered/\(id)")
      #expect(try shown.json()["events"]?.array?.isEmpty == true)
    }
  }

  @Test func `a flood is answered with the time to wait`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let (_, device) = try await add(ann, meaning: "note")
      func batch(_ number: Int) -> JSONValue {
        let events = (0..<100).map { index -> JSONValue in
          ["sequence": .number(JSONNumber(number * 100 + index)), "event": "closed"]
        }
        return ["events": .array(events)]
      }
      for number in 0..<6 {
        #expect(
          try await harness.send(.post, Self.events, device, json: batch(number)).status == .ok)
      }
      let refused = try await harness.send(.post, Self.events, device, json: batch(6))
      try refused.expectProblem(.tooManyRequests, "throttled")
      let seconds = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
      #expect((1...61).contains(seconds))
      harness.clock.advance(minutes: 1)
      #expect(try await harness.send(.post, Self.events, device, json: batch(6)).status == .ok)
    }
  }

  @Test func `asking rings, and answering the dose on Today is enough`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose()
      let (_, device) = try await add(ann, meaning: "ask")
      harness.clock.advance(minutes: 10)
      let posted = try await harness.send(.post, Self.events, device, json: opened(1))
      #expect(try posted.json()["results"]?[0]?["outcome"]?.string == "asked")
      let listed = try await ann.get("/api/v1/alarms").json()
      #expect(listed["occasions"]?[0]?["id"]?.string == "home-device.taken.\(dose)")
      let browser = try await harness.session(of: ann.account)
      let alarms = try await browser.open("/alarms")
      #expect(alarms.text.contains("Your pill box was used"))
      let ring = try #require(alarms.text.firstMatch(of: /"(\/ring\/[^"]+)"/)).1
      let page = try await browser.open(String(ring)).text
      #expect(page.contains("\"/doses/\(dose)\"") && page.contains("Close"))
    }
  }
}
