// SPDX-License-Identifier: Apache-2.0

import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing

@testable import FHIRAPI
@testable import Web

/// Subscriptions as programs send them, and the notifications that they get.
extension Person {
  static let hook = "https://program.example.org/hook"

  /// Returns a Subscription with the extensions of the backport.
  func subscription(
    _ criteria: String = "urn:regimen:topic:prescription", filter: String? = nil,
    content: String? = nil, endpoint: String = Person.hook, heartbeat: Int? = nil,
    end: String? = nil
  ) -> JSONValue {
    var channel: JSONValue = [
      "type": "rest-hook", "endpoint": .string(endpoint), "payload": "application/fhir+json",
      "header": ["Authorization: Bearer of-the-program"],
    ]
    if let content {
      channel["_payload"] = [
        "extension": [
          ["url": .string(SubscriptionBackport.content), "valueCode": .string(content)]
        ]
      ]
    }
    if let heartbeat {
      channel["extension"] = [
        [
          "url": .string(SubscriptionBackport.heartbeat),
          "valueUnsignedInt": .number(JSONNumber(heartbeat)),
        ]
      ]
    }
    var resource: JSONValue = [
      "resourceType": "Subscription", "status": "requested", "reason": "A test",
      "criteria": .string(criteria), "channel": channel,
    ]
    if let filter {
      resource["_criteria"] = [
        "extension": [
          ["url": .string(SubscriptionBackport.filter), "valueString": .string(filter)]
        ]
      ]
    }
    resource["end"] = end.map(JSONValue.string)
    return resource
  }

  /// Posts a Subscription and returns its id.
  func subscribe(_ resource: JSONValue) async throws -> String {
    let answer = try await post("/fhir/Subscription", resource)
    #expect(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json()["id"]?.string)
  }

  /// Posts a Subscription, lets its handshake succeed, and returns its id.
  func activate(_ resource: JSONValue) async throws -> String {
    let id = try await subscribe(resource)
    await harness.notify()
    #expect(try await state(of: id) == "active")
    return id
  }

  func state(of subscription: String) async throws -> String? {
    try await get("/fhir/Subscription/\(subscription)").json()["status"]?.string
  }
}

extension ServerHarness {
  /// Does everything that is due for subscriptions.
  func notify() async {
    await SubscriptionService(environment: environment).round()
  }

  /// The notifications that were sent, each as its Bundle.
  var notifications: [JSONValue] {
    get throws { try outbox.webhooks.map { try JSONValue(parsing: $0.body) } }
  }
}

extension JSONValue {
  /// The Parameters of a notification.
  var subscriptionStatus: [JSONValue] { self["entry"]?[0]?["resource"]?["parameter"]?.array ?? [] }

  /// The type of a notification.
  var notificationType: String? {
    subscriptionStatus.first { $0["name"]?.string == "type" }?["valueCode"]?.string
  }

  /// The events of a notification: the number and the focus of each.
  var notifiedEvents: [String] {
    subscriptionStatus.filter { $0["name"]?.string == "notification-event" }.map { event in
      let parts = event["part"]?.array ?? []
      let number = parts.first { $0["name"]?.string == "event-number" }?["valueString"]?.string
      let focus = parts.first { $0["name"]?.string == "focus" }?["valueReference"]?["reference"]?
        .string
      let place = focus?.split(separator: "/").suffix(2).joined(separator: "/")
      return [number ?? "", place].compactMap(\.self).joined(separator: " ")
    }
  }
}
