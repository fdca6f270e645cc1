// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

@Suite struct SignInTests {
  static let password = "correct horse battery"

  /// Creates an account with a password.
  private func register(_ harness: ServerHarness) async throws {
    let hash = try await harness.environment.signIn.hash(
      newPassword: Self.password, rules: PasswordRules(), context: [])
    _ = try await Registration(environment: harness.environment).create(
      email: "ann@example.org", displayName: "Ann", passwordHash: hash, isAdministrator: false,
      language: nil, by: "test")
  }

  private func signIn(
    _ harness: ServerHarness, email: String = "ann@example.org",
    password: String = SignInTests.password, next: String? = nil
  ) async throws -> TestResponse {
    var fields = [("email", email), ("password", password)]
    if let next { fields.append(("next", next)) }
    return try await harness.submit("/sign-in", fields)
  }

  @Test func `the right password opens a session in a protected cookie`() async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      let answer = try await signIn(harness, email: " Ann@Example.org ")
      #expect(answer.status == .seeOther, "\(answer.text)")
      #expect(answer.headers[.location] == "/")
      let cookies = answer.headers[values: .setCookie]
      let cookie = try #require(cookies.first)
      // The device is known from now on, and sends another cookie of the same kind.
      #expect(cookies.count == 2 && cookies[1].hasPrefix("regimen-known=rgk_"))
      #expect(cookies[1].hasSuffix("; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"))
      let parts = cookie.split(separator: "; ").map(String.init)
      #expect(parts.first?.hasPrefix("regimen=rgs_") == true, "\(cookie)")
      #expect(
        Set(parts.dropFirst()) == ["Path=/", "Max-Age=31536000", "HttpOnly", "SameSite=Lax"])
      let me = try await harness.send(.get, "/api/v1/me", [.cookie: parts[0]])
      #expect(me.status == .ok)
    }
  }

  @Test func `signing in again ends the browser's previous session`() async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      func session(_ headers: HTTPFields = [:]) async throws -> HTTPFields {
        let answer = try await harness.submit(
          "/sign-in", [("email", "ann@example.org"), ("password", Self.password)], headers)
        let cookie = try #require(answer.headers[values: .setCookie].first)
        return [.cookie: String(cookie.prefix { $0 != ";" }), .secFetchSite: "same-origin"]
      }
      let (elsewhere, first) = (try await session(), try await session())
      let device = try await harness.send(
        .post, "/api/v1/push-subscriptions", first, json: Person.subscription())
      #expect(device.status == .created, "\(device.text)")
      let second = try await session(first)
      #expect(try await harness.send(.get, "/api/v1/me", first).status == .unauthorized)
      #expect(try await harness.send(.get, "/api/v1/me", second).status == .ok)
      #expect(try await harness.send(.get, "/api/v1/me", elsewhere).status == .ok)
      // The browser's device keeps receiving reminders, and is signed out with the new session.
      func devices() async throws -> Int? {
        try await harness.send(.get, "/api/v1/push-subscriptions", elsewhere)
          .json()["subscriptions"]?.array?.count
      }
      #expect(try await devices() == 1)
      let secret = try #require(second[.cookie]?.dropFirst("regimen=".count))
      _ = try await Browser(harness: harness, secret: Secret(text: String(secret))).post(
        "/sign-out", [:])
      #expect(try await devices() == 0)
    }
  }

  @Test(arguments: [
    ("ann@example.org", "wrong"), ("ann@example.org", ""), ("bob@example.org", password),
    ("", password), ("nonsense", password), ("ann@example.org", password + " "),
    ("ann@example.org", String(repeating: "x", count: 5000)),
  ])
  func `wrong credentials get the same refusal`(email: String, password: String) async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      let answer = try await signIn(harness, email: email, password: password, next: "/medicines")
      #expect(answer.status == .unprocessableContent)
      #expect(answer.headers[.setCookie] == nil)
      #expect(answer.text.contains("name=\"next\" value=\"/medicines\""))
      if !email.isEmpty { #expect(answer.text.contains("value=\"\(email)\"")) }
      #expect(!answer.text.contains("value=\"\(Self.password)"))
      let other = try await signIn(harness, email: email, password: "other", next: "/medicines")
      #expect(other.text.withoutNonces == answer.text.withoutNonces)
    }
  }

  @Test func `guessing is throttled`() async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      for _ in 0..<5 {
        #expect(try await signIn(harness, password: "guess").status == .unprocessableContent)
      }
      let slowed = try await signIn(harness)
      #expect(slowed.status == .tooManyRequests)
      #expect(slowed.headers[.retryAfter] == "1")
      harness.clock.advance(minutes: 1)
      #expect(try await signIn(harness).status == .seeOther)
    }
  }

  @Test(arguments: [
    ("/medicines", "/medicines"), ("/doses/a_1_n0?done=taken", "/doses/a_1_n0?done=taken"),
    ("https://evil.example/", "/"), ("//evil.example", "/"), ("/\\evil.example", "/"),
    ("/\t/evil.example", "/"), ("evil", "/"), ("javascript:alert(1)", "/"), ("", "/"),
    ("/a\r\nSet-Cookie: x=1", "/"), ("/é", "/"),
    ("/" + String(repeating: "a", count: 3000), "/" + String(repeating: "a", count: 3000)),
  ])
  func `the return address stays on this server`(next: String, target: String) async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      let answer = try await signIn(harness, next: next)
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location] == target)
      let address = "/sign-in?next=\(QueryText.encode(next))"
      let browser = try await harness.session(of: harness.makeAccount("Bob"))
      #expect(try await browser.open(address).headers[.location] == target)
      let page = try await harness.send(.get, address)
      #expect(page.status == .ok || page.status == .seeOther)
      #expect(page.text.contains("name=\"next\"") == (target != "/"))
    }
  }

  @Test func `a long request of an app survives signing in, and one that cannot is refused`()
    async throws
  {
    try await ServerHarness.run { harness in
      try await register(harness)
      let path = "/oauth/consent?state=" + String(repeating: "%3A", count: 1500)
      let door = try await harness.send(.get, path)
      let address = try #require(door.headers[.location])
      #expect(address == "/sign-in?next=\(QueryText.encode(path))")
      #expect(try await harness.send(.get, address).text.contains("name=\"next\""))
      #expect(try await signIn(harness, next: path).headers[.location] == path)
      let longest = "/oauth/consent?state=" + String(repeating: "%3A", count: 2500)
      #expect(try await harness.send(.get, longest).status == .uriTooLong)
      let posted = "/" + String(repeating: "a", count: LocalPath.longest)
      #expect(try await signIn(harness, next: posted).headers[.location] == "/")
    }
  }

  @Test func `a visitor is sent to the sign-in page and back`() async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      let answer = try await harness.send(.get, "/doses/a_1_n0?done=taken&x=%C3%A9")
      #expect(answer.status == .seeOther)
      #expect(
        answer.headers[.location]
          == "/sign-in?next=/doses/a_1_n0%3Fdone%3Dtaken%26x%3D%25C3%25A9")
      #expect(answer.headers[.cacheControl] == "no-store")
      let posted = try await harness.submit("/medicines/new/details", [("name", "x")])
      #expect(posted.headers[.location] == "/sign-in?next=/")
    }
  }

  @Test func `signing out ends the session`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      #expect(try await browser.open("/api/v1/me").status == .ok)
      let wrong = try await browser.post("/sign-out", [:], token: "wrong")
      #expect(wrong.status == .forbidden)
      #expect(try await browser.open("/api/v1/me").status == .ok)
      let answer = try await browser.post("/sign-out", [:])
      #expect(answer.status == .seeOther)
      #expect(answer.headers[.location] == "/sign-in")
      let cookies = answer.headers[values: .setCookie]
      try #require(cookies.count == 2)
      #expect(cookies[0].hasPrefix("regimen=; Path=/; Max-Age=0"))
      #expect(
        cookies[1] == "regimen-signed-out=yes; Path=/; Max-Age=300; HttpOnly; SameSite=Lax")
      #expect(answer.headers[.clearSiteData] == #""cache""#)
      #expect(try await browser.open("/api/v1/me").status == .unauthorized)
      #expect(try await browser.open("/").status == .seeOther)
      #expect(try await browser.post("/sign-out", [:]).status == .seeOther)
    }
  }

  @Test func `a session ends 30 days after its last use`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      for _ in 0..<3 {
        harness.clock.advance(minutes: 30 * 24 * 60 - 1)
        #expect(try await browser.open("/api/v1/me").status == .ok)
      }
      harness.clock.advance(minutes: 30 * 24 * 60)
      #expect(try await browser.open("/api/v1/me").status == .unauthorized)
    }
  }

  @Test func `other people's guesses don't lock out a known device`() async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      let known = try #require(
        try await signIn(harness, email: "ann@example.org").headers[values: .setCookie].last)
      let fields = [("email", "ann@example.org"), ("password", Self.password)]
      for _ in 0..<5 {
        let guess = try await signIn(harness, email: "ann@example.org", password: "wrong")
        #expect(guess.status == .unprocessableContent)
      }
      #expect(try await harness.submit("/sign-in", fields).status == .tooManyRequests)
      let own = try await harness.submit(
        "/sign-in", fields, [.cookie: String(known.prefix { $0 != ";" })])
      #expect(own.status == .seeOther)
      // It is still known, and needs no other cookie.
      #expect(own.headers[values: .setCookie].count == 1)
    }
  }

  @Test func `on a shared device a session ends after an hour`() async throws {
    try await ServerHarness.run { harness in
      try await register(harness)
      let answer = try await harness.submit(
        "/sign-in", [("email", "ann@example.org"), ("password", Self.password), ("shared", "yes")])
      let cookie = try #require(answer.headers[.setCookie])
      #expect(!cookie.contains("regimen-known"), "nobody is known on it")
      #expect(cookie.contains("Max-Age=86400;"))
      let own = String(cookie.prefix { $0 != ";" })
      harness.clock.advance(minutes: 59)
      #expect(try await harness.send(.get, "/api/v1/me", [.cookie: own]).status == .ok)
      harness.clock.advance(minutes: 60)
      #expect(try await harness.send(.get, "/api/v1/me", [.cookie: own]).status == .unauthorized)
    }
  }

  @Test func `a duplicate cookie is ignored`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let twice = "regimen=\(browser.secret.text); regimen=\(browser.secret.text)"
      #expect(try await harness.send(.get, "/api/v1/me", [.cookie: twice]).status == .unauthorized)
      let among = "a=b; regimen=\(browser.secret.text);regimen-theme=dark"
      #expect(try await harness.send(.get, "/api/v1/me", [.cookie: among]).status == .ok)
    }
  }
}

extension ServerHarness {
  /// Posts a form as a stranger's browser would.
  func submit(
    _ address: String, _ fields: [(String, String)], _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    let body = fields.map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }
      .joined(separator: "&")
    return try await client.executeRequest(
      uri: address, method: .post,
      headers: headers.with([.contentType: "application/x-www-form-urlencoded"]),
      body: ByteBuffer(string: body))
  }
}

extension String {
  /// The page without the parts that differ in each answer.
  var withoutNonces: String {
    replacing(/(nonce|data-challenge)="[^"]*"/, with: "")
  }
}
