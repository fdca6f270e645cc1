// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

@testable import Server

extension ServerHarness {
  /// The same server with other settings.
  func with(_ settings: ServerSettings) -> ServerHarness {
    ServerHarness(
      environment: ServerEnvironment(
        database: environment.database, accounts: environment.accounts,
        signIn: environment.signIn, readAudit: environment.readAudit, zones: environment.zones,
        settings: settings, random: environment.random, now: environment.now,
        newIdentifier: environment.newIdentifier, setupCode: environment.setupCode,
        logger: environment.logger),
      clock: clock, client: client)
  }

  /// Answers GET with any authority and from any peer, which the test client does not let choose.
  func respond(
    _ address: String = "/welcome", host: String?, peer: String? = nil, _ headers: HTTPFields = [:]
  ) async throws -> Response {
    let router = RouteTable(
      routes: RegimenServer(environment: environment).routes, environment: environment
    ).router()
    let request = Request(
      head: HTTPRequest(
        method: .get, scheme: "http", authority: host, path: address, headerFields: headers),
      body: RequestBody(buffer: ByteBuffer()))
    let channel = EmbeddedChannel()
    if let peer {
      try await channel.connect(to: SocketAddress(ipAddress: peer, port: 40_000)).get()
    }
    let source = ApplicationRequestContextSource(channel: channel, logger: environment.logger)
    return try await router.buildResponder().respond(
      to: request, context: RegimenContext(source: source))
  }
}
