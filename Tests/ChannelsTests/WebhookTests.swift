// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Outbound
import Synchronization
import Testing

@testable import Channels

@Suite struct WebhookTests {
  static let message = WebhookMessage(
    id: "delivery-1", kind: .reminder, title: "Time for 08:00 “ü”", body: "Due 08:00.",
    address: "https://regimen.example/tap/rga_x", button: "Open and answer",
    due: "2026-03-01T08:00:00+01:00", tag: "abc-_9", language: "en")

  /// The example of Standard Webhooks, computed with this key.
  @Test func `the signature is HMAC over id, time and body`() throws {
    let text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let secret = try #require(WebhookSecret(text))
    #expect(secret.text == text)
    let body = Array(#"{"test": 2432232314}"#.utf8)
    let signature = secret.signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: body)
    #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func `a request can be checked by its receiver`() throws {
    let secret = WebhookSecret { count in [UInt8](repeating: 7, count: count) }
    let request = Self.message.request(
      to: "https://hook.example/in?a=b", secret: secret, nowSeconds: 1_000)
    let headers = Dictionary(request.headers) { first, _ in first }
    #expect(headers["Content-Type"] == "application/json")
    #expect(headers["webhook-id"] == "delivery-1" && headers["webhook-timestamp"] == "1000")
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("delivery-1.1000.".utf8) + Data(request.body),
      using: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))
    #expect(headers["webhook-signature"] == "v1,\(Data(code).base64EncodedString())")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
    let data = try #require(json["data"] as? [String: Any])
    #expect(json["type"] as? String == "reminder.due")
    #expect(json["timestamp"] as? String == Self.message.due)
    #expect(data["delivery"] as? String == "delivery-1" && data["tag"] as? String == "abc-_9")
    #expect(data["title"] as? String == Self.message.title)
    #expect(data["url"] as? String == Self.message.address)
    // The same message has the same bytes, whenever it is sent.
    #expect(
      Self.message.request(to: "https://hook.example", secret: secret, nowSeconds: 2).body
        == request.body)
  }

  @Test(arguments: ["", "whsec_", "whsec_AAAA", "secret", "whsec_!!!!", "whsec_ÄÄÄÄ"])
  func `malformed secrets`(text: String) {
    #expect(WebhookSecret(text) == nil)
  }

  @Test func `Home Assistant automations are started by webhook`() throws {
    let request = Self.message.homeAssistantWebhook(
      server: "http://homeassistant.local:8123", id: "-abc_9")
    #expect(request.address == "http://homeassistant.local:8123/api/webhook/-abc_9")
    #expect(request.headers.map(\.0) == ["Content-Type"])
    #expect(request.body == Self.message.json)
  }

  @Test func `Home Assistant notifications are requested`() throws {
    let request = Self.message.homeAssistantNotify(
      server: "https://home.example", service: "mobile_app_phone", token: "long.lived")
    #expect(request.address == "https://home.example/api/services/notify/mobile_app_phone")
    #expect(request.headers.contains { $0 == ("Authorization", "Bearer long.lived") })
    #expect(request.headers.contains { $0 == ("Content-Type", "application/json") })
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
    #expect(json["title"] as? String == Self.message.title)
    #expect(json["message"] as? String == "Due 08:00.")
    let data = try #require(json["data"] as? [String: Any])
    #expect(data["url"] as? String == Self.message.address)
    #expect(data["clickAction"] as? String == Self.message.address)
    #expect(data["tag"] as? String == "abc-_9")
    #expect(data["ttl"] as? Int == 0 && data["priority"] as? String == "high")
    let actions = try #require(data["actions"] as? [[String: Any]])
    #expect(actions.count == 1 && actions[0]["action"] as? String == "URI")
    #expect(actions[0]["uri"] as? String == Self.message.address)
  }

  @Test func `names in Home Assistant`() {
    for good in ["a", "-_x9"] { #expect(HomeAssistantName.isWebhook(good)) }
    for bad in ["", "a/b", "a b", "ä", "a?b", "../x"] {
      #expect(!HomeAssistantName.isWebhook(bad), "\(bad)")
    }
    #expect(HomeAssistantName.isService("mobile_app_phone"))
    for bad in ["", "notify.x", "a-b", "a/b"] {
      #expect(!HomeAssistantName.isService(bad), "\(bad)")
    }
  }

  // MARK: Responses of servers

  static func send(
    _ request: ChannelRequest, _ response: Result<OutboundResponse, OutboundError>
  ) async -> (ChannelOutcome, [OutboundRequest]) {
    let sent = Locked<[OutboundRequest]>([])
    let sender = ChannelSender(
      policy: OutboundPolicy(allowed: [], operatorAllowed: [], allowsAnyPublicHost: true)
    ) { request in
      sent.withLock { $0.append(request) }
      return response
    }
    let outcome = await sender.send(request, nowSeconds: 1_000)
    return (outcome, sent.withLock { $0 })
  }

  static func answer(_ status: Int, _ body: String = "") -> Result<OutboundResponse, OutboundError>
  {
    .success(OutboundResponse(status: status, headers: [], body: Array(body.utf8)))
  }

  @Test func `the meaning of responses`() async {
    let request = Self.message.homeAssistantWebhook(server: "https://home.example", id: "x")
    let table: [(Int, ChannelOutcome)] = [
      (200, .accepted), (204, .accepted), (429, .retry(afterSeconds: nil, .rateLimited)),
      (500, .retry(afterSeconds: nil, .service(status: 500))), (400, .misconfigured(status: 400)),
      (401, .misconfigured(status: 401)), (404, .misconfigured(status: 404)),
      (410, .misconfigured(status: 410)), (302, .misconfigured(status: 302)),
    ]
    for (status, expected) in table {
      #expect(await Self.send(request, Self.answer(status)).0 == expected, "\(status)")
    }
    #expect(await Self.send(request, .failure(.timeout)).0 == .retry(afterSeconds: nil, .timeout))
    let (_, sent) = await Self.send(request, Self.answer(200))
    #expect(sent.count == 1 && sent.first?.method == "POST")
  }

  @Test(arguments: [
    "http://hook.example/", "https://127.0.0.1/", "https://hook.example:8443/", "https://[::1]/",
    "file:///etc/passwd", "https://u:p@hook.example/", "",
  ])
  func `every address passes the guard`(address: String) async {
    let secret = WebhookSecret { [UInt8](repeating: 1, count: $0) }
    let (outcome, sent) = await Self.send(
      Self.message.request(to: address, secret: secret, nowSeconds: 1), Self.answer(200))
    guard case .refused = outcome else {
      Issue.record("\(address) was used")
      return
    }
    #expect(sent.isEmpty)
  }
}
