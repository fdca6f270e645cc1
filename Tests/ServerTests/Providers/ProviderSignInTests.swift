// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Synchronization
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// Signing in with an account elsewhere, against a provider without a network.
@Suite struct ProviderSignInTests {
  @Test func `a linked identity signs in with all checks of the code flow`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      #expect(
        try await ProviderVisitor.link(harness, fake, browser).headers[.location] == "/identities")
      let list = try await browser.open("/identities")
      #expect(list.text.contains("ann@example.org") && list.text.contains("City"))
      let visit = try await ProviderVisitor.begin(harness, fake, next: "/medicines")
      #expect(visit.query.text("response_type") == "code")
      #expect(visit.query.text("code_challenge_method") == "S256")
      #expect(visit.query.text("client_id") == "regimen")
      #expect(visit.query.text("scope")?.contains("openid") == true)
      #expect(visit.query.text("redirect_uri")?.hasSuffix("/sign-in/with/city/return") == true)
      let answer = try await ProviderVisitor.comeBack(harness, visit)
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location] == "/medicines")
      let cookies = answer.headers[values: .setCookie]
      let session = try #require(cookies.first { $0.hasPrefix("regimen=rgs_") })
      let me = try await harness.send(
        .get, "/api/v1/me", [.cookie: String(session.prefix { $0 != ";" })])
      #expect(me.status == .ok)
      #expect(cookies.contains { $0.hasPrefix("regimen-visit=;") })
      // The secret was in a header, form-encoded.
      let token = try #require(
        fake.state.withLock { $0.requests.last { $0.url.hasSuffix("/token") } })
      #expect(token.headers["Authorization"] == "Basic cmVnaW1lbjphOnNlY3JldA==")
    }
  }

  @Test func `a second factor is required after the provider too`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      _ = try await ProviderVisitor.link(harness, fake, browser)
      try await harness.environment.database.write { writer in
        try writer.execute(
          """
          INSERT INTO passkeys (credential_digest, passkey, account, credential, public_key,
            algorithm, relying_party, signs, name, created, used)
          VALUES ($1, 'a-passkey', $2, $1, $1, -7, 'localhost', 0, 'Key', 0, NULL)
          """, [.blob([1]), .text(ann.id)])
      }
      let answer = try await ProviderVisitor.comeBack(
        harness, try await ProviderVisitor.begin(harness, fake, next: "/medicines"))
      #expect(answer.headers[.location] == "/sign-in/second?next=/medicines")
      #expect(!answer.headers[values: .setCookie].contains { $0.contains("rgs_") })
    }
  }

  @Test func `only linked identities sign in, even with the same e-mail address`() async throws {
    try await ProviderVisitor.run { harness, fake in
      _ = try await harness.makeAccount("Ann")
      let answer = try await ProviderVisitor.comeBack(
        harness, try await ProviderVisitor.begin(harness, fake))
      #expect(answer.status == .forbidden)
      #expect(!answer.headers[values: .setCookie].contains { $0.contains("rgs_") })
      let count = try await harness.environment.database.read {
        try $0.query("SELECT account FROM accounts").count
      }
      #expect(count == 1, "accounts come about by invitation")
    }
  }

  @Test func `a state works once, in the same browser, for 15 minutes`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      _ = try await ProviderVisitor.link(harness, fake, browser)
      let first = try await ProviderVisitor.begin(harness, fake)
      #expect(try await ProviderVisitor.comeBack(harness, first).status == .seeOther)
      #expect(try await ProviderVisitor.comeBack(harness, first).status == .badRequest, "replayed")
      let second = try await ProviderVisitor.begin(harness, fake)
      #expect(
        try await ProviderVisitor.comeBack(harness, second, cookie: first.cookie).status
          == .badRequest)
      #expect(
        try await ProviderVisitor.comeBack(harness, second).status == .badRequest,
        "used up by the attempt")
      let third = try await ProviderVisitor.begin(harness, fake)
      #expect(
        try await ProviderVisitor.comeBack(harness, third, cookie: "a=b").status == .badRequest)
      #expect(
        try await ProviderVisitor.comeBack(harness, third, at: "facebook").status == .badRequest,
        "a visit to another provider")
      let fourth = try await ProviderVisitor.begin(harness, fake)
      let mixed = "code=a-code&iss=https://evil.example&state=\(fourth.state)"
      #expect(
        try await ProviderVisitor.comeBack(harness, fourth, query: mixed).status == .badRequest)
      let late = try await ProviderVisitor.begin(harness, fake)
      harness.clock.advance(minutes: 15)
      #expect(try await ProviderVisitor.comeBack(harness, late).status == .badRequest)
      for query in ["", "code=a-code", "state=x", "state=&code=", "state=%FF&code=%00x"] {
        let answer = try await ProviderVisitor.comeBack(harness, late, query: query)
        #expect(answer.status == .badRequest, "\(query)")
      }
      let declined = try await ProviderVisitor.begin(harness, fake)
      let no = try await ProviderVisitor.comeBack(
        harness, declined, query: "error=access_denied&state=\(declined.state)")
      #expect(no.status == .ok && !no.headers[values: .setCookie].contains { $0.contains("rgs_") })
    }
  }

  static let bent: [@Sendable (inout JSONValue) -> Void] = [
    { $0["nonce"] = "another" }, { $0["aud"] = "other" }, { $0["iss"] = "https://evil.example" },
    { $0["exp"] = 1 }, { $0["sub"] = nil }, { $0["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA" },
  ]

  @Test(arguments: bent.indices)
  func `an invalid provider token signs no one in`(index: Int) async throws {
    try await ProviderVisitor.run { harness, fake in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      _ = try await ProviderVisitor.link(harness, fake, browser)
      fake.state.withLock { $0.bend = Self.bent[index] }
      let answer = try await ProviderVisitor.comeBack(
        harness, try await ProviderVisitor.begin(harness, fake))
      #expect(answer.status.code == 424)
      #expect(!answer.headers[values: .setCookie].contains { $0.contains("rgs_") })
    }
  }

  @Test func `changed keys are fetched, and unknown keys are not fetched repeatedly`()
    async throws
  {
    try await ProviderVisitor.run { harness, fake in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      _ = try await ProviderVisitor.link(harness, fake, browser)
      fake.state.withLock {
        $0.key = P256.Signing.PrivateKey()
        $0.keyID = "k2"
      }
      harness.clock.advance(minutes: 1)
      #expect(
        try await ProviderVisitor.comeBack(harness, try await ProviderVisitor.begin(harness, fake))
          .status == .seeOther)
      fake.state.withLock {
        $0.publishes = false
        $0.keyID = "k3"
      }
      let before = fake.asked.filter { $0.hasSuffix("/keys") }.count
      for _ in 0..<5 {
        #expect(
          try await ProviderVisitor.comeBack(
            harness, try await ProviderVisitor.begin(harness, fake)
          ).status.code == 424)
      }
      #expect(fake.asked.filter { $0.hasSuffix("/keys") }.count == before)
    }
  }

  @Test func `an unreachable or misbehaving provider does no harm`() async throws {
    try await ProviderVisitor.run { harness, fake in
      // Without any account the sign-in page redirects to the first visit.
      _ = try await harness.makeAccount("Ann")
      fake.state.withLock { $0.isReachable = false }
      let away = try await harness.send(.get, "/sign-in/with/city")
      #expect(away.status.code == 424 && away.text.contains("/sign-in"))
      #expect(try await harness.send(.get, "/sign-in/with/nobody").status == .notFound)
      let page = try await harness.send(.get, "/sign-in?next=/medicines")
      #expect(page.text.contains("/sign-in/with/city?next=/medicines"))
      #expect(page.text.contains("/sign-in/with/facebook"))
    }
    for bent in ["https://evil.example", "https://id.example.org/"] {
      var document = FakeProvider.document
      document["issuer"] = .string(bent)
      #expect(ProviderMetadata(document, issuer: FakeProvider.issuer) == nil)
    }
    for address in ["http://id.example.org/a", "javascript:alert(1)", "https://a b", "https://a#b"]
    {
      var document = FakeProvider.document
      document["authorization_endpoint"] = .string(address)
      #expect(ProviderMetadata(document, issuer: FakeProvider.issuer) == nil, "\(address)")
    }
  }
}
