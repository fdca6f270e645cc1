// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Testing
import TestSupport

@testable import Plans
@testable import Web

/// A child's pages on a device that shows another person's: they name the child, and the device
/// keeps its choice.
@Suite struct ChildVisitTests {
  private func choices(_ answer: TestResponse) -> [String] {
    answer.headers[values: .setCookie].filter { $0.hasPrefix("\(PersonChoice.cookie)=") }
  }

  /// Posts a form of the child's page, from a device that shows Ann.
  private func post(
    _ house: Household, _ address: String, _ pairs: [(String, String)]
  ) async throws -> TestResponse {
    let browser = house.browser
    return try await house.harness.submit(
      address,
      pairs + [
        (ForgeryGuard.field, browser.formToken), ("for-person", house.child.text), ("visit", "yes"),
      ], browser.headers)
  }

  @Test func `a child's pages don't change the selected person`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let house = nursery.house
      _ = try await nursery.browser.post("\(nursery.home)/new", pairs: nursery.syrup())
      let plan = try #require(try await nursery.plans().first)
      for address in [
        nursery.home, "\(nursery.home)/dose", "\(nursery.home)/new",
        "\(nursery.home)/plans/\(plan.id)/edit", "\(nursery.home)/plans/\(plan.id)/remove",
        "/medicines/\(plan.id)", "/medicines/\(plan.id)/edit", "/medicines/\(plan.id)/stop",
        "/medicines/\(plan.id)/pause", "/medicines/\(plan.id)/appearance",
        "/entry?visit=\(house.child)", "/me/health-profile?visit=\(house.child)",
      ] {
        let page = try await house.browser.open(address)
        #expect(page.status == .ok && choices(page).isEmpty, "\(address)")
        #expect(page.text.contains("This page is about Little M."), "\(address)")
        #expect(page.text.contains("<span class=\"person-name\">Mali</span>"), "\(address)")
        for form in page.text.matches(
          of: /<form[^>]*method="post"(.*?)<\/form>/.dotMatchesNewlines())
        where form.1.contains("name=\"for-person\"") {
          #expect(form.1.contains("name=\"visit\" value=\"yes\""), "\(address)")
        }
      }
      let profile = try await house.browser.open("/me/health-profile?visit=\(house.child)").text
      #expect(profile.contains("action=\"/me/health-profile/photo?visit=\(house.child)\""))
      let today = try await house.browser.open("/").text
      #expect(today.contains("<span class=\"person-name\">Ann</span>"))
      #expect(!today.contains("class=\"visit-line\"") && !today.contains("name=\"visit\""))
      // If the device shows the child anyway, there is no note.
      #expect(!(try await nursery.open(nursery.home).text).contains("class=\"visit-line\""))
    }
  }

  @Test func `a child's forms act on the child and return to it`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let house = nursery.house
      let added = try await post(
        house, "\(nursery.home)/new", nursery.syrup(times: ["07:02", "15:00"]))
      #expect(added.headers[.location] == "\(nursery.home)?done=saved", "\(added.text)")
      let plan = try #require(try await nursery.plans().first)
      harness.clock.advance(minutes: 4)
      let page = try await house.browser.open(nursery.home).text
      let action = try #require(page.firstMatch(of: /action="(\/doses\/[^"]+\/answers)"/)?.1)
      let given = try await post(
        house, String(action), [("action", "taken"), ("return", nursery.home)])
      #expect(given.status == .seeOther && choices(given).isEmpty, "\(given.text)")
      #expect(given.headers[.location]?.hasPrefix(nursery.home) == true)
      let entry = try await house.browser.open(
        "/entry?return=\(nursery.home)&visit=\(house.child)"
      ).text
      #expect(entry.contains("name=\"return\" value=\"\(nursery.home)\""))
      let logged = try await post(
        house, "/entry",
        [
          ("medicine", "other"), ("name", "Saline drops"), ("date", "2026-03-01"),
          ("time", "07:03"), ("outcome", "taken"), ("return", nursery.home),
        ])
      #expect(logged.headers[.location]?.hasPrefix(nursery.home) == true, "\(logged.text)")
      #expect(choices(logged).isEmpty)
      let paused = try await post(house, "/medicines/\(plan.id)/pause", [])
      #expect(paused.status == .seeOther && choices(paused).isEmpty, "\(paused.text)")
      let next = try #require(paused.headers[.location])
      #expect(next.contains("visit=\(house.child)"))
      #expect(try await house.browser.open(next).text.contains("This page is about Little M."))
      #expect(try await nursery.plans().first?.status == "on-hold")
    }
  }

  @Test func `inaccessible people and mismatched forms are refused`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let eve = try await harness.makeAccount("Eve")
      let page = try await house.browser.open("/medicines?visit=\(eve.patient)")
      #expect(page.status == .ok && page.text.contains("<span class=\"person-name\">Ann</span>"))
      let own = try await house.browser.open("/entry?visit=\(house.ann.patient)").text
      #expect(!own.contains("class=\"visit-line\""))
      for meant in [eve.patient.text, "nonsense", ""] {
        let refused = try await harness.submit(
          "/entry",
          [
            (ForgeryGuard.field, house.browser.formToken), ("for-person", meant),
            ("visit", "yes"), ("name", "x"),
          ], house.browser.headers)
        #expect(refused.status == .conflict, "\(meant)")
      }
      // A stranger's plan appears not to exist, also for an account with several people.
      let (plan, _) = try await house.dose(of: house.child, medicine: "Childolol")
      let stranger = try await harness.session(of: eve)
      #expect(try await stranger.open("/medicines/\(plan)").status == .notFound)
      _ = try await stranger.post(
        "/people/new", ["given-name": "Tom", "birth-date": "2025-01-15", "label": "initial"])
      #expect(try await stranger.open("/medicines/\(plan)").status == .notFound)
    }
  }

  @Test func `an adult child's pages are opened with a press`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      harness.clock.advance(minutes: 18 * 366 * 24 * 60)
      let browser = try await harness.session(of: house.ann)
      let page = try await browser.open("/children/\(house.child)")
      #expect(page.status == .ok && choices(page).isEmpty)
      #expect(page.text.contains("Mali is grown up"), "\(page.text)")
      let opened = try await browser.post(
        "/person", ["person": house.child.text, "return": "/medicines"])
      #expect(opened.headers[.location] == "/medicines" && choices(opened).count == 1)
    }
  }

  @Test(arguments: Language.allCases)
  func `the line is translated into every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      var headers = house.browser.headers
      headers[.cookie] = (headers[.cookie] ?? "") + "; regimen-language=\(language.rawValue)"
      let page = try await harness.send(.get, "/children/\(house.child)", headers)
      let line = try #require(
        page.text.firstMatch(of: /<p class="visit-line">.*?<span>(.*?)<\/span>/)?.1)
      #expect(line.contains("Little M") && !line.contains("parts.visit"))
    }
  }
}
