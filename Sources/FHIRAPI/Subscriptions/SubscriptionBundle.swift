// SPDX-License-Identifier: Apache-2.0

import CareTeam
import FHIR
import Identifiers
import Storage
import Web

/// The status of a subscription as Parameters, and the Bundles that contain it, in the R4 form of the backport.
struct SubscriptionBundle: Sendable {
  /// The reason for a status.
  enum Kind: String, Sendable, Hashable {
    case handshake, heartbeat
    case events = "event-notification"
    case queryStatus = "query-status"
    case queryEvents = "query-event"
  }

  /// An event with the resource that it is about.
  struct Event: Sendable {
    let notification: EventNotification
    /// The resource; nil if the content has none, or if it was deleted.
    var resource: JSONValue?
  }

  /// The address of the FHIR API.
  let base: String
  let subscription: EventSubscription
  let kind: Kind
  let content: SubscriptionDraft.Content
  var events: [Event] = []

  /// The relative address of the subscription.
  private var place: String { "Subscription/\(subscription.id.text)" }

  /// The state that the receiver should see: a notification that arrives makes it active.
  private var state: String {
    kind == .events || kind == .heartbeat ? "active" : subscription.state.rawValue
  }

  /// Returns the status.
  func status(id: String) -> JSONValue {
    var parameters: [JSONValue] = [
      [
        "name": "subscription",
        "valueReference": ["reference": .string("\(base)/\(place)")],
      ],
      ["name": "topic", "valueCanonical": .string(subscription.topic.canonical)],
      ["name": "status", "valueCode": .string(state)],
      ["name": "type", "valueCode": .string(kind.rawValue)],
      [
        "name": "events-since-subscription-start",
        "valueString": .string(String(subscription.events)),
      ],
    ]
    parameters += events.map { event in
      ["name": "notification-event", "part": .array(parts(of: event.notification))]
    }
    if let trouble = subscription.trouble {
      parameters.append([
        "name": "error",
        "valueCodeableConcept": [
          "coding": [["system": "urn:regimen:subscription-error", "code": .string(trouble)]],
          "text": .string(EventSubscription.text(of: trouble)),
        ],
      ])
    }
    return [
      "resourceType": "Parameters", "id": .string(id),
      "meta": ["profile": [.string(SubscriptionBackport.statusProfile)]],
      "parameter": .array(parameters),
    ]
  }

  private func parts(of event: EventNotification) -> [JSONValue] {
    var parts: [JSONValue] = [
      ["name": "event-number", "valueString": .string(String(event.number))],
      ["name": "timestamp", "valueInstant": .string(UTC.text(event.happened))],
    ]
    if content != .empty {
      parts.append([
        "name": "focus",
        "valueReference": ["reference": .string("\(base)/\(event.type)/\(event.id)")],
      ])
    }
    return parts
  }

  /// Returns the Bundle of a notification, or of the events that a client asked for.
  ///
  /// - Parameters:
  ///   - id: The id of the Bundle, the same for every attempt.
  ///   - statusID: The id of the status.
  func history(id: String, statusID: String, at now: Timestamp) -> JSONValue {
    var entries: [JSONValue] = [
      [
        "fullUrl": .string("urn:uuid:\(statusID)"), "resource": status(id: statusID),
        "request": ["method": "GET", "url": .string("\(place)/$status")],
        "response": ["status": "200"],
      ]
    ]
    if content != .empty {
      var known: Set<String> = []
      // The last of several events about one resource has the current content.
      for event in events.reversed() {
        let place = "\(event.notification.type)/\(event.notification.id)"
        guard known.insert(place).inserted else { continue }
        entries.append(entry(event, place))
      }
    }
    return [
      "resourceType": "Bundle", "id": .string(id),
      "meta": ["profile": [.string(SubscriptionBackport.notificationProfile)]],
      "type": "history", "timestamp": .string(UTC.text(now)), "entry": .array(entries),
    ]
  }

  private func entry(_ event: Event, _ place: String) -> JSONValue {
    let isNew = event.notification.version == 1 && subscription.topic.isOfChanges
    var entry: JSONValue = ["fullUrl": .string("\(base)/\(place)")]
    entry["resource"] = event.resource
    let request: JSONValue = [
      "method": .string(isNew ? "POST" : "PUT"),
      "url": .string(isNew ? event.notification.type : place),
    ]
    let response: JSONValue = ["status": .string(isNew ? "201" : "200")]
    entry["request"] = request
    entry["response"] = response
    return entry
  }

  /// Returns the Bundle that answers `$status`.
  func search(statusID: String) -> JSONValue {
    [
      "resourceType": "Bundle", "type": "searchset", "total": 1,
      "entry": [
        [
          "fullUrl": .string("urn:uuid:\(statusID)"), "resource": status(id: statusID),
          "search": ["mode": "match"],
        ]
      ],
    ]
  }
}
