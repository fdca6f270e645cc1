// SPDX-License-Identifier: Apache-2.0

import Foundation
import Outbound
import Synchronization
import Testing

@testable import Channels

@Suite struct NtfyTests {
  static let message = NtfyMessage(
    topic: "topic", title: "Time for 08:00 “ü”", body: "Due 08:00.",
    address: "https://regimen.example/tap/rga_x", button: "Open and answer", sequence: "abc-_9")

  private static func send(
    _ response: Result<OutboundResponse, OutboundError>, server: String = "https://ntfy.example",
    token: String = ""
  ) async -> (ChannelOutcome, [OutboundRequest]) {
    let sent = Locked<[OutboundRequest]>([])
    let sender = ChannelSender(
      policy: OutboundPolicy(allowed: [], operatorAllowed: [], allowsAnyPublicHost: true)
    ) { request in
      sent.withLock { $0.append(request) }
      return response
    }
    let outcome = await sender.send(
      message.request(to: server, token: token), nowSeconds: 1_000)
    return (outcome, sent.withLock { $0 })
  }

  private static func answer(_ status: Int, _ headers: [(name: String, value: String)] = [])
    -> Result<OutboundResponse, OutboundError>
  {
    .success(OutboundResponse(status: status, headers: headers, body: []))
  }

  @Test func `the request is the JSON that ntfy accepts at its root`() async throws {
    let (outcome, sent) = await Self.send(Self.answer(200), token: "tk_abc")
    #expect(outcome == .accepted)
    let request = try #require(sent.first)
    #expect(request.method == "POST" && request.url.text == "https://ntfy.example/")
    #expect(request.headers.contains { $0 == ("Authorization", "Bearer tk_abc") })
    #expect(request.headers.contains { $0 == ("Content-Type", "application/json") })
    let body = try #require(
      try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
    #expect(body["topic"] as? String == "topic" && body["priority"] as? Int == 5)
    #expect(body["title"] as? String == Self.message.title)
    #expect(body["message"] as? String == "Due 08:00.")
    #expect(body["click"] as? String == Self.message.address)
    #expect(body["sequence_id"] as? String == "abc-_9")
    let actions = try #require(body["actions"] as? [[String: Any]])
    #expect(actions.count == 1 && actions.first?["action"] as? String == "view")
    #expect(actions.first?["url"] as? String == Self.message.address)
    #expect(actions.first?["label"] as? String == "Open and answer")
  }

  @Test func `an advance notice respects silent mode`() throws {
    let message = NtfyMessage(
      topic: "topic", title: "t", body: "b", address: "https://regimen.example/", button: "Open",
      sequence: "s", isUrgent: false)
    let body = try #require(
      try JSONSerialization.jsonObject(
        with: Data(message.request(to: "https://ntfy.example", token: "").body)) as? [String: Any])
    #expect(body["priority"] as? Int == 3)
  }

  @Test func `an open topic is sent no token`() async throws {
    let (_, sent) = await Self.send(Self.answer(200))
    #expect(sent.first?.headers.contains { $0.0 == "Authorization" } == false)
  }

  @Test func `the meaning of responses`() async {
    let table: [(Int, ChannelOutcome)] = [
      (200, .accepted), (429, .retry(afterSeconds: nil, .rateLimited)),
      (500, .retry(afterSeconds: nil, .service(status: 500))),
      (503, .retry(afterSeconds: nil, .service(status: 503))),
      (400, .misconfigured(status: 400)), (401, .misconfigured(status: 401)),
      (403, .misconfigured(status: 403)), (404, .misconfigured(status: 404)),
      (410, .misconfigured(status: 410)), (413, .misconfigured(status: 413)),
      (301, .misconfigured(status: 301)),
    ]
    for (status, expected) in table {
      #expect(await Self.send(Self.answer(status)).0 == expected, "\(status)")
    }
    #expect(
      await Self.send(Self.answer(429, [("Retry-After", "17")])).0
        == .retry(afterSeconds: 17, .rateLimited))
    #expect(await Self.send(.failure(.timeout)).0 == .retry(afterSeconds: nil, .timeout))
    #expect(await Self.send(.failure(.privateAddress)).0 == .refused(.privateAddress))
  }

  @Test(arguments: [
    "http://ntfy.example", "https://127.0.0.1", "https://ntfy.example:8443", "https://[::1]",
    "ftp://ntfy.example", "https://u:p@ntfy.example", "",
  ])
  func `every address passes the guard`(server: String) async {
    let (outcome, sent) = await Self.send(Self.answer(200), server: server)
    guard case .refused = outcome else {
      Issue.record("\(server) was used")
      return
    }
    #expect(sent.isEmpty)
  }

  @Test func `topics`() {
    for good in ["a", "regimen-_9", String(repeating: "x", count: 64)] {
      #expect(NtfyMessage.isTopic(good))
    }
    for bad in ["", "a/b", "ä", "a b", String(repeating: "x", count: 65), "a\n"] {
      #expect(!NtfyMessage.isTopic(bad), "\(bad)")
    }
  }
}
