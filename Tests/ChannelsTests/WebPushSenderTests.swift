// SPDX-License-Identifier: Apache-2.0
import Crypto
import Encodings
import Outbound
import Testing

@testable import Channels

/// A push service with scripted responses that records its requests.
private final class ScriptedService: Sendable {
  private let answers: Locked<[Result<OutboundResponse, OutboundError>]>
  private let received = Locked<[OutboundRequest]>([])

  init(_ answers: [Result<OutboundResponse, OutboundError>]) {
    self.answers = Locked(answers)
  }

  convenience init(status: Int, headers: [(name: String, value: String)] = []) {
    self.init([.success(OutboundResponse(status: status, headers: headers, body: []))])
  }

  var requests: [OutboundRequest] { received.withLock { $0 } }

  func answer(_ request: OutboundRequest) -> Result<OutboundResponse, OutboundError> {
    received.withLock { $0.append(request) }
    return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .failure(.closed) }
  }
}

struct WebPushSenderTests {
  private static let browser = P256.KeyAgreement.PrivateKey()
  private static let secret = [UInt8](repeating: 9, count: 16)
  private static let endpoint = "https://push.example.org/subscription/1"
  /// Sat, 21 Nov 2026 10:44:54 GMT.
  private static let now: Int64 = 1_795_257_894

  private let key = VAPIDKey.generate()

  private func sender(_ service: ScriptedService) -> WebPushSender {
    let policy = OutboundPolicy(
      allowed: ["push.example.org"].compactMap(HostRule.init), operatorAllowed: [])
    return WebPushSender(
      policy: policy, key: key, subject: "mailto:a@example.org", random: CountingRandom().bytes,
      transport: { service.answer($0) })
  }

  private func message(payload: Int = 100, small: Int = 10, topic: String? = nil) -> PushMessage {
    PushMessage(
      payload: [UInt8](repeating: 1, count: payload),
      smallPayload: [UInt8](repeating: 2, count: small), ttlSeconds: 900, urgency: .high,
      topic: topic)
  }

