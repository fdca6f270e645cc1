// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@Suite struct TokenPageTests {
  private func make(
    _ house: AccountSecurityHouse, _ label: String = "Watch", days: String = "30"
  ) async throws -> TestResponse {
    try await house.browser.post("/account/tokens", ["label": label, "days": days])
  }

  @Test func `a token has an expiry, is shown once and can be revoked`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let made = try await make(house)
      #expect(made.status == .ok, "\(made.text)")
      let token = String(try #require(made.text.firstMatch(of: /rgt_[\w-]{43}/)).0)
      let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
      var page = try await house.browser.open("/me/programs").text
      #expect(page.contains("Watch") && page.contains("\(token.prefix(8))…"))
      #expect(!page.contains(token) && page.contains("Not used yet."))
      #expect(page.contains("Expires "))
      #expect(try await harness.send(.get, "/api/v1/me", bearer).status == .ok)
      page = try await house.browser.open("/me/programs").text
      #expect(!page.contains("Not used yet.") && page.contains("Last used: "))
      let bob = try await AccountSecurityHouse(harness, "Bob")
      let id = Hexadecimal.encode(Secret(text: token).digest)
      #expect(try await bob.browser.post("/account/tokens/\(id)", [:]).status == .notFound)
      #expect(try await house.browser.post("/account/tokens/zz", [:]).status == .notFound)
      let ended = try await house.browser.post("/account/tokens/\(id)", [:])
      #expect(ended.headers[.location] == "/me/programs?token=ended")
      #expect(try await harness.send(.get, "/api/v1/me", bearer).status == .unauthorized)
    }
  }

  @Test func `an expired token is refused`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let made = try await make(house)
      let token = String(try #require(made.text.firstMatch(of: /rgt_[\w-]{43}/)).0)
      let bearer: HTTPFields = [.authorization: "Bearer \(token)"]
      harness.clock.advance(minutes: 30 * 24 * 60 - 1)
      #expect(try await harness.send(.get, "/api/v1/me", bearer).status == .ok)
      harness.clock.advance(minutes: 1)
      #expect(try await harness.send(.get, "/api/v1/me", bearer).status == .unauthorized)
    }
  }

  @Test(arguments: [
    ("", "30"), (String(repeating: "x", count: 61), "30"), ("Watch", "0"), ("Watch", "-1"),
    ("Watch", "3651"), ("Watch", "x"), ("Watch", "99999999999999999999"),
  ])
  func `invalid requests are refused`(label: String, days: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let answer = try await make(house, label, days: days)
      #expect(answer.status == .unprocessableContent)
      #expect(
        try await house.browser.open("/me/programs").text.contains("No tokens yet."))
    }
  }

  @Test func `a token can't create tokens, and creating one needs a recent sign-in`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let bearer = try await harness.token(of: house.account)
      #expect(try await harness.send(.get, "/account/tokens", bearer).status == .forbidden)
      harness.clock.advance(minutes: 40)
      let late = try await make(house)
      #expect(late.headers[.location]?.hasPrefix("/account/security/prove") == true)
    }
  }

  /// Any stranger can send this header.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a mutated Authorization header is always refused`(seed: UInt64) async throws {
    try await ServerHarness.run { harness in
      let account = try await harness.makeAccount()
      let bearer = try await harness.token(of: account)
      let whole = try #require(bearer[.authorization])
      let mutator = Mutator(
        fragments: ["Bearer ", "Basic ", "rgt_", "rgs_", ",", "="], marks: " =,:_-")
      var generator = SeededGenerator(seed: seed)
      for _ in 0..<200 {
        let bytes = mutator.mutate(Array(whole.utf8), with: &generator)
        let text = String(decoding: bytes.filter { (0x20...0x7E).contains($0) }, as: UTF8.self)
        let headers: HTTPFields = [.authorization: text]
        let answer = try await harness.send(.get, "/api/v1/me", headers)
        let isWhole =
          text.lowercased().hasPrefix("bearer ") && text.dropFirst(7) == whole.dropFirst(7)
        #expect(answer.status == (isWhole ? .ok : .unauthorized), "\(text.count)")
      }
    }
  }
}
