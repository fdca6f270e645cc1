// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport

@testable import Presentation
@testable import Server
@testable import Web

extension ServerHarness {
  /// Returns the same server with other settings.
  func with(_ settings: ServerSettings, home: HomeCertificates? = nil) -> ServerHarness {
    let changed = ServerEnvironment(
      database: environment.database, accounts: environment.accounts,
      signIn: environment.signIn, readAudit: environment.readAudit, zones: environment.zones,
      consequences: environment.consequences, settings: settings, random: environment.random,
      now: environment.now,
      uptime: environment.uptime, newIdentifier: environment.newIdentifier,
      setupCode: environment.setupCode,
      features: RegimenServer.features(channels: environment.channels),
      logger: environment.logger)
    return ServerHarness(
      environment: changed.with(home: home), clock: clock, client: client, outbox: outbox)
  }

  /// Builds the responder, for tests that send many requests from various peers.
  func responder() throws -> RouterResponder<RegimenContext> {
    try RegimenServer(environment: environment).table.router().buildResponder()
  }

  /// Sends a request with any authority and from any peer, which the test client does not support.
  func respond(
    _ address: String = "/welcome", host: String?, peer: String? = nil, _ headers: HTTPFields = [:],
    method: HTTPRequest.Method = .get, body: ByteBuffer = ByteBuffer(),
    to responder: RouterResponder<RegimenContext>? = nil
  ) async throws -> Response {
    let request = Request(
      head: HTTPRequest(
        method: method, scheme: "http", authority: host, path: address, headerFields: headers),
      body: RequestBody(buffer: body))
    let channel = EmbeddedChannel()
    if let peer {
      try await channel.connect(to: SocketAddress(ipAddress: peer, port: 40_000)).get()
    }
    let source = ApplicationRequestContextSource(channel: channel, logger: environment.logger)
    return try await (responder ?? self.responder()).respond(
      to: request, context: RegimenContext(source: source))
  }
}

extension ServerHarness {
  /// Answers GET and reads the whole body.
  func readBytes(
    _ address: String, host: String, _ headers: HTTPFields = [:]
  ) async throws -> (Response, [UInt8]) {
    let response = try await respond(address, host: host, headers)
    let collected = CollectedBody()
    try await response.body.write(CollectingWriter(collected: collected))
    return (response, collected.bytes.withLock { $0 })
  }

  /// Answers GET and reads the whole body as text.
  func read(
    _ address: String, host: String, _ headers: HTTPFields = [:]
  ) async throws -> (Response, String) {
    let (response, bytes) = try await readBytes(address, host: host, headers)
    return (response, String(decoding: bytes, as: UTF8.self))
  }
}

private final class CollectedBody: Sendable {
  let bytes = Mutex<[UInt8]>([])
}

private struct CollectingWriter: ResponseBodyWriter {
  let collected: CollectedBody

  func write(_ buffer: ByteBuffer) async throws {
    collected.bytes.withLock { $0 += Array(buffer: buffer) }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
