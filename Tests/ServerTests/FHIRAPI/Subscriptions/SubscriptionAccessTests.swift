// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

@Suite struct SubscriptionAccessTests {
  @Test func `a program is told of its own patients only, a system of all`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let system = try await Person.make(harness, "Sys").asSystem()
      _ = try await bob.activate(bob.subscription(endpoint: "https://bob.example.org/"))
      _ = try await system.activate(system.subscription(endpoint: "https://sys.example.org/"))
      let plan = try await ann.plan()
      await harness.notify()
      let sent = harness.outbox.webhooks.dropFirst(2)
      #expect(sent.map(\.address) == ["https://sys.example.org/"])
      #expect(
        try harness.notifications.last?.notifiedEvents == ["1 MedicationRequest/\(plan)"])
    }
  }

  @Test func `access is decided again when a notification is sent`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription())
      let now = harness.clock.now
      _ = try await ann.plan()
      try await harness.environment.database.write { writer in
        _ = try SubscriptionPlanner.planChanges(
          accounts: harness.environment.accounts, base: "https://here/fhir", at: now, in: writer)
        try writer.execute("DELETE FROM grants WHERE account = $1", [.text(ann.account.id)])
      }
      await harness.notify()
      #expect(harness.outbox.webhooks.count == 1)
      // The event is done: it is not kept for a later right.
      let status = try await ann.get("/fhir/Subscription/\(id)/$events").json()
      #expect(status.notifiedEvents.isEmpty)
    }
  }

  @Test func `a subscription ends in error with its token`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.activate(ann.subscription(heartbeat: 60))
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM tokens WHERE account = $1", [.text(ann.account.id)])
      }
      harness.environment.sessions.forget()
      harness.clock.advance(minutes: 2)
      await harness.notify()
      #expect(harness.outbox.webhooks.count == 1)
      let again = Person(
        harness: harness, account: ann.account, token: try await harness.token(of: ann.account))
      let read = try await again.get("/fhir/Subscription/\(id)").json()
      #expect(read["status"]?.string == "error")
      #expect(read["error"]?.string?.contains("token") == true)
    }
  }

  @Test func `another account neither sees nor changes a subscription`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob").asSystem()
      let id = try await ann.subscribe(ann.subscription())
      let place = "/fhir/Subscription/\(id)"
      #expect(try await bob.get(place).status == .notFound)
      #expect(try await bob.get("\(place)/$status").status == .notFound)
      #expect(try await bob.get("\(place)/$events").status == .notFound)
      var changed = ann.subscription()
      changed["id"] = .string(id)
      #expect(try await bob.put(place, changed).status == .notFound)
      #expect(try await bob.delete(place).status == .notFound)
      #expect(try await bob.get("/fhir/Subscription").json()["total"]?.number?.integer == 0)
      #expect(try await ann.get("/fhir/Subscription").json()["total"]?.number?.integer == 1)
    }
  }

  @Test func `a session and a token that only reads make none`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let bySession = try await harness.send(
        .post, "/fhir/Subscription", browser.headers, json: ann.subscription())
      #expect(bySession.status == .forbidden)
      let reading = Person(
        harness: harness, account: ann.account,
        token: try await harness.token(of: ann.account, scope: .userReading))
      let byReader = try await reading.post("/fhir/Subscription", ann.subscription())
      #expect(byReader.status == .forbidden)
    }
  }
}
