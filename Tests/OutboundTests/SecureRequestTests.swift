// SPDX-License-Identifier: Apache-2.0
import Logging
import NIOSSL
import Testing

@testable import Outbound

/// TLS to a host by name, at an address that was looked up once: the name is checked, not the address.
struct SecureRequestTests {
  private let clock = HeldClock()

  /// Returns the status that a server with a certificate for `name` gives to a client that requests
  /// `push.example.org` and trusts these authorities.
  private func status(
    certificateFor name: String, of authority: TestAuthority, trusting roots: NIOSSLTrustRoots
  ) async throws -> Int {
    try await TestServer.run(tls: authority.server(name: name)) { server in
      let policy = OutboundPolicy(
        allowed: [],
        operatorAllowed: [try #require(HostRule("push.example.org:\(server.port)"))])
      let client = OutboundClient(
        policy: policy, monotonicNow: clock.read,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        resolver: { _ in [try #require(IPAddress("127.0.0.1"))] }, trustRoots: roots)
      let result: Result<Int, any Error>
      do {
        let url = try policy.check("https://push.example.org:\(server.port)/status/201")
        result = .success(
          try await client.send(OutboundRequest(url: url, timeoutSeconds: 900)).status)
      } catch {
        result = .failure(error)
      }
      await client.shutdown()
      return try result.get()
    }
  }

  @Test func aTrustedCertificateOfTheNameIsSpokenTo() async throws {
    let authority = try TestAuthority()
    let status = try await status(
      certificateFor: "push.example.org", of: authority, trusting: authority.trustRoots)
    #expect(status == 201)
  }

  @Test func aCertificateOfAnotherNameIsRefused() async throws {
    let authority = try TestAuthority()
    await #expect(throws: OutboundError.tls) {
      try await status(
        certificateFor: "other.example.org", of: authority, trusting: authority.trustRoots)
    }
  }

  @Test func aCertificateOfAnotherAuthorityIsRefused() async throws {
    let trusted = try TestAuthority()
    await #expect(throws: OutboundError.tls) {
      try await status(
        certificateFor: "push.example.org", of: try TestAuthority(), trusting: trusted.trustRoots)
    }
  }

  @Test func aCertificateThatTheSystemDoesNotKnowIsRefused() async throws {
    await #expect(throws: OutboundError.tls) {
      try await status(
        certificateFor: "push.example.org", of: try TestAuthority(), trusting: .default)
    }
  }
}