  private func send(
    _ message: PushMessage, to service: ScriptedService, endpoint: String = Self.endpoint
  ) async throws -> PushOutcome {
    let keys = try #require(
      PushKeys(
        p256dh: Base64URL.encode(Self.browser.publicKey.x963Representation),
        auth: Base64URL.encode(Self.secret)))
    return await sender(service).send(
      message, endpoint: endpoint, keys: keys, nowSeconds: Self.now)
  }

  private func plaintext(_ request: OutboundRequest) throws -> [UInt8] {
    try TestBrowser.decrypt(request.body, privateKey: Self.browser, secret: Self.secret)
  }

  @Test func writesTheRequestOfRFC8030() async throws {
    let service = ScriptedService(status: 201)
    let topic = "abcdefghijklmnopqrstuvwxyz012-_9"
    #expect(try await send(message(topic: topic), to: service) == .accepted)
    let request = try #require(service.requests.first)
    #expect(service.requests.count == 1)
    #expect(request.method == "POST")
    #expect(request.url.text == Self.endpoint)
    #expect(request.timeoutSeconds == 10)
    let headers = Dictionary(uniqueKeysWithValues: request.headers)
    #expect(headers["TTL"] == "900")
    #expect(headers["Urgency"] == "high")
    #expect(headers["Topic"] == topic)
    #expect(headers["Content-Encoding"] == "aes128gcm")
    #expect(headers["Content-Type"] == "application/octet-stream")
    #expect(headers["Authorization"]?.hasPrefix("vapid t=ey") == true)
    #expect(headers["Authorization"]?.hasSuffix(", k=\(key.publicKey)") == true)
    #expect(headers.count == 6)
    #expect(try plaintext(request) == [UInt8](repeating: 1, count: 100))
  }

  @Test(arguments: [
    "", "abcdefghijklmnopqrstuvwxyz0123456", "a b", "a\r\nX-Evil: 1", "a=", "a.b", "\u{E4}",
  ])
  func leavesOutATopicThatIsNone(topic: String) async throws {
    let service = ScriptedService(status: 201)
    #expect(try await send(message(topic: topic), to: service) == .accepted)
    #expect(service.requests.first?.headers.contains { $0.0 == "Topic" } == false)
  }

  @Test(arguments: [(-5, "0"), (0, "0"), (60, "60"), (2_592_001, "2592000"), (Int.max, "2592000")])
  func keepsTheTTLWithinWhatServicesTake(seconds: Int, written: String) async throws {
    let service = ScriptedService(status: 201)
    var message = message()
    message.ttlSeconds = seconds
    #expect(try await send(message, to: service) == .accepted)
    #expect(service.requests.first?.headers.contains { $0 == ("TTL", written) } == true)
  }

  @Test(arguments: [
    (200, PushOutcome.accepted), (201, .accepted), (202, .accepted), (204, .accepted),
    (404, .gone), (410, .gone), (413, .tooLarge),
    (429, .retry(afterSeconds: nil, .rateLimited)),
    (408, .retry(afterSeconds: nil, .service(status: 408))),
    (500, .retry(afterSeconds: nil, .service(status: 500))),
    (502, .retry(afterSeconds: nil, .service(status: 502))),
    (503, .retry(afterSeconds: nil, .service(status: 503))),
    (504, .retry(afterSeconds: nil, .service(status: 504))),
    (599, .retry(afterSeconds: nil, .service(status: 599))),
    (400, .misconfigured(status: 400)), (401, .misconfigured(status: 401)),
    (403, .misconfigured(status: 403)), (405, .misconfigured(status: 405)),
    (301, .misconfigured(status: 301)), (302, .misconfigured(status: 302)),
    (307, .misconfigured(status: 307)), (308, .misconfigured(status: 308)),
    (100, .misconfigured(status: 100)), (600, .misconfigured(status: 600)),
  ])
  func everyAnswerHasItsMeaning(status: Int, outcome: PushOutcome) async throws {
    #expect(try await send(message(), to: ScriptedService(status: status)) == outcome)
  }

  @Test(
    arguments: [
      ("120", 120), ("0", 0), (" 7 ", 7), ("86401", 86_400), ("99999999999999999999999", 86_400),
      ("Sat, 21 Nov 2026 10:45:54 GMT", 60), ("Saturday, 21-Nov-26 10:45:54 GMT", 60),
      ("Sat Nov 21 10:45:54 2026", 60),
      // In the past, and far in the future.
      ("Sat, 21 Nov 2026 10:44:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
      ("-5", nil), ("1.5", nil), ("soon", nil), ("", nil), ("Sat, 31 Nov 2026 10:45:54 GMT", nil),
      ("Sat, 21 Nov 2026 10:45:54 CET", nil), ("٥", nil),
    ] as [(String, Int?)])
  func readsBothFormsOfRetryAfter(value: String, seconds: Int?) async throws {
    let headers = [(name: "retry-AFTER", value: value)]
    #expect(
      try await send(message(), to: ScriptedService(status: 429, headers: headers))
        == .retry(afterSeconds: seconds, .rateLimited))
    #expect(
      try await send(message(), to: ScriptedService(status: 503, headers: headers))
        == .retry(afterSeconds: seconds, .service(status: 503)))
  }

  @Test(arguments: [
    (OutboundError.timeout, PushOutcome.retry(afterSeconds: nil, .timeout)),
    (.connection, .retry(afterSeconds: nil, .connection)),
    (.resolution, .retry(afterSeconds: nil, .resolution)),
    (.tls, .retry(afterSeconds: nil, .tls)),
    (.circuitOpen(retryAfterSeconds: 8), .retry(afterSeconds: 8, .circuitOpen)),
    (.closed, .retry(afterSeconds: nil, .stopped)),
    (.privateAddress, .refused(.privateAddress)),
    (.notAllowed(.port), .refused(.notAllowed(.port))),
  ])
  func everyErrorHasItsMeaning(error: OutboundError, outcome: PushOutcome) async throws {
    #expect(try await send(message(), to: ScriptedService([.failure(error)])) == outcome)
  }

  private func answer(_ status: Int) -> Result<OutboundResponse, OutboundError> {
    .success(OutboundResponse(status: status, headers: [], body: []))
  }

  @Test func triesOnceMoreAndSmaller() async throws {
    let service = ScriptedService([answer(413), answer(201)])
    #expect(try await send(message(), to: service) == .accepted)
    #expect(try service.requests.map { try plaintext($0).count } == [100, 10])
  }

  @Test(arguments: [(413, PushOutcome.tooLarge), (410, .gone)])
  func theSmallOneIsTheLast(status: Int, outcome: PushOutcome) async throws {
    let service = ScriptedService([answer(413), answer(status)])
    #expect(try await send(message(), to: service) == outcome)
    #expect(service.requests.count == 2)
  }

  @Test func asSmallAsTheFirstIsNoNewTry() async throws {
    let service = ScriptedService(status: 413)
    #expect(try await send(message(payload: 10, small: 10), to: service) == .tooLarge)
    #expect(service.requests.count == 1)
  }

  @Test func beginsSmallWhereTheWholeDoesNotFit() async throws {
    let service = ScriptedService(status: 201)
    let whole = WebPushEncryption.maximumPlaintext + 1
    #expect(try await send(message(payload: whole), to: service) == .accepted)
    #expect(try service.requests.map { try plaintext($0).count } == [10])
    #expect(try await send(message(payload: whole, small: whole), to: service) == .tooLarge)
    #expect(service.requests.count == 1)
  }

  @Test(arguments: [
    ("https://evil.example/x", OutboundRefusal.hostNotListed),
    ("https://push.example.org:8443/x", .port), ("http://push.example.org/x", .scheme),
    ("https://push.example.org@evil.example/x", .userInformation), ("", .malformed),
  ])
  func aForeignAddressIsNeverAsked(endpoint: String, refusal: OutboundRefusal) async throws {
    let service = ScriptedService(status: 201)
    #expect(
      try await send(message(), to: service, endpoint: endpoint) == .refused(.notAllowed(refusal)))
    #expect(service.requests.isEmpty)
  }

  @Test func theLargeServicesAreListed() throws {
    let policy = OutboundPolicy(allowed: WebPushSender.services, operatorAllowed: [])
    for host in [
      "fcm.googleapis.com", "web.push.apple.com", "updates.push.services.mozilla.com",
      "wns2-par02p.notify.windows.com",
    ] {
      #expect(try policy.check("https://\(host)/a").host.text == host)
    }
  }
}

