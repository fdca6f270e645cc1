// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// The demands of apps on the sign-in: `prompt` and `max_age` of OpenID Connect.
@Suite struct AppSignInDemandTests {
  /// Returns the claims of an ID token, whose signature other tests check.
  private func claims(_ tokens: JSONValue) throws -> JSONValue {
    let parts = try #require(tokens["id_token"]?.string).split(separator: ".")
    return try JSONValue(parsing: try #require(Base64URL.decode(parts[1])))
  }

  private func error(_ response: TestResponse) throws -> String? {
    try AppHouse.answer(response)["error"]
  }

  @Test func `prompt none never shows a page`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let silent: [String: String?] = ["prompt": "none"]
      let query = QueryText.encode(house.fields(silent))
      let stranger = try await harness.send(.get, "/oauth/authorize?" + query)
      #expect(try error(stranger) == "login_required")
      #expect(try error(try await house.authorize(silent)) == "consent_required")
      harness.clock.advance(minutes: 2)
      let old: [String: String?] = ["prompt": "none", "max_age": "60"]
      #expect(try error(try await house.authorize(old)) == "login_required")
      let young: [String: String?] = ["prompt": "none", "max_age": "120"]
      #expect(try error(try await house.authorize(young)) == "consent_required")
      let both: [String: String?] = ["prompt": "none login"]
      #expect(try error(try await house.authorize(both)) == "invalid_request")
    }
  }

  @Test(arguments: ["soon", "-1", "1.5", "1000000001"])
  func `a wrong max_age is refused`(age: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      #expect(try error(try await house.authorize(["max_age": age])) == "invalid_request")
    }
  }

  @Test(arguments: [["prompt": "login"], ["max_age": "60"], ["max_age": "0"]])
  func `a person proves who they are before the decision`(
    demand: [String: String]
  ) async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      harness.clock.advance(minutes: 2)
      let changes = demand.mapValues { String?.some($0) }
      let led = try await house.authorize(changes)
      let address = try #require(led.headers[.location])
      #expect(address.hasPrefix("/oauth/consent?") && address.contains("asked="))
      let asked = try await house.browser.open(address)
      #expect(asked.headers[.location]?.hasPrefix("/account/security/prove?next=") == true)

      // Neither a decision without the proof nor one that invents the time of the request counts.
      #expect(try error(try await house.decide(changes)) == "login_required")
      let invented = try await house.decide(changes.merging(["asked": "AAAA"]) { $1 })
      #expect(try error(invented) == "login_required")
      let own = try LoginDemand.mark(
        Timestamp(milliseconds: harness.clock.now.milliseconds - 1_000_000),
        challenge: "another request", cipher: harness.environment.accounts.cipher)
      let moved = try await house.decide(changes.merging(["asked": own]) { $1 })
      #expect(try error(moved) == "login_required")

      harness.clock.advance(minutes: 1)
      try await harness.proveAgain()
      let page = try await house.browser.open(address)
      #expect(page.status == .ok && page.text.contains("Connect Tracker?"), "\(page.text)")
      let mark = String(try #require(address.firstMatch(of: /asked=([\w-]+)/)).1)
      let proved = harness.clock.now
      harness.clock.advance(minutes: 1)
      let decided = try await house.decide(changes.merging(["asked": mark]) { $1 })
      let code = try #require(try AppHouse.answer(decided)["code"])
      let claims = try claims(try await house.exchange(code).json())
      #expect(claims["auth_time"]?.number?.integer == Int(proved.milliseconds / 1000))
      #expect(claims["acr"] == nil)
    }
  }

  @Test func `an address without the time of the request leads back to the start`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let query = QueryText.encode(house.fields(["prompt": "login", "asked": "made-up"]))
      let led = try await house.browser.open("/oauth/consent?" + query)
      let location = try #require(led.headers[.location])
      #expect(location.hasPrefix("/oauth/authorize?") && !location.contains("asked"))
      // Such a time sent by an app has no effect.
      let fresh = try await house.authorize(["prompt": "login", "asked": "made-up"])
      #expect(fresh.headers[.location]?.contains("made-up") == false)
    }
  }

  @Test func `prompt consent and a recent sign-in need no further proof`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      for changes in [["prompt": "consent"], ["max_age": "3600"]] as [[String: String?]] {
        let led = try await house.authorize(changes)
        let page = try await house.browser.open(try #require(led.headers[.location]))
        #expect(page.status == .ok && page.text.contains("Connect Tracker?"))
      }
      let openID = try await harness.send(.get, "/.well-known/openid-configuration").json()
      #expect(openID["prompt_values_supported"] == ["none", "login", "consent"])
      #expect(openID["claims_supported"]?.array?.contains("auth_time") == true)
      #expect(openID["claims_supported"]?.array?.contains("acr") == false)
    }
  }
}
