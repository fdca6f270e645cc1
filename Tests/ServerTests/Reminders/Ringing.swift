// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import Operations
@testable import Reminders

extension ServerHarness {
  /// Runs the reminder loop's rounds until nothing is due; returns the messages sent.
  @discardableResult
  func ring() async -> [ClaimedDelivery] {
    var rounds = ReminderRounds(environment: environment)
    let dispatch = ReminderDispatch(environment: environment)
    let replies = ReplyTextDispatch(environment: environment)
    for text in await replies.claim() { await replies.send(text) }
    var claims: [ClaimedDelivery] = []
    while true {
      let round = await rounds.next(places: dispatch.places)
      for claim in round.claims {
        dispatch.places.take(claim.channel)
        await dispatch.deliver(claim)
      }
      claims += round.claims
      guard round.pause == .zero else { return claims }
    }
  }
}

extension Person {
  /// The day of the harness's clock and the next.
  static let days = "from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z"

  /// Adds a device and returns its id.
  func subscribe(_ name: String = "phone") async throws -> String {
    let answer = try await post("/api/v1/push-subscriptions", Self.subscription(name))
    #expect(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json()["id"]?.string)
  }

  static func subscription(_ name: String = "phone") -> JSONValue {
    [
      "endpoint": .string(Outbox.endpoint(name)), "expirationTime": .null, "keys": Outbox.keys,
    ]
  }

  /// Adds a plan with doses at instants.
  func event(_ instants: String..., name: String = "Testolol") async throws -> PlanID {
    try await plan(name, timing: ["event": .array(instants.map(JSONValue.string))])
  }

  func deliveries(_ window: String = Person.days) async throws -> [JSONValue] {
    let answer = try await get("/api/v1/deliveries?\(window)")
    #expect(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.json()["deliveries"]?.array)
  }

  func subscriptions() async throws -> [JSONValue] {
    let answer = try await get("/api/v1/push-subscriptions")
    #expect(answer.status == .ok, "\(answer.text)")
    return try #require(try answer.json()["subscriptions"]?.array)
  }
}
