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

/// The tokens of an app over HTTP.
@Suite struct AppTokenEndpointTests {
  @Test func `a code becomes tokens that read the person's data and nothing else`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let bob = try await harness.makeAccount("Bob")
      let response = try await house.exchange(try await house.code())
      #expect(response.status == .ok && response.headers[.cacheControl] == "no-store")
      let json = try response.json()
      #expect(json["token_type"]?.string == "Bearer" && json["expires_in"]?.number?.integer == 3600)
      #expect(json["patient"]?.string == house.account.patient.text)
      let bearer = house.bearer(try #require(json["access_token"]?.string))
      let own = try await harness.send(.get, "/fhir/Patient/\(house.account.patient)", bearer)
      #expect(own.status == .ok, "\(own.text)")
      let other = try await harness.send(.get, "/fhir/Patient/\(bob.patient)", bearer)
      #expect([.notFound, .forbidden].contains(other.status))
      #expect(try await harness.send(.get, "/me", bearer).status == .forbidden)
      #expect(try await harness.send(.get, "/oauth/consent", bearer).status == .forbidden)

      let keys = try await harness.send(.get, "/oauth/jwks").json()
      let identity = try await IDToken(
        try #require(json["id_token"]?.string), keys: try #require(SigningKeys(keys)),
        IDToken.Expectation(
          issuer: "http://localhost", clientID: house.app, nonce: "n-1", accessToken: nil,
          now: harness.clock.now))
      #expect(identity.subject == house.account.id.text)
    }
  }

  @Test func `wrong verifiers, addresses, codes and apps get nothing`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let other = try await AppHouse(harness, name: "Bob")
      let code = try await house.code()
      for response in [
        try await house.exchange(code, verifier: String(repeating: "w", count: 50)),
        try await house.exchange(code, redirect: "https://app.example.org/other"),
        try await house.exchange("rgc_unknown"), try await house.exchange(code, as: other.app),
      ] {
        #expect(response.status == .badRequest)
        #expect(try response.json()["error"]?.string == "invalid_grant")
      }
      harness.clock.advance(minutes: 1)
      #expect(try await house.exchange(code).json()["error"]?.string == "invalid_grant")
      #expect(try await house.exchange(code, as: "unknown").status == .unauthorized)
    }
  }

  @Test func `a second use of a code or refresh token ends all tokens`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let code = try await house.code()
      let first = try await house.exchange(code).json()
      let bearer = house.bearer(try #require(first["access_token"]?.string))
      let me = "/fhir/Patient/\(house.account.patient)"
      #expect(try await harness.send(.get, me, bearer).status == .ok)
      #expect(try await house.exchange(code).status == .badRequest)
      #expect(try await harness.send(.get, me, bearer).status == .unauthorized)

      let fresh = try await house.exchange(try await house.code()).json()
      let token = try #require(fresh["refresh_token"]?.string)
      let fields = [("grant_type", "refresh_token"), ("refresh_token", token)]
      let wide = try await house.post("/oauth/token", fields + [("scope", "user/*.cruds")])
      #expect(try wide.json()["error"]?.string == "invalid_scope")
      let next = try await house.post("/oauth/token", fields).json()
      let newer = house.bearer(try #require(next["access_token"]?.string))
      #expect(try await harness.send(.get, me, newer).status == .ok)
      #expect(try await house.post("/oauth/token", fields).status == .badRequest)
      #expect(try await harness.send(.get, me, newer).status == .unauthorized)
    }
  }

  @Test func `a confidential app proves itself in one way`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness, kind: .confidential)
      let secret = try #require(house.secret)
      func exchange(_ code: String, _ headers: HTTPFields, _ more: [(String, String)] = [])
        async throws -> TestResponse
      {
        try await harness.submit(
          "/oauth/token",
          [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", AppHouse.redirect), ("code_verifier", AppHouse.verifier),
          ] + more, headers)
      }
      func basic(_ secret: String) -> HTTPFields {
        [.authorization: "Basic \(Base64.encode(Array("\(house.app):\(secret)".utf8)))"]
      }
      let code = try await house.code()
      let wrong = try await exchange(code, basic("wrong"))
      #expect(wrong.status == .unauthorized && wrong.headers[.wwwAuthenticate] != nil)
      #expect(try wrong.json()["error"]?.string == "invalid_client")
      let bare = try await exchange(code, [:], [("client_id", house.app)])
      #expect(bare.status == .unauthorized)
      let twice = try await exchange(
        code, basic(secret), [("client_secret", secret), ("client_id", house.app)])
      #expect(try twice.json()["error"]?.string == "invalid_request")
      #expect(try await exchange(code, basic(secret)).status == .ok)
    }
  }

  @Test func `an app can ask about its tokens and end them`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let other = try await AppHouse(harness, name: "Bob")
      let json = try await house.exchange(try await house.code()).json()
      let token = try #require(json["access_token"]?.string)
      let facts = try await house.post("/oauth/introspect", [("token", token)]).json()
      #expect(facts["active"]?.bool == true && facts["client_id"]?.string == house.app)
      #expect(facts["patient"]?.string == house.account.patient.text)
      for unknown in [
        try await other.post("/oauth/introspect", [("token", token)]),
        try await house.post("/oauth/introspect", [("token", "rga_unknown")]),
      ] { #expect(try unknown.json() == ["active": false]) }
      #expect(try await house.post("/oauth/revoke", [("token", token)]).status == .ok)
      #expect(try await house.post("/oauth/revoke", [("token", token)]).status == .ok)
      let gone = try await house.post("/oauth/introspect", [("token", token)]).json()
      #expect(gone["active"]?.bool == false)
    }
  }

  @Test func `a person sees the app and ends its access`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      #expect(try await house.browser.open("/me/apps").text.contains("No connected apps."))
      let json = try await house.exchange(try await house.code()).json()
      let bearer = house.bearer(try #require(json["access_token"]?.string))
      let me = "/fhir/Patient/\(house.account.patient)"
      #expect(try await harness.send(.get, me, bearer).status == .ok)
      let page = try await house.browser.open("/me/apps").text
      #expect(page.contains("Tracker") && page.contains("Last used: "))
      let grant = String(
        try #require(page.firstMatch(of: /name="grant" value="([^"]+)"/)).1)
      let bob = try await AppHouse(harness, name: "Bob")
      #expect(try await bob.browser.post("/me/apps/end", ["grant": grant]).status == .notFound)
      let ended = try await house.browser.post("/me/apps/end", ["grant": grant])
      #expect(ended.headers[.location] == "/me/apps?app=ended")
      #expect(try await harness.send(.get, me, bearer).status == .unauthorized)
    }
  }

  @Test func `the documents name what is served`() async throws {
    try await ServerHarness.run { harness in
      for path in ["/.well-known/smart-configuration", "/fhir/.well-known/smart-configuration"] {
        let json = try await harness.send(.get, path).json()
        #expect(json["token_endpoint"]?.string == "http://localhost/oauth/token")
        #expect(json["code_challenge_methods_supported"] == ["S256"])
        #expect(json["registration_endpoint"] == nil)
        #expect(json["capabilities"]?.array?.contains("launch-ehr") == true)
      }
      let openID = try await harness.send(.get, "/.well-known/openid-configuration").json()
      #expect(openID["issuer"]?.string == "http://localhost")
      let statement = try await harness.send(.get, "/fhir/metadata").json()
      let security = statement["rest"]?[0]?["security"]
      #expect(security?["service"]?[0]?["coding"]?[0]?["code"]?.string == "SMART-on-FHIR")
      let refused = try await harness.send(.post, "/oauth/register", json: ["client_name": "x"])
      #expect(refused.status == .forbidden)
    }
  }
}