struct InternetDateTests {
  @Test(arguments: [
    (Int64(0), "Thu, 1 Jan 1970 00:00:00 +0000"),
    (784_111_777, "Sun, 6 Nov 1994 08:49:37 +0000"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
    (1_795_257_894, "Sat, 21 Nov 2026 10:44:54 +0000"),
    (4_107_542_400, "Mon, 1 Mar 2100 00:00:00 +0000"),
    (-1, "Thu, 1 Jan 1970 00:00:00 +0000"),
    (Int64.max, "Fri, 31 Dec 9999 23:59:59 +0000"), (Int64.min, "Thu, 1 Jan 1970 00:00:00 +0000"),
  ])
  func writes(seconds: Int64, text: String) {
    #expect(InternetDate.mailText(seconds: seconds) == text)
  }

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func readsTheThreeFormsOfRFC9110(text: String) {
    #expect(InternetDate.parseHTTP(text, now: 784_111_000) == 784_111_777)
  }

  @Test(arguments: [
    "", "Sun", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1900 08:49:37 GMT",
    "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
    "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0000",
    "Sun, 006 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 99999999999 08:49:37 GMT",
  ])
  func refuses(text: String) {
    #expect(InternetDate.parseHTTP(text, now: 784_111_000) == nil)
  }
}
