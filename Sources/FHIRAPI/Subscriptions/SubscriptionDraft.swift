// SPDX-License-Identifier: Apache-2.0

import CareTeam
import FHIR
import HTTPTypes
import Identifiers
import Storage
import Web

extension EventTopic {
  /// The canonical address of the topic.
  var canonical: String { "urn:regimen:topic:\(rawValue)" }

  /// Creates the topic with a canonical address; nil for any other text.
  init?(canonical: String) {
    guard let topic = Self.allCases.first(where: { $0.canonical == canonical }) else { return nil }
    self = topic
  }

  /// The type of the resources that its events are about.
  var focus: ResourceType {
    switch self {
    case .prescription, .missedDose: .medicationRequest
    case .administration: .medicationAdministration
    case .heartRateWarning: .patient
    }
  }

  /// The resource whose reading its events require.
  var resource: String {
    switch self {
    case .prescription: "MedicationRequest"
    case .administration: "MedicationAdministration"
    case .missedDose: "Dose"
    case .heartRateWarning: "Observation"
    }
  }

  /// True if its events come from changes of resources, not from the clock.
  var isOfChanges: Bool { self == .prescription || self == .administration }
}

/// The extensions of the subscriptions backport.
enum SubscriptionBackport {
  private static let base = "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition/"
  static let filter = base + "backport-filter-criteria"
  static let content = base + "backport-payload-content"
  static let heartbeat = base + "backport-heartbeat-period"
  static let timeout = base + "backport-timeout"
  static let maximum = base + "backport-max-count"
  static let notificationProfile = base + "backport-subscription-notification-r4"
  static let statusProfile = base + "backport-subscription-status-r4"
  /// The secret with which notifications are signed, as this server adds it to the channel.
  static let secret = "urn:regimen:webhook-secret"

  /// Returns the values of all extensions of an element with an address.
  static func values(_ element: JSONValue?, _ url: String) -> [JSONValue] {
    (element?["extension"]?.array ?? []).filter { $0["url"]?.string == url }
      .compactMap { $0.object?.first { $0.key.hasPrefix("value") }?.value }
  }
}

/// The content of a Subscription as a client asks for it.
struct SubscriptionDraft: Sendable {
  /// The part of the resources that notifications contain.
  enum Content: String, Sendable, Hashable, CaseIterable {
    case empty
    case idOnly = "id-only"
    case full = "full-resource"
  }

  /// The most events in one notification.
  static let mostEvents = 20
  static let timeouts = 1...60
  static let heartbeats: ClosedRange<Int64> = 60...604_800

  let topic: EventTopic
  /// The conditions on the resource that an event is about.
  let filters: [SearchCriterion]
  let endpoint: String
  let headers: [(String, String)]
  let content: Content
  let heartbeat: Int64?
  let timeout: Int?
  let maximum: Int
  let ends: Timestamp?
  /// True if the client wants no notifications.
  let isOff: Bool

  /// Reads a Subscription that follows the tables of R4.
  ///
  /// - Parameter base: The address of the FHIR API, for references in filters.
  /// - Throws: The failure 422 with the element that cannot be used.
  init(_ resource: JSONValue, base: String) throws {
    let channel = resource["channel"]
    guard channel?["type"]?.string == "rest-hook" else {
      throw Self.wrong(
        "channel.type", .notSupported, "Only channels of the type rest-hook are supported.")
    }
    guard let endpoint = channel?["endpoint"]?.string, !endpoint.isEmpty else {
      throw Self.wrong("channel.endpoint", .required, "A rest-hook channel needs an endpoint.")
    }
    self.endpoint = endpoint
    if let payload = channel?["payload"]?.string, payload != FHIRFormat.json.mediaType {
      throw Self.wrong(
        "channel.payload", .notSupported, "Notifications are sent as application/fhir+json.")
    }
    (topic, filters) = try SubscriptionCriteria.read(resource, base: base)
    headers = try SubscriptionHeaders.read(channel?["header"]?.array ?? [])
    content = try Self.content(channel?["_payload"])
    if content == .full, !endpoint.lowercased().hasPrefix("https://") {
      throw Self.wrong(
        "channel.endpoint", .businessRule, "Resources are only sent to an https address.")
    }
    heartbeat = try Self.number(channel, SubscriptionBackport.heartbeat, in: Self.heartbeats)
    timeout = try Self.number(
      channel, SubscriptionBackport.timeout,
      in: Int64(Self.timeouts.lowerBound)...Int64(Self.timeouts.upperBound)
    ).map { Int($0) }
    maximum = min(
      try Self.number(channel, SubscriptionBackport.maximum, in: 1...Int64(Int32.max))
        .map { Int($0) } ?? Self.mostEvents, Self.mostEvents)
    ends = resource["end"]?.string.flatMap { FHIRDateTime($0) }?.epochMilliseconds
      .map { Timestamp(milliseconds: $0) }
    isOff = resource["status"]?.string == "off"
  }

  private static func content(_ payload: JSONValue?) throws -> Content {
    guard let value = SubscriptionBackport.values(payload, SubscriptionBackport.content).first
    else { return .idOnly }
    guard let content = value.string.flatMap(Content.init(rawValue:)) else {
      throw wrong(
        "channel.payload.extension", .value, "The content is empty, id-only or full-resource.")
    }
    return content
  }

  private static func number(
    _ channel: JSONValue?, _ url: String, in range: ClosedRange<Int64>
  ) throws -> Int64? {
    guard let value = SubscriptionBackport.values(channel, url).first else { return nil }
    guard let number = value.number?.integer, range.contains(Int64(number)) else {
      throw wrong(
        "channel.extension", .value,
        "Extension \(url): the number must be \(range.lowerBound) to \(range.upperBound).")
    }
    return Int64(number)
  }

  /// Returns the failure 422 about an element of a Subscription.
  static func wrong(
    _ element: String, _ code: FHIRIssueCode, _ diagnostics: String
  ) -> Failure {
    .element(.unprocessableContent, code, "Subscription.\(element)", diagnostics)
  }

  /// Returns true if a resource meets all conditions.
  func matches(_ resource: JSONValue, record: SearchedRecord) -> Bool {
    guard !filters.isEmpty else { return true }
    let index = SearchIndex(of: resource, type: topic.focus)
    return filters.allSatisfy { index.matches($0, record: record) ?? false }
  }
}

/// Reads the header fields that a Subscription adds to its notifications.
enum SubscriptionHeaders {
  private static let most = 10
  /// Fields that the server sets itself.
  private static let own: Set<String> = [
    "connection", "content-length", "content-type", "host", "transfer-encoding", "webhook-id",
    "webhook-signature", "webhook-timestamp",
  ]

  /// Returns the names and values; throws the failure 422 for a field that cannot be sent.
  static func read(_ lines: [JSONValue]) throws -> [(String, String)] {
    guard lines.count <= most else {
      throw SubscriptionDraft.wrong(
        "channel.header", .tooCostly, "There can be at most \(most) header fields.")
    }
    return try lines.enumerated().map { index, line in
      let parts = (line.string ?? "").split(
        separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, isName(parts[0]), !own.contains(parts[0].lowercased()),
        parts[1].utf8.count <= 4_096, parts[1].utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
      else {
        throw SubscriptionDraft.wrong(
          "channel.header[\(index)]", .value,
          "Write a header field as Name: value. Some names are reserved.")
      }
      return (String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }
}
