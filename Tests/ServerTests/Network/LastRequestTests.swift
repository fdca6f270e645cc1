// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Web

/// The bytes after a client's last request that reach the server.
@Suite struct LastRequestTests {
  private func channel() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)
    try channel.pipeline.syncOperations.addHandlers(
      ByteToMessageHandler(decoder), LastRequest())
    return channel
  }

  /// Returns the addresses of the requests that pass, and the last `Connection` header.
  private func served(_ text: String, inParts: Bool = false) throws -> ([String], [String]) {
    let channel = try channel()
    let pieces = inParts ? text.map { String($0) } : [text]
    for piece in pieces { try channel.writeInbound(ByteBuffer(string: piece)) }
    var uris: [String] = []
    var words: [String] = []
    var ends = 0
    while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
      switch part {
      case .head(let head):
        uris.append(head.uri)
        words = head.headers["connection"]
      case .body: break
      case .end: ends += 1
      }
    }
    #expect(ends == uris.count, "whole requests alone")
    _ = try? channel.finish(acceptAlreadyClosed: true)
    return (uris, words)
  }

  private static let next = "GET /second HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(arguments: ["close", "Close", "CLOSE", "keep-alive, close", "TE,  close"])
  func `requests after one that closes the connection are not served`(word: String) throws {
    let first = "GET /first HTTP/1.1\r\nHost: a\r\nConnection: \(word)\r\n\r\n"
    for inParts in [false, true] {
      let (uris, words) = try served(first + Self.next + Self.next, inParts: inParts)
      #expect(uris == ["/first"] && words == ["close"])
    }
  }

  @Test func `a body before the end belongs to its request`() throws {
    let first =
      "POST /first HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
    #expect(try served(first + Self.next).0 == ["/first"])
  }

  @Test func `HTTP 1 point 0 closes after the response unless asked otherwise`() throws {
    #expect(try served("GET /first HTTP/1.0\r\n\r\n" + Self.next).0 == ["/first"])
    let kept = "GET /first HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"
    #expect(try served(kept + Self.next).0 == ["/first", "/second"])
  }

  @Test func `keep-alive requests are all served`() throws {
    let first = "GET /first HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"
    let (uris, words) = try served(first + Self.next + Self.next)
    #expect(uris == ["/first", "/second", "/second"] && words.isEmpty)
  }

  @Test func `garbage after the last request does no harm`() throws {
    let first = "GET /first HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    #expect(try served(first + "\u{1}\u{2} nonsense\r\n\r\n").0 == ["/first"])
    #expect(throws: HTTPParserError.self) {
      try served(Self.next + "\u{1}\u{2} nonsense\r\n\r\n")
    }
  }
}
