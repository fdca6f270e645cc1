// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// The way of a person from an app to the page of the decision, and back.
@Suite struct AuthorizeTests {
  @Test func `a person signs in, reads what the app wants, and decides`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let query = QueryText.encode(house.fields())
      let stranger = try await harness.send(.get, "/oauth/authorize?" + query)
      let consent = try #require(stranger.headers[.location])
      #expect(stranger.status == .seeOther && consent.hasPrefix("/oauth/consent?"))
      let door = try await harness.send(.get, consent)
      #expect(door.headers[.location]?.hasPrefix("/sign-in?next=") == true)

      let led = try await house.authorize()
      let page = try await house.browser.open(try #require(led.headers[.location]))
      #expect(page.status == .ok, "\(page.text)")
      #expect(page.text.contains("Connect Tracker?") && page.text.contains("See all health data"))
      #expect(page.text.contains("app.example.org") && page.text.contains("90 days"))
      let policy = try #require(page.headers[.contentSecurityPolicy])
      #expect(policy.contains("form-action 'self' https://app.example.org;"))
      // The picture comes from the app's site and from no other.
      #expect(page.text.contains("<img src=\"https://pictures.example.org/logo.png\" alt=\"\""))
      #expect(policy.contains("img-src 'self' https://pictures.example.org blob:;"))
      for link in ["privacy", "terms"] {
        #expect(page.text.contains("href=\"https://app.example.org/\(link)\""), "\(link)")
      }

      let answer = try AppHouse.answer(try await house.decide())
      #expect(answer["state"] == "s-1" && answer["iss"] == "http://localhost")
      #expect(answer["code"]?.hasPrefix("rgc_") == true)
      let refused = try AppHouse.answer(try await house.decide(answer: "deny"))
      #expect(refused["error"] == "access_denied" && refused["state"] == "s-1")
    }
  }

  @Test(
    arguments: [
      ["redirect_uri": "https://app.example.org/return/"],
      ["redirect_uri": "https://evil.example/return"], ["redirect_uri": nil],
      ["client_id": "nothing"], ["client_id": nil],
    ] as [[String: String?]])
  func `no one is sent to an address that is not the app's`(
    changes: [String: String?]
  ) async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      for response in [
        try await house.authorize(changes), try await house.decide(changes),
        try await house.browser.open(
          "/oauth/consent?" + QueryText.encode(house.fields(changes))),
      ] {
        #expect(response.status == .badRequest && response.headers[.location] == nil)
        #expect(response.text.contains("The app can’t be connected"))
      }
    }
  }

  @Test func `the app learns what is wrong with its request`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let cases: [(String, [String: String?])] = [
        ("unsupported_response_type", ["response_type": "token"]),
        ("invalid_request", ["code_challenge": nil]),
        ("invalid_request", ["code_challenge_method": "plain"]),
        ("invalid_request", ["code_challenge": "short"]),
        ("invalid_request", ["aud": nil]),
        ("invalid_request", ["aud": "https://other.example/fhir"]),
        ("invalid_scope", ["scope": "system/*.rs"]), ("invalid_scope", ["scope": nil]),
        ("invalid_scope", ["launch": "rgl_unknown"]),
        ("invalid_request", ["scope": "launch patient/*.rs"]),
        ("consent_required", ["prompt": "none"]),
      ]
      for (error, changes) in cases {
        let answer = try AppHouse.answer(try await house.authorize(changes))
        #expect(answer["error"] == error && answer["state"] == "s-1", "\(changes)")
      }
      let query = QueryText.encode(house.fields(["prompt": "none"]))
      let stranger = try await harness.send(.get, "/oauth/authorize?" + query)
      #expect(try AppHouse.answer(stranger)["error"] == "login_required")
      let twice = try await house.browser.open(
        "/oauth/authorize?" + QueryText.encode(house.fields() + [("scope", "patient/*.rs")]))
      #expect(twice.status == .badRequest)
    }
  }

  @Test func `a person allows less than the app wants, and never more`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let changes = ["scope": "launch/patient patient/Patient.rs patient/Observation.cruds"]
      let allowed = ["patient/Observation.rs", "patient/*.cruds", "user/*.cruds"]
      let response = try await house.decide(changes, allowed: allowed)
      let code = try #require(try AppHouse.answer(response)["code"])
      let tokens = try await house.exchange(code).json()
      #expect(tokens["refresh_token"] == nil)
      let scope = tokens["scope"]?.string?.split(separator: " ").map(String.init) ?? []
      #expect(!scope.contains { $0.hasPrefix("user/") || $0.hasPrefix("patient/*") })

      let none = try await house.decide(changes, allowed: [])
      #expect(none.status == .unprocessableContent && none.text.contains("Choose at least one"))
    }
  }

  @Test func `no one shares the data of a person they don't act for`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let bob = try await harness.makeAccount("Bob")
      let fields =
        house.fields() + [
          ("allowed", "patient/*.rs"), ("answer", "allow"), ("whose", bob.patient.text),
        ]
      let response = try await house.browser.submitForm("/oauth/consent", fields)
      #expect(response.status == .unprocessableContent)
      #expect(response.headers[.location] == nil && response.text.contains("Choose whose data"))
    }
  }

  @Test func `a form of another site decides nothing`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      let response = try await house.browser.post(
        "/oauth/consent", ["answer": "allow"], token: "wrong")
      #expect(response.status == .forbidden)
      // An app may post its request from its own site; that decides nothing either.
      let posted = try await harness.submit(
        "/oauth/authorize", house.fields(),
        [.origin: "https://app.example.org", .secFetchSite: "cross-site"])
      #expect(posted.headers[.location]?.hasPrefix("/oauth/consent?") == true)
    }
  }

  @Test func `an app starts from the list, for the person of the page`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AppHouse(harness)
      #expect(try await house.browser.open("/me/apps").text.contains("Open Tracker"))
      let started = try await house.browser.post("/me/apps/start", ["app": house.app])
      let location = try #require(started.headers[.location])
      #expect(
        location.hasPrefix("https://app.example.org/launch?iss=http://localhost/fhir&launch="))
      let launch = String(try #require(location.firstMatch(of: /launch=(rgl_[\w-]+)/)).1)
      let changes = ["launch": launch, "scope": "launch patient/*.rs"]
      let code = try await house.code(changes)
      #expect(
        try await house.exchange(code).json()["patient"]?.string == house.account.patient.text)
      harness.clock.advance(minutes: 5)
      let late = try AppHouse.answer(try await house.decide(changes))
      #expect(late["error"] == "invalid_request")
    }
  }
}
