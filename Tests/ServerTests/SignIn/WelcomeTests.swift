// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Web

@Suite struct WelcomeTests {
  private func fields(
    _ harness: ServerHarness, _ changes: [String: String] = [:]
  ) -> [(String, String)] {
    let typed = [
      ("code", harness.environment.setupCode?.text ?? ""), ("name", "Ann Larsen"),
      ("email", "ann@example.org"), ("password", SignInTests.password), ("language", "nb"),
      ("zone", "Europe/Oslo"),
    ]
    return typed.map { ($0.0, changes[$0.0] ?? $0.1) }
  }

  @Test func `the setup creates the first account once`() async throws {
    try await ServerHarness.run { harness in
      #expect(try await harness.send(.get, "/sign-in").headers[.location] == "/welcome")
      #expect(try await harness.send(.get, "/welcome").status == .ok)
      let made = try await harness.submit("/welcome", fields(harness))
      #expect(made.status == .seeOther, "\(made.text)")
      #expect(made.headers[.location] == "/start/for")
      let cookie = try #require(made.headers[.setCookie]?.split(separator: ";").first)
      let me = try await harness.send(.get, "/api/v1/me", [.cookie: String(cookie)]).json()
      #expect(me["account"]?["administrator"] == true)
      #expect(me["account"]?["name"] == "Ann Larsen")
      let patient = try #require(me["patients"]?[0]?["id"]?.string)
      let read = try await harness.send(
        .get, "/fhir/Patient/\(patient)", [.cookie: String(cookie)])
      #expect(read.text.contains("Europe/Oslo"))
      let again = try await harness.submit("/welcome", fields(harness, ["email": "b@example.org"]))
      #expect(again.status == .seeOther)
      #expect(again.headers[.location] == "/sign-in")
      #expect(again.headers[.setCookie] == nil)
      #expect(try await harness.send(.get, "/welcome").headers[.location] == "/sign-in")
      #expect(try await harness.send(.get, "/sign-in").status == .ok)
    }
  }

  @Test func `the device's zone is suggested, and a chosen zone stays`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let first = try await harness.send(.get, "/welcome").text
      #expect(first.contains("data-local-zone"))
      // Without a script the server's own zone is selected.
      #expect(first.contains("<option value=\"Europe/Berlin\" selected>"))
      let again = try await harness.submit("/welcome", fields(harness, ["name": ""])).text
      #expect(!again.contains("data-local-zone"))
      #expect(again.contains("<option value=\"Europe/Oslo\" selected>"))
    }
  }

  @Test func `mistakes are listed in the order of their fields`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.submit(
        "/welcome", fields(harness, ["code": "WRONG", "name": "", "password": "short"]))
      #expect(answer.status == .unprocessableContent)
      let places = ["code", "name", "password"].map {
        answer.text.firstRange(of: "href=\"#\(FormField.controlID($0))\"")?.lowerBound
      }
      let found = places.compactMap(\.self)
      #expect(found.count == 3)
      #expect(found == found.sorted())
    }
  }

  @Test func `the chosen country sets the emergency number`() async throws {
    try await ServerHarness.run { harness in
      #expect(try await harness.send(.get, "/welcome").text.contains("name=\"country\""))
      let without = try await harness.submit("/welcome", fields(harness) + [("country", "")])
      #expect(without.status == .unprocessableContent)
      #expect(without.text.contains("href=\"#field-country\""))
      let made = try await harness.submit("/welcome", fields(harness) + [("country", "no")])
      #expect(made.headers[.location] == "/start/for", "\(made.text)")
      let cookie = try #require(made.headers[.setCookie]?.split(separator: ";").first)
      let card = try await harness.send(
        .get, "/emergency-card", [.cookie: String(cookie)])
      #expect(card.text.contains("Ambulanse i Norge: <a href=\"tel:113\">113</a>"))
    }
  }

  @Test func `the first account can have a phone number`() async throws {
    try await ServerHarness.run { harness in
      let without = try await harness.submit("/welcome", fields(harness, ["email": "90012345"]))
      #expect(without.status == .unprocessableContent && without.text.contains("country"))
      let made = try await harness.submit(
        "/welcome", fields(harness, ["email": "0047 900 12 345"]))
      #expect(made.headers[.location] == "/start/for", "\(made.text)")
      let cookie = try #require(made.headers[.setCookie]?.split(separator: ";").first)
      let me = try await harness.send(.get, "/api/v1/me", [.cookie: String(cookie)]).json()
      #expect(me["account"]?["phone"] == "+4790012345")
      let signedIn = try await harness.submit(
        "/sign-in", [("email", "+47 90012345"), ("password", SignInTests.password)])
      #expect(signedIn.status == .seeOther)
    }
  }

  @Test func `the setup code is accepted in any spelling`() async throws {
    try await ServerHarness.run { harness in
      let code = harness.environment.setupCode?.text ?? ""
      let typed = " " + code.lowercased().replacing("-", with: " ") + " "
      let made = try await harness.submit("/welcome", fields(harness, ["code": typed]))
      #expect(made.headers[.location] == "/start/for")
    }
  }

  @Test(arguments: [
    ("code", ""), ("code", "AAAA-AAAA-AAAA"), ("name", ""), ("name", "   "),
    ("name", String(repeating: "n", count: 101)), ("email", ""), ("email", "nonsense"),
    ("email", "a@b@c"), ("password", ""), ("password", "short"), ("password", "aaaaaaaaaaaaaaaa"),
    ("password", "ann@example.org"), ("zone", ""), ("zone", "Mars/Olympus"), ("zone", "../../etc"),
  ])
  func `errors are shown next to their field, and nothing is created`(
    field: String, value: String
  ) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.submit("/welcome", fields(harness, [field: value]))
      #expect(answer.status == .unprocessableContent, "\(field)")
      #expect(answer.text.contains("href=\"#field-\(field)\""))
      if field != "email" { #expect(answer.text.contains("value=\"ann@example.org\"")) }
      if field != "name" { #expect(answer.text.contains("value=\"Ann Larsen\"")) }
      #expect(!answer.text.contains(SignInTests.password))
      #expect(answer.headers[.setCookie] == nil)
      let made = try await harness.submit("/welcome", fields(harness))
      #expect(made.headers[.location] == "/start/for", "the code was used up")
    }
  }

  @Test func `guessing voids the setup code`() async throws {
    try await ServerHarness.run { harness in
      for _ in 0..<100 {
        _ = try await harness.submit("/welcome", fields(harness, ["code": "WRONG"]))
      }
      let late = try await harness.submit("/welcome", fields(harness))
      #expect(late.status == .unprocessableContent)
    }
  }

  @Test func `two parallel setups create one account`() async throws {
    try await ServerHarness.run { harness in
      async let one = harness.submit("/welcome", fields(harness))
      async let two = harness.submit("/welcome", fields(harness, ["email": "eve@example.org"]))
      let targets = try await [one, two].map { $0.headers[.location] ?? "" }
      #expect(targets.sorted() == ["/sign-in", "/start/for"])
    }
  }
}
