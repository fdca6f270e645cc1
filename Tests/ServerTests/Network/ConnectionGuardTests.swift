// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Web

/// Connections without sockets, on a clock that a test moves.
@Suite struct ConnectionGuardTests {
  private static let head = HTTPServerRequestPart.head(
    HTTPRequestHead(version: .http1_1, method: .POST, uri: "/"))
  private static let answer = HTTPServerResponsePart.head(
    HTTPResponseHead(version: .http1_1, status: .ok))

  private func ledger(
    _ limit: Int = 10, total: Int = 100, proxies: [String] = []
  ) -> ConnectionLedger {
    ConnectionLedger(
      limit: limit, total: total, proxies: TrustedProxies(proxies.compactMap { NetworkRange($0) }))
  }

  private func connect(
    _ ledger: ConnectionLedger, from peer: String = "192.0.2.1"
  ) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(ConnectionGuard(ledger: ledger))
    channel.connect(to: try SocketAddress(ipAddress: peer, port: 40_000), promise: nil)
    return channel
  }

  private func close(_ channel: EmbeddedChannel) {
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
  }

  private func pass(_ seconds: Int64, on channel: EmbeddedChannel) {
    channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
  }

  @Test func `a connection without a request head is closed`() throws {
    let channel = try connect(ledger())
    pass(19, on: channel)
    #expect(channel.isActive)
    pass(1, on: channel)
    #expect(!channel.isActive)
  }

  @Test func `no timeout applies while a response is prepared`() throws {
    let channel = try connect(ledger())
    try channel.writeInbound(Self.head)
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    pass(600, on: channel)
    try channel.writeOutbound(Self.answer)
    pass(600, on: channel)
    #expect(channel.isActive)
  }

  @Test func `after a response the next request head has its own timeout`() throws {
    let channel = try connect(ledger())
    for _ in 0..<3 {
      pass(15, on: channel)
      try channel.writeInbound(Self.head)
      try channel.writeInbound(HTTPServerRequestPart.end(nil))
      try channel.writeOutbound(Self.answer)
      try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    }
    pass(19, on: channel)
    #expect(channel.isActive)
    pass(1, on: channel)
    #expect(!channel.isActive)
  }

  @Test func `a body that trickles in after the response closes the connection`() throws {
    let channel = try connect(ledger())
    try channel.writeInbound(Self.head)
    try channel.writeOutbound(Self.answer)
    try channel.writeOutbound(HTTPServerResponsePart.end(nil))
    for _ in 0..<9 {
      try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "x")))
      pass(1, on: channel)
    }
    #expect(channel.isActive)
    pass(1, on: channel)
    #expect(!channel.isActive)
  }

  @Test func `a response that isn't read closes the connection`() throws {
    let slow = try connect(ledger())
    try slow.writeInbound(Self.head)
    slow.isWritable = false
    slow.pipeline.fireChannelWritabilityChanged()
    pass(59, on: slow)
    slow.isWritable = true
    slow.pipeline.fireChannelWritabilityChanged()
    pass(600, on: slow)
    #expect(slow.isActive, "it has taken a part in time")
    slow.isWritable = false
    slow.pipeline.fireChannelWritabilityChanged()
    pass(60, on: slow)
    #expect(!slow.isActive)
  }

  @Test func `the last part of a response must be read too`() throws {
    let channel = try connect(ledger())
    try channel.writeInbound(Self.head)
    // Not flushed: it waits as if the socket were full.
    channel.write(HTTPServerResponsePart.end(nil), promise: nil)
    try channel.writeInbound(HTTPServerRequestPart.end(nil))
    try channel.writeInbound(Self.head)
    pass(59, on: channel)
    #expect(channel.isActive)
    pass(1, on: channel)
    #expect(!channel.isActive)
  }

  @Test func `a network's connections are limited and freed again`() throws {
    let ledger = ledger(3)
    let first = try (0..<3).map { _ in try connect(ledger) }
    #expect(try !connect(ledger).isActive)
    #expect(try connect(ledger, from: "192.0.2.2").isActive)
    #expect(ledger.count == 4)
    close(first[0])
    #expect(try connect(ledger).isActive)
    #expect(try !connect(ledger).isActive)
    first.dropFirst().forEach(close)
    #expect(ledger.count == 2, "one of each network")
  }

  @Test
  func `connections above the total limit get a refusal, even local ones`() throws {
    let ledger = ledger(total: 2)
    let first = try (0..<2).map { _ in try connect(ledger, from: "127.0.0.1") }
    let refused = try connect(ledger, from: "127.0.0.1")
    guard case .head(let head)? = try refused.readOutbound(as: HTTPServerResponsePart.self) else {
      Issue.record("nothing was said")
      return
    }
    #expect(head.status == .serviceUnavailable && head.headers["connection"] == ["close"])
    pass(1, on: refused)
    #expect(!refused.isActive)
    #expect(first.allSatisfy { $0.isActive })
    close(first[0])
    #expect(try connect(ledger, from: "127.0.0.1").isActive)
  }

  @Test func `refusing one network doesn't use up the total`() throws {
    let ledger = ledger(1, total: 2)
    #expect(try connect(ledger).isActive)
    for _ in 0..<5 { #expect(try !connect(ledger).isActive) }
    #expect(try connect(ledger, from: "192.0.2.2").isActive)
  }

  @Test func `a request after a refusal is not served`() throws {
    let refused = try connect(ledger(total: 0))
    try refused.writeInbound(Self.head)
    #expect(try refused.readInbound(as: HTTPServerRequestPart.self) == nil)
  }

  @Test func `one IPv6 network counts together, local and proxies not at all`() throws {
    let ledger = ledger(1, proxies: ["10.0.0.9"])
    #expect(try connect(ledger, from: "2001:db8::1").isActive)
    #expect(try !connect(ledger, from: "2001:db8::2").isActive)
    #expect(try connect(ledger, from: "2001:db8:0:1::1").isActive)
    for peer in ["127.0.0.1", "::1", "10.0.0.9", "::ffff:10.0.0.9"] {
      for _ in 0..<3 { #expect(try connect(ledger, from: peer).isActive) }
    }
    #expect(ledger.count == 2)
  }
}
