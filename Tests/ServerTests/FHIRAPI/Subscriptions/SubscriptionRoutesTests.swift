// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import FHIRAPI

@Suite struct SubscriptionRoutesTests {
  @Test func `a subscription is read as it was sent, with its state and version`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let created = try await ann.post("/fhir/Subscription", ann.subscription())
      #expect(created.status == .created)
      let id = try #require(try created.json()["id"]?.string)
      #expect(created.headers[.location]?.hasSuffix("/fhir/Subscription/\(id)") == true)
      let read = try await ann.get("/fhir/Subscription/\(id)")
      #expect(read.headers[.eTag] == "W/\"1\"")
      let json = try read.json()
      #expect(json["status"]?.string == "requested")
      #expect(json["criteria"]?.string == "urn:regimen:topic:prescription")
      #expect(json["channel"]?["endpoint"]?.string == Person.hook)
      #expect(json["meta"]?["versionId"]?.string == "1")
      let cached = try await ann.get("/fhir/Subscription/\(id)", [.ifNoneMatch: "W/\"1\""])
      #expect(cached.status == .notModified)
    }
  }

  @Test func `a change needs the version that was seen, and a deletion ends it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      let place = "/fhir/Subscription/\(id)"
      var changed = ann.subscription("MedicationAdministration")
      changed["id"] = .string(id)
      let outdated = try await ann.put(place, changed, [.ifMatch: "W/\"1\""])
      #expect(outdated.status == .preconditionFailed)
      let put = try await ann.put(place, changed, [.ifMatch: "W/\"2\""])
      #expect(put.status == .ok, "\(put.text)")
      #expect(try put.json()["status"]?.string == "requested")
      changed["id"] = "other"
      #expect(try await ann.put(place, changed).status == .badRequest)
      #expect(try await ann.delete(place).status == .noContent)
      #expect(try await ann.get(place).status == .notFound)
      #expect(try await ann.delete(place).status == .notFound)
      _ = try await ann.plan()
      await harness.notify()
      #expect(harness.outbox.webhooks.count == 1)
    }
  }

  @Test func `a subscription that is turned off gets nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var resource = ann.subscription()
      resource["status"] = "off"
      let id = try await ann.subscribe(resource)
      _ = try await ann.plan()
      await harness.notify()
      #expect(harness.outbox.webhooks.isEmpty)
      #expect(try await ann.state(of: id) == "off")
    }
  }

  @Test(
    arguments: [
      ("urn:regimen:topic:unknown", nil), ("Observation?code=a", nil),
      ("MedicationRequest?colour=red", nil), ("MedicationRequest?patient.name=Ann", nil),
      ("MedicationRequest?_count=2", nil), ("MedicationRequest?status=%zz", nil),
      ("MedicationRequest?=active", nil),
      ("urn:regimen:topic:prescription", "MedicationRequest?status=%ff"),
      ("urn:regimen:topic:administration", "MedicationRequest?status=active"),
    ] as [(String, String?)])
  func `criteria that cannot be followed are refused`(
    criteria: String, filter: String?
  ) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.post(
        "/fhir/Subscription", ann.subscription(criteria, filter: filter))
      #expect(answer.status == .unprocessableContent, "\(answer.text)")
      #expect(answer.text.contains("Subscription.criteria"))
    }
  }

  @Test func `a channel that cannot be used is refused`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var websocket = ann.subscription()
      websocket["channel"] = ["type": "websocket"]
      var header = ann.subscription()
      var channel = try #require(header["channel"])
      channel["header"] = ["Host: elsewhere.example.org"]
      header["channel"] = channel
      let wrong = [
        websocket, header, ann.subscription(endpoint: "http://program.example.org/"),
        ann.subscription(content: "full-resource", endpoint: "http://program.example.org/"),
        ann.subscription(endpoint: "https://10.0.0.1/"), ann.subscription(content: "everything"),
        ann.subscription(heartbeat: 1), ann.subscription(end: "2026-02-28T00:00:00Z"),
      ]
      for resource in wrong {
        let answer = try await ann.post("/fhir/Subscription", resource)
        #expect(answer.status == .unprocessableContent, "\(answer.text)")
      }
    }
  }

  @Test func `only events that meet the filter follow`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.activate(ann.subscription(filter: "MedicationRequest?status=stopped"))
      var plan = ann.request("Testolol", id: "mine")
      #expect(try await ann.put("/fhir/MedicationRequest/mine", plan).status == .created)
      await harness.notify()
      #expect(harness.outbox.webhooks.count == 1)
      harness.clock.advance(minutes: 1)
      plan["status"] = "stopped"
      #expect(try await ann.put("/fhir/MedicationRequest/mine", plan).status == .ok)
      await harness.notify()
      #expect(try harness.notifications.last?.notifiedEvents == ["1 MedicationRequest/mine"])
    }
  }

  @Test func `the status and the events can be read`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      let (first, second) = (try await ann.plan("Firstol"), try await ann.plan("Secondol"))
      await harness.notify()
      let status = try await ann.get("/fhir/Subscription/\(id)/$status").json()
      #expect(status["type"]?.string == "searchset")
      #expect(status.notificationType == "query-status")
      let events = try await ann.get("/fhir/Subscription/\(id)/$events").json()
      #expect(events.notificationType == "query-event")
      #expect(
        Set(events.notifiedEvents.map { $0.dropFirst(2) })
          == ["MedicationRequest/\(first)", "MedicationRequest/\(second)"])
      let later = try await ann.get(
        "/fhir/Subscription/\(id)/$events?eventsSinceNumber=2&content=empty"
      ).json()
      #expect(later.notifiedEvents == ["2"])
      let wrong = try await ann.get("/fhir/Subscription/\(id)/$events?content=all")
      #expect(wrong.status == .badRequest)
    }
  }

  @Test func `an account has a limited number of subscriptions`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      for _ in 0..<SubscriptionHandler.most { _ = try await ann.subscribe(ann.subscription()) }
      let answer = try await ann.post("/fhir/Subscription", ann.subscription())
      #expect(answer.status == .unprocessableContent)
    }
  }
}
