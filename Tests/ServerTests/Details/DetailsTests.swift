// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Scheduling
import TestSupport
import Testing
import TimeZones

@testable import AccountPages
@testable import People

@Suite struct DetailsTests {
  static let current = PatientDetails(
    givenName: "Ann", familyName: "Hansen", birthDate: CivilDate(text: "1948-07-16"),
    phone: "+47 22 00 00 00", email: "ann@example.org", language: .nb, zone: "Europe/Oslo")
  static let today = CivilDate(text: "2026-03-01") ?? .earliest
  static let zones = ZoneCatalog()

  @Test func `a form sent back unchanged changes nothing`() {
    let reading = DetailsInput(Self.current)
      .read(over: Self.current, today: Self.today, zones: Self.zones)
    #expect(reading.mistakes == [])
    #expect(reading.details == Self.current)
  }

  @Test(arguments: [
    ("given-name", ""), ("birth-date", "2027-01-01"), ("birth-date", "16 July"),
    ("birth-date", "1799-01-01"), ("phone", "call me"), ("email", "nobody"),
    ("zone", "Mars/Olympus"), ("zone", "../etc/passwd"), ("zone", ""),
  ])
  func `errors are shown next to their field`(field: String, text: String) {
    var input = DetailsInput(Self.current)
    switch field {
    case "given-name": (input.givenName, input.familyName) = (text, "")
    case "birth-date": input.birthDate = text
    case "phone": input.phone = text
    case "email": input.email = text
    default: input.zone = text
    }
    let reading = input.read(over: Self.current, today: Self.today, zones: Self.zones)
    #expect(reading.mistakes.map(\.field) == [field])
    for language in Language.allCases {
      #expect(reading.mistakes.allSatisfy { !$0.message(.of(language)).contains("details.") })
    }
  }

  @Test(arguments: [("lunch", "", "lunch"), ("wake", "7", "wake"), ("lunch", "19:00", "dinner")])
  func `event times are read and must be in order`(
    moment: String, text: String, field: String
  ) throws {
    var input = DetailsInput(Self.current)
    input.moments[try #require(DetailsInput.Moment(rawValue: moment))] = text
    let reading = input.read(over: Self.current, today: Self.today, zones: Self.zones)
    #expect(reading.mistakes.map(\.field) == [field])
  }

  @Test func `a saved language applies, and the account's name follows`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let browser = house.browser
      let version = try await Self.version(browser, "/me/account")
      let renamed = try await browser.post(
        "/me/account",
        ["version": version, "given-name": "Åse", "family-name": "Öztürk", "phone": ""])
      #expect(renamed.headers[.location] == "/me/account?done=saved", "\(renamed.text)")
      #expect(renamed.headers[.setCookie] == nil)
      let language = try await browser.post("/me/appearance", ["language": "de"])
      #expect(language.headers[.location] == "/me/appearance?done=saved")
      #expect(language.headers[.setCookie]?.hasPrefix("regimen-language=; ") == true)
      let saved = try await browser.open("/me/account?done=saved").text
      #expect(saved.contains("<html lang=\"de\"") && saved.contains("gespeichert"))
      #expect(saved.contains("Åse Öztürk"))
      let again = try await browser.post(
        "/me/account", ["version": version, "given-name": "Ann"])
      #expect(again.status == .conflict && again.text.contains("value=\"Ann\""))
    }
  }

  @Test func `a page changes only what it asks for`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let browser = house.browser
      for (page, fields) in [
        ("/me/account", ["given-name": "Ann", "phone": "+47 22 00 00 00"]),
        ("/me/health-profile", ["birth-date": "1948-07-16"]),
        ("/me/routine", ["zone": "Europe/Oslo", "breakfast": "07:10"]),
        ("/me/contacts", ["pharmacy-name": "Sun Pharmacy"]),
        ("/me/appearance", ["language": "en"]),
      ] as [(String, [String: String])] {
        let answer = try await browser.post(page, pairs: fields.map { ($0.key, $0.value) })
        #expect(answer.status == .seeOther, "\(page): \(answer.text)")
      }
      for (page, value) in [
        ("/me/account", "+47 22 00 00 00"), ("/me/health-profile", "1948-07-16"),
        ("/me/routine", "07:10"), ("/me/contacts", "Sun Pharmacy"),
      ] {
        #expect(
          try await browser.open(page).text.contains("value=\"\(value)\""), "\(page)")
      }
      let patient = try await harness.send(
        .get, "/fhir/Patient/\(house.account.patient)", harness.token(of: house.account)
      ).json()
      #expect(patient["birthDate"]?.string == "1948-07-16")
    }
  }

  @Test func `a new zone reports its effect on the medicines`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      let answer = try await house.browser.post(
        "/me/routine",
        [
          "zone": "Asia/Bangkok", "wake": "07:00", "breakfast": "07:10", "lunch": "12:30",
          "dinner": "18:30", "bedtime": "22:30",
        ])
      let target = try #require(answer.headers[.location])
      #expect(target == "/me/routine?done=saved&changed=zone&changed=meals")
      let page = try await house.browser.open(target).text
      #expect(page.contains("2 medicines now follow Bangkok time."))
      #expect(!page.contains("new meal and sleep times"))
    }
  }

  @Test(arguments: [
    ("/me/account", "given-name", "", "phone", "+47 22 00 00 00"),
    ("/me/account", "email", "nobody", "given-name", "Ann \"A\""),
    ("/me/health-profile", "birth-date", "2999-01-01", "birth-date", "2999-01-01"),
    ("/me/routine", "zone", "Nowhere", "lunch", "13:15"),
    ("/me/routine", "lunch", "12", "lunch", "12"),
    ("/me/contacts", "pharmacy-phone", "call me", "pharmacy-name", "Sun"),
  ])
  func `an invalid form keeps the input`(
    page: String, field: String, wrong: String, other: String, kept: String
  ) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      var fields = [other: kept]
      if page == "/me/account" { fields["family-name"] = "" }
      fields[field] = wrong
      let answer = try await house.browser.post(
        page, pairs: fields.map { ($0.key, $0.value) })
      #expect(answer.status == .unprocessableContent, "\(answer.text)")
      #expect(answer.text.contains("href=\"#field-\(field)\""), "\(page)")
      let shown = kept.replacing("\"", with: "&quot;")
      #expect(answer.text.contains("value=\"\(shown)\""), "\(page) \(kept)")
    }
  }

  private static func version(_ browser: Browser, _ page: String) async throws -> String {
    let text = try await browser.open(page).text
    return String(
      try #require(text.firstMatch(of: /name="version" value="(\d+)"/)?.output.1))
  }
}
