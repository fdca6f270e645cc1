// SPDX-License-Identifier: Apache-2.0
import Outbound

/// Sends messages to browsers' push services (RFC 8030), encrypted for the device.
package struct WebPushSender: Sendable {
  /// The push services of Chrome, Safari, Firefox and Edge.
  package static let services = [
    "fcm.googleapis.com", "*.push.apple.com", "updates.push.services.mozilla.com",
    "*.notify.windows.com",
  ].compactMap(HostRule.init)

  /// The maximum TTL that autopush accepts, in seconds.
  private static let longestTTL = 2_592_000

  typealias Transport = @Sendable (OutboundRequest) async -> Result<OutboundResponse, OutboundError>

  private let transport: Transport
  private let policy: OutboundPolicy
  private let tokens: VAPIDTokens
  private let random: @Sendable (_ count: Int) -> [UInt8]

  /// Creates a sender.
  ///
  /// - Parameters:
  package init(
    client: OutboundClient, policy: OutboundPolicy, key: VAPIDKey, subject: String,
    random: @escaping @Sendable (_ count: Int) -> [UInt8]
  ) {
    self.init(policy: policy, key: key, subject: subject, random: random) { request in
      do throws(OutboundError) {
        return .success(try await client.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  init(
    policy: OutboundPolicy, key: VAPIDKey, subject: String,
    random: @escaping @Sendable (_ count: Int) -> [UInt8], transport: @escaping Transport
  ) {
    self.transport = transport
    self.policy = policy
    self.random = random
    tokens = VAPIDTokens(key: key, subject: subject)
  }

  /// Sends a message, and once more with the small payload if the first one is too large.
  ///
  /// Returns the outcome.
  ///
  /// - Parameter nowSeconds: the wall clock, in seconds since 1970.
  package func send(
    _ message: PushMessage, endpoint: String, keys: PushKeys, nowSeconds: Int64
  ) async -> PushOutcome {
    let url: CheckedURL
    do throws(OutboundError) {
      url = try policy.check(endpoint)
    } catch {
      return PushOutcome(error)
    }
    let isLarge = message.payload.count > WebPushEncryption.maximumPlaintext
    if !isLarge {
      let outcome = await post(message, message.payload, to: url, keys, nowSeconds)
      guard outcome == .tooLarge, message.smallPayload.count < message.payload.count else {
        return outcome
      }
    }
    guard message.smallPayload.count <= WebPushEncryption.maximumPlaintext else { return .tooLarge }
    return await post(message, message.smallPayload, to: url, keys, nowSeconds)
  }

  private func post(
    _ message: PushMessage, _ payload: [UInt8], to url: CheckedURL, _ keys: PushKeys, _ now: Int64
  ) async -> PushOutcome {
    guard let authorization = tokens.header(origin: url.origin, now: now),
      let ephemeral = try? WebPushEncryption.Ephemeral.fresh(random: random),
      let body = try? WebPushEncryption.encrypt(payload, to: keys, ephemeral: ephemeral)
    else { return .misconfigured(status: 0) }
    var headers = [
      ("Authorization", authorization),
      ("Content-Encoding", "aes128gcm"),
      ("Content-Type", "application/octet-stream"),
      ("TTL", String(min(max(message.ttlSeconds, 0), Self.longestTTL))),
      ("Urgency", message.urgency.rawValue),
    ]
    if let topic = message.topic, Self.isTopic(topic) { headers.append(("Topic", topic)) }
    let request = OutboundRequest(method: "POST", url: url, headers: headers, body: body)
    switch await transport(request) {
    case .success(let response): return PushOutcome(response, now: now)
    case .failure(let error): return PushOutcome(error)
    }
  }

  private static func isTopic(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
