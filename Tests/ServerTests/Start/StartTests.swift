// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Knowledge
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// The first pages of a new account.
@Suite struct StartTests {
  @Test func `language, time zone and text size are suggested and saved`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      var headers = browser.headers
      headers[.acceptLanguage] = "nb-NO,nb;q=0.9,en;q=0.8"
      let page = try await harness.send(.get, "/start", headers)
      #expect(page.status == .ok)
      for proposed in ["value=\"nb\" selected", "value=\"Europe/Oslo\" selected"] {
        #expect(page.text.contains(proposed), "\(proposed)")
      }
      #expect(page.text.contains("data-local-zone"))
      let saved = try await browser.post(
        "/start", ["language": "de", "zone": "Europe/Berlin", "text-size": "150"])
      #expect(saved.headers[.location] == "/start/for", "\(saved.text)")
      let cookies = saved.headers[values: .setCookie]
      #expect(cookies.contains { $0.hasPrefix("regimen-text-size=150") })
      let me = try await harness.send(.get, "/fhir/Patient/\(ann.patient)", browser.headers)
      #expect(me.text.contains("Europe/Berlin"))
      #expect(try await browser.open("/start/for").text.contains("Für wen ist es?"))
    }
  }

  @Test func `an unknown zone is refused next to its field`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      for zone in ["", "Mars/Olympus", "../../etc"] {
        let answer = try await browser.post(
          "/start", ["language": "nb", "zone": zone, "text-size": "125"])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("href=\"#field-zone\""))
        #expect(answer.text.contains("value=\"nb\" selected"))
        #expect(!answer.text.contains("data-local-zone"))
      }
    }
  }

  @Test func `with medicines the zone stays, because doses would move`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.ann.patient, medicine: "Metoprolol")
      let browser = house.browser
      #expect(!(try await browser.open("/start").text).contains("name=\"zone\""))
      let saved = try await browser.post("/start", ["language": "en", "zone": "Asia/Bangkok"])
      #expect(saved.status == .seeOther)
      let stored = try await harness.send(
        .get, "/fhir/Patient/\(house.ann.patient)", browser.headers)
      #expect(!stored.text.contains("Asia/Bangkok"))
    }
  }

  @Test func `choosing whom it is for opens the right page`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      let page = try await browser.open("/start/for").text
      for address in ["/", "/people/new?for=child", "/people/new?for=other", "/care"] {
        #expect(page.contains("<a href=\"\(address)\">"), "\(address)")
        #expect(try await browser.open(address).status == .ok)
      }
      let form = try await browser.open("/people/new?for=child")
      #expect(try form.hidden("for") == "child")
      let mistaken = try await browser.post("/people/new", ["given-name": "", "for": "child"])
      #expect(try mistaken.hidden("for") == "child")
      let added = try await browser.post(
        "/people/new",
        ["given-name": "Mali", "label": "colour", "colour": "green", "for": "child"])
      #expect(added.headers[.location] == "/", "\(added.text)")
      // From now on the device shows the child's Today.
      let cookies = added.headers[values: .setCookie]
      #expect(cookies.contains { $0.hasPrefix("\(PersonChoice.cookie)=") })
    }
  }

  @Test(
    arguments: [
      ("de-DE,de;q=0.9", .germany), ("nb,en;q=0.5", .norway), ("en-GB", .unitedKingdom),
      ("tr", .turkey), ("th-TH", .thailand), ("fr-FR", .europeanUnion), ("fr-CA", .other),
      ("en-US,en;q=0.9", nil), ("en-US,de-DE;q=0.5", .germany), ("de", nil), ("", nil), ("*", nil),
      (nil, nil), (";;,,-,--", nil),
    ] as [(String?, EmergencyRegion?)])
  func `languages suggest a country only if it is the only one`(
    header: String?, region: EmergencyRegion?
  ) {
    #expect(BrowserGuess(acceptLanguage: header).region == region)
  }

  @Test func `the server's zone is suggested only if it was set`() {
    let guess = BrowserGuess(acceptLanguage: "th")
    #expect(guess.zone(home: "Etc/UTC") == "Asia/Bangkok")
    #expect(guess.zone(home: "Europe/Oslo") == "Europe/Oslo")
    #expect(BrowserGuess(acceptLanguage: "en-US").zone(home: "UTC") == "UTC")
  }
}
