// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Localization
import Scheduling
import Testing
import TestSupport
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
  func `what is wrong stands beside its field`(field: String, text: String) {
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
  func `times of the day are read and stand in order`(
    moment: String, text: String, field: String
  ) throws {
    var input = DetailsInput(Self.current)
    input.moments[try #require(DetailsInput.Moment(rawValue: moment))] = text
    let reading = input.read(over: Self.current, today: Self.today, zones: Self.zones)
    #expect(reading.mistakes.map(\.field) == [field])
  }

  @Test func `saved details speak the new language and keep the account's name in step`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let page = try await house.browser.open("/details").text
      let version = try #require(page.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      let answer = try await house.browser.post(
        "/details", Self.fields(version: String(version), language: "de", zone: "UTC"))
      #expect(answer.headers[.location] == "/details?done=saved&changed=meals", "\(answer.text)")
      #expect(answer.headers[.setCookie]?.hasPrefix("regimen-language=; ") == true)
      let saved = try await house.browser.open("/details?done=saved").text
      #expect(saved.contains("<html lang=\"de\"") && saved.contains("gespeichert"))
      #expect(saved.contains("Åse Öztürk"))
      #expect(saved.contains("value=\"07:10\""))
      let again = try await house.browser.post(
        "/details", Self.fields(version: String(version), language: "en", zone: "UTC"))
      #expect(again.status == .conflict)
    }
  }

  @Test func `a new zone says what it did to the medicines`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      let answer = try await house.browser.post(
        "/details", Self.fields(language: "en", zone: "Asia/Bangkok"))
      let target = try #require(answer.headers[.location])
      #expect(target == "/details?done=saved&changed=zone&changed=meals")
      let page = try await house.browser.open(target).text
      #expect(page.contains("2 medicines now follow the clock of Bangkok."))
      #expect(!page.contains("new times of meals"))
    }
  }

  @Test func `a wrong form keeps what was typed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let answer = try await house.browser.post(
        "/details",
        ["given-name": "Ann \"A\"", "birth-date": "2999-01-01", "zone": "Nowhere", "lunch": "12"])
      #expect(answer.status == .unprocessableContent)
      for kept in [
        "Ann &quot;A&quot;", "value=\"2999-01-01\"", "value=\"12\"", "href=\"#field-zone\"",
        "href=\"#field-lunch\"", "href=\"#field-birth-date\"",
      ] {
        #expect(answer.text.contains(kept), "\(kept)")
      }
    }
  }

  private static func fields(
    version: String = "", language: String, zone: String
  ) -> KeyValuePairs<String, String> {
    [
      "version": version, "given-name": "Åse", "family-name": "Öztürk",
      "birth-date": "1948-07-16", "phone": "", "email": "", "language": language, "zone": zone,
      "wake": "07:00", "breakfast": "07:10", "lunch": "12:30", "dinner": "18:30",
      "bedtime": "22:30",
    ]
  }
}
