// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import FHIRAPI
@testable import Web

/// Subscriptions of connected apps, and subscriptions as entries of Bundles.
@Suite struct SubscriptionAppTests {
  private static let all = "patient/Subscription.cruds patient/MedicationRequest.rs"

  /// Returns the owner of an app's token with the token of the app.
  private static func app(
    _ house: AppHouse, _ scopes: String, grant id: AppGrantID = "g1"
  ) async throws -> Person {
    let (environment, now) = (house.harness.environment, house.harness.clock.now)
    let grant = AppGrant(
      id: id, app: AppID(house.app), account: house.account.id, patient: house.account.patient,
      scopes: SMARTScopes(parsing: scopes), created: now,
      expires: now.adding(milliseconds: 30 * 86_400_000))
    let issued = try await environment.database.write { writer in
      try environment.accounts.issue(
        backend: grant, random: environment.random, at: now, in: writer)
    }
    return Person(
      harness: house.harness, account: house.account,
      token: [.authorization: "Bearer \(issued.access.text)"])
  }

  private static func owner(_ house: AppHouse) async throws -> Person {
    Person(
      harness: house.harness, account: house.account,
      token: try await house.harness.token(of: house.account))
  }

  @Test func `an app is notified until its access ends`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let app = try await Self.app(house, Self.all)
      let id = try await app.activate(app.subscription())
      // The access token is long expired by then.
      harness.clock.advance(minutes: 180)
      let owner = try await Self.owner(house)
      let plan = try await owner.plan()
      await harness.notify()
      #expect(
        try harness.notifications.last?.notifiedEvents == ["1 MedicationRequest/\(plan)"])
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let isEnded = try await harness.environment.database.write { writer in
        try accounts.endAppGrant("g1", of: house.account.id, at: now, in: writer)
      }
      #expect(isEnded)
      let count = harness.outbox.webhooks.count
      _ = try await owner.plan("Otherol")
      harness.clock.advance(minutes: 1)
      await harness.notify()
      await harness.notify()
      #expect(harness.outbox.webhooks.count == count)
      #expect(try await owner.state(of: id) == "off")
    }
  }

  @Test(arguments: [
    ("patient/MedicationRequest.rs?status=active", true),
    ("patient/MedicationRequest.rs?status=on-hold", false),
  ])
  func `the scopes limit what is notified`(scope: String, isTold: Bool) async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let app = try await Self.app(house, "patient/Subscription.crs \(scope)")
      _ = try await app.activate(app.subscription())
      _ = try await Self.owner(house).plan()
      await harness.notify()
      #expect(harness.outbox.webhooks.count == (isTold ? 2 : 1))
    }
  }

  @Test func `an app needs the scopes, and knows only its own subscriptions`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      for (index, scopes) in [
        "patient/MedicationRequest.rs", "patient/Subscription.rs patient/MedicationRequest.rs",
        "patient/Subscription.cruds", "patient/Subscription.cruds patient/Observation.rs",
      ].enumerated() {
        let app = try await Self.app(house, scopes, grant: AppGrantID("few-\(index)"))
        try await app.post("/fhir/Subscription", app.subscription()).expectOutcome(.forbidden)
      }
      let app = try await Self.app(house, Self.all)
      let id = try await app.subscribe(app.subscription())
      let other = try await Self.app(house, Self.all, grant: "g2")
      try await other.get("/fhir/Subscription/\(id)").expectOutcome(.notFound)
      try await other.delete("/fhir/Subscription/\(id)").expectOutcome(.notFound)
      #expect(try await other.count("/fhir/Subscription") == 0)
      #expect(try await app.count("/fhir/Subscription") == 1)
      // The person sees what apps of theirs are told.
      let owner = try await Self.owner(house)
      #expect(try await owner.count("/fhir/Subscription") == 1)
      #expect(try await owner.delete("/fhir/Subscription/\(id)").status == .noContent)
    }
  }

  @Test func `a subscription is an entry of a transaction`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let wrong: JSONValue = ["resourceType": "Condition"]
      let subscription = BundleEntryForm.entry("POST", "Subscription", ann.subscription())
      let failed = try await ann.bundle(
        "transaction", [subscription, BundleEntryForm.entry("POST", "Condition", wrong)])
      #expect(failed.status == .unprocessableContent, "\(failed.text)")
      #expect(try await ann.count("/fhir/Subscription") == 0)
      let condition = BundleEntryForm.entry("POST", "Condition", ann.condition("Gout"))
      let made = try await ann.bundle(
        "transaction", [subscription, condition], [.prefer: "return=representation"])
      #expect(made.status == .ok, "\(made.text)")
      let entry = try made.json()["entry"]?[0]
      let id = try #require(entry?["resource"]?["id"]?.string)
      #expect(
        entry?["response"]?["location"]?.string == "http://localhost/fhir/Subscription/\(id)")
      #expect(try await ann.count("/fhir/Subscription") == 1)

      var changed = ann.subscription("urn:regimen:topic:administration")
      changed["id"] = .string(id)
      let stale = BundleEntryForm.entry(
        "PUT", "Subscription/\(id)", changed, when: [("ifMatch", #"W/"7""#)])
      try await ann.bundle("transaction", [stale]).expectOutcome(.preconditionFailed)
      let rest = try await ann.bundle(
        "batch",
        [
          BundleEntryForm.entry("PUT", "Subscription/\(id)", changed),
          BundleEntryForm.entry("GET", "Subscription/\(id)"),
          BundleEntryForm.entry("PUT", "Subscription?status=active", changed),
          BundleEntryForm.entry("DELETE", "Subscription/unknown"),
          BundleEntryForm.entry(
            "POST", "Subscription", ann.subscription(), when: [("ifNoneExist", "status=active")]),
        ]
      ).json()
      let statuses = (rest["entry"]?.array ?? []).map {
        String(($0["response"]?["status"]?.string ?? "").prefix(3))
      }
      #expect(statuses == ["200", "200", "400", "404", "400"])
      #expect(
        rest["entry"]?[1]?["resource"]?["criteria"] == "urn:regimen:topic:administration")
      let gone = BundleEntryForm.entry("DELETE", "Subscription/\(id)")
      #expect(try await ann.bundle("transaction", [gone]).status == .ok)
      #expect(try await ann.count("/fhir/Subscription") == 0)
    }
  }

  @Test func `a kept answer of a Bundle has no secret`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let headers: HTTPFields = [.idempotencyKey: "k1", .prefer: "return=representation"]
      let entry = BundleEntryForm.entry("POST", "Subscription", ann.subscription())
      for _ in 1...2 {
        let answer = try await ann.bundle("transaction", [entry], headers)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(!answer.text.contains("webhook-secret"))
      }
      #expect(try await ann.count("/fhir/Subscription") == 1)
    }
  }
}
