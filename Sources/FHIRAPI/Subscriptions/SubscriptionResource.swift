// SPDX-License-Identifier: Apache-2.0

import CareTeam
import FHIR
import Identifiers
import Storage
import Web

/// The reasons why a notification did not arrive, which are stored by their code.
enum SubscriptionTrouble: String, Sendable, Hashable, CaseIterable {
  case tokenEnded = "token-ended"
  case unusable
  case notAllowed = "not-allowed"
  case refused
  case rateLimited = "rate-limited"
  case service
  case timeout
  case connection
  case tls
  case resolution
  case circuitOpen = "circuit-open"
  case stopped

  /// The text for `Subscription.error`.
  var text: String {
    switch self {
    case .tokenEnded: "The token of the subscription has ended. Send it again with a new one."
    case .unusable: "The subscription can no longer be read. Send it again."
    case .notAllowed: "This server may not send to the endpoint."
    case .refused: "The endpoint refused the notification."
    case .rateLimited: "The endpoint asked for fewer notifications."
    case .service: "The endpoint reported an error of its own."
    case .timeout: "The endpoint did not answer in time."
    case .connection: "The endpoint could not be reached."
    case .tls: "The certificate of the endpoint is not valid."
    case .resolution: "The name of the endpoint could not be resolved."
    case .circuitOpen: "The endpoint failed several times in a row and is skipped for a while."
    case .stopped: "This server was stopping."
    }
  }
}

extension EventSubscription {
  /// The resource as it is now, with the state that the server gave it.
  var resource: JSONValue {
    var resource = (try? JSONValue(parsing: Array(body.utf8))) ?? ["resourceType": "Subscription"]
    resource["id"] = .string(id.text)
    var meta = resource["meta"] ?? .object(JSONObject())
    meta["versionId"] = .string(String(version))
    meta["lastUpdated"] = .string(UTC.text(changed))
    resource["meta"] = meta
    resource["status"] = .string(state.rawValue)
    resource["error"] = trouble.map { .string(Self.text(of: $0)) }
    var channel = resource["channel"] ?? .object(JSONObject())
    channel["extension"] = .array(
      Self.withoutSecret(channel) + [
        ["url": .string(SubscriptionBackport.secret), "valueString": .string(secret)]
      ])
    resource["channel"] = channel
    return resource
  }

  /// The entity tag of the version.
  var etag: String { "W/\"\(version)\"" }

  /// Returns the text about a failure by its stored code.
  static func text(of trouble: String) -> String {
    SubscriptionTrouble(rawValue: trouble)?.text ?? "The notification did not arrive."
  }

  /// Returns a resource as it is stored: without what the server adds when it is read.
  static func stored(_ resource: JSONValue) -> String {
    var resource = resource
    resource["id"] = nil
    resource["error"] = nil
    var meta = resource["meta"]
    meta?["versionId"] = nil
    meta?["lastUpdated"] = nil
    resource["meta"] = meta?.object?.isEmpty == true ? nil : meta
    if var channel = resource["channel"] {
      let extensions = withoutSecret(channel)
      channel["extension"] = nil
      if !extensions.isEmpty { channel["extension"] = .array(extensions) }
      resource["channel"] = channel
    }
    return String(validating: resource.bytes, as: UTF8.self) ?? ""
  }

  private static func withoutSecret(_ channel: JSONValue) -> [JSONValue] {
    (channel["extension"]?.array ?? []).filter {
      $0["url"]?.string != SubscriptionBackport.secret
    }
  }
}
