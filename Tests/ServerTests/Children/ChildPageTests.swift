// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Knowledge
import Localization
import Testing
import TestSupport

@testable import Plans

/// A child's schedule: a view of its plans, with a picker, undo, and a copy for a sibling.
@Suite struct ChildPageTests {
  private let texts = Localizer.of(.en)

  @Test func `a weight is requested, checked and requested again later`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, weight: nil, approves: false)
      let none = texts.text("children.weight.none")
      #expect(try await nursery.open(nursery.home).text.contains(none))
      #expect(try await nursery.open("\(nursery.home)/dose").text.contains(none))
      let heavy = try await nursery.browser.post("\(nursery.home)/weight", ["weight": "61"])
      #expect(heavy.status == .unprocessableContent)
      #expect(heavy.text.contains("Weight looks high") && heavy.text.contains("value=\"61000\""))
      let never = try await nursery.browser.post(
        "\(nursery.home)/weight", ["weight": "651", "sure": "651000"])
      #expect(never.status == .unprocessableContent)
      let right = try await nursery.browser.post("\(nursery.home)/weight", ["weight": "16,5"])
      #expect(right.status == .seeOther)
      let page = try await nursery.open(nursery.home).text
      #expect(page.contains("16.5\u{A0}kg") && !page.contains(none))
      let jump = try await nursery.browser.post("\(nursery.home)/weight", ["weight": "20"])
      #expect(jump.text.contains("more than a fifth"))
      let sure = try await nursery.browser.post(
        "\(nursery.home)/weight", ["weight": "20", "sure": "20000"])
      #expect(sure.status == .seeOther)
      // Three months are allowed for a child of this age, and not a day more.
      let old = texts.text("children.weight.old")
      harness.clock.advance(minutes: 92 * 24 * 60)
      let last = try await harness.session(of: nursery.house.ann).open(nursery.home).text
      #expect(last.contains("20\u{A0}kg") && !last.contains(old))
      harness.clock.advance(minutes: 24 * 60)
      let later = try await harness.session(of: nursery.house.ann).open(nursery.home).text
      #expect(later.contains("20\u{A0}kg") && later.contains(old))
    }
  }

  @Test func `the list of children shows only children`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let list = try await nursery.open("/children").text
      #expect(list.contains("Mali") && list.contains("href=\"\(nursery.home)\""))
      #expect(!list.contains("/children/\(nursery.house.ann.patient)"))
      let stranger = try await harness.session(of: try await harness.makeAccount("Bob"))
      #expect(try await stranger.open(nursery.home).status == .notFound)
      #expect(try await stranger.open("/children").text.contains(texts.text("children.none")))
    }
  }

  @Test func `milligrams become millilitres using the bottle's strength`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let added = try await nursery.browser.post(
        "\(nursery.home)/new",
        pairs: nursery.syrup(whole: "180", fraction: "0", unit: "milligram"))
      #expect(added.status == .seeOther, "\(added.text)")
      let plan = try #require(try await nursery.plans().first)
      let dose = try #require(plan.request.dosages.first?.doseQuantity)
      #expect(dose.valueText == "7.5" && dose.code == "mL")
      let page = try await nursery.open(nursery.home).text
      #expect(page.contains("180 mg each time"), "\(page)")
      // A number that can't be measured is not an amount of this bottle.
      let odd = try await nursery.browser.post(
        "\(nursery.home)/new",
        pairs: nursery.syrup(
          "Ibuprofen", whole: "100", fraction: "0", unit: "milligram", mass: "7", volume: "1"))
      #expect(odd.status == .unprocessableContent)
      // A strength without its volume is undefined.
      let half = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup("Ibuprofen", volume: ""))
      #expect(half.status == .unprocessableContent)
      #expect(half.text.contains("Enter how many millilitres it’s in"))
      #expect(try await nursery.plans().count == 1)
    }
  }

  @Test func `a given dose says when and by whom`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      _ = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup(times: ["07:02", "15:00"]))
      harness.clock.advance(minutes: 4)
      let page = try await nursery.open(nursery.home).text
      let action = try #require(page.firstMatch(of: /action="(\/doses\/[^"]+\/answers)"/)?.1)
      let given = try await nursery.browser.post(
        String(action), ["action": "taken", "return": nursery.home])
      #expect(given.headers[.location]?.hasPrefix(nursery.home) == true, "\(given.text)")
      let after = try await nursery.open(nursery.home).text
      #expect(after.contains("Given 07:04 by Ann"))
      #expect(after.contains("Paracetamol 24 mg/mL, 7.5 mL: 07:04 by Ann"), "\(after)")
    }
  }

  @Test func `a medicine is changed, removed and restored`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      _ = try await nursery.browser.post("\(nursery.home)/new", pairs: nursery.syrup())
      let plan = try #require(try await nursery.plans().first)
      let place = "\(nursery.home)/plans/\(plan.id)"
      let form = try await nursery.open("\(place)/edit").text
      #expect(form.contains("value=\"7\"") && form.contains("value=\"24\""))
      let edited = try await nursery.browser.post(
        "\(place)/edit", pairs: nursery.syrup(whole: "5", fraction: "0") + [("version", "1")])
      #expect(edited.status == .seeOther, "\(edited.text)")
      let stale = try await nursery.browser.post(
        "\(place)/edit", pairs: nursery.syrup(whole: "6", fraction: "0") + [("version", "1")])
      #expect(stale.status == .conflict)
      #expect(
        try await nursery.open("\(place)/remove").text.contains(texts.text("children.remove-undo")))
      let removed = try await nursery.browser.post("\(place)/remove", [:])
      let noted = try #require(removed.headers[.location])
      #expect(try await nursery.plans().first?.status == "stopped")
      #expect(try await nursery.open(noted).text.contains("\(place)/restore"))
      let back = try await nursery.browser.post("\(place)/restore", [:])
      #expect(back.status == .seeOther)
      let restored = try #require(try await nursery.plans().first)
      #expect(restored.status == "active" && restored.unplanned == nil)
      #expect(restored.request.dosages.first?.doseQuantity?.valueText == "5")
      // A day later it stays off.
      _ = try await nursery.browser.post("\(place)/remove", [:])
      harness.clock.advance(minutes: 25 * 60)
      var later = try await harness.session(of: nursery.house.ann)
      later.person = nursery.child
      _ = try await later.post("\(place)/restore", [:])
      #expect(try await nursery.plans().first?.status == "stopped")
    }
  }

  @Test func `a copy for a sibling asks for the amount again`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      _ = try await nursery.browser.post("\(nursery.home)/new", pairs: nursery.syrup())
      let plan = try #require(try await nursery.plans().first)
      let added = try await nursery.browser.post(
        "/people/new",
        [
          "given-name": "Tom", "birth-date": "2025-01-15", "label": "nickname", "nickname": "Tom",
          "colour": "blue",
        ])
      #expect(added.status == .seeOther, "\(added.text)")
      let choice = try await nursery.open("\(nursery.home)/plans/\(plan.id)/copy").text
      let link = try #require(choice.firstMatch(of: /href="(\/children\/[^"]+from=[^"]+)"/)?.1)
      let address = String(link).replacing("&amp;", with: "&")
      let form = try await nursery.browser.open(address).text
      #expect(form.contains("value=\"Paracetamol\"") && form.contains("value=\"08:00\""))
      #expect(form.contains("Copied without the amount"))
      #expect(!form.contains("value=\"7\""))
      let stranger = try await harness.session(of: try await harness.makeAccount("Bob"))
      #expect(try await stranger.open(address).status == .notFound)
    }
  }
}
