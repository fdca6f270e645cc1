// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@Suite struct StockPageTests {
  /// Starts tracking a plan's supply from its form; returns its address.
  private static func count(
    _ browser: Browser, plan: PlanID, amount: String, more: [(String, String)] = []
  ) async throws -> String {
    let fields = [
      ("medicine", plan.text), ("unit", "tablet"), ("amount", amount), ("form", "blister"),
    ]
    let answer = try await browser.post("/stock/new", pairs: fields + more)
    #expect(answer.status == .seeOther, "\(answer.text)")
    let address = try #require(answer.headers[.location])
    return String(address.prefix { $0 != "?" })
  }

  @Test func `a supply is counted, packs are added and losses recorded`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol <b>"])
      let plan = try #require(house.doses[0].split(separator: "_").first.map { PlanID(String($0)) })
      let empty = try await house.browser.open("/stock").text
      #expect(empty.contains("Nothing is tracked yet"))
      let form = try await house.browser.open("/stock/new?plan=\(plan)").text
      #expect(form.contains("value=\"\(plan)\" selected"))
      let missing = try await house.browser.post(
        "/stock/new", ["medicine": plan.text, "unit": "tablet"])
      #expect(missing.status == .unprocessableContent)
      #expect(missing.text.contains("Enter the amount as a number"))
      let address = try await Self.count(
        house.browser, plan: plan, amount: "5,5", more: [("pack-size", "5,5")])
      // Nothing is taken yet today: two a day.
      var page = try await house.browser.open("\(address)?done=created").text
      #expect(page.contains("Metoprolol &lt;b&gt;") && page.contains("5.5 tablets left"))
      #expect(page.contains("lasts until"))
      harness.clock.advance(minutes: 64)
      #expect(try await house.answer(0, ["action": "taken"]).status == .seeOther)
      page = try await house.browser.open(address).text
      #expect(page.contains("4.5 tablets left"))
      let today = try await house.browser.open("/").text
      #expect(
        today.contains("Check your supply of one medicine") && today.contains("4.5 tablets left"))
      let medicine = try await house.browser.open("/medicines/\(plan)").text
      #expect(medicine.contains("4.5 tablets left") && medicine.contains(address))
      let shopping = try await house.browser.open("/stock/shopping").text
      #expect(shopping.contains("<h2 class=\"card-title\">Metoprolol"))
      #expect(!shopping.contains("<table"))

      let added = try await house.browser.post(address, ["do": "pack"])
      let done = try #require(added.headers[.location])
      #expect(done.contains("done=pack&act="))
      page = try await house.browser.open(done).text
      #expect(page.contains("Pack added.") && page.contains("10 tablets left"))
      let act = String(done.split(separator: "=").last ?? "")
      #expect(
        try await house.browser.post(address, ["do": "undo", "act": act]).status == .seeOther)
      #expect(try await house.browser.open(address).text.contains("4.5 tablets left"))
      #expect(
        try await house.browser.post(address, ["do": "undo", "act": act]).status == .conflict)

      let lot = try #require(page.firstMatch(of: /name="lot-([^"]+)"/)?.output.1)
      let lost = try await house.browser.post(
        address, ["do": "remove", "kind": "lost", "lot": String(lot), "lost-amount": "1"])
      #expect(lost.status == .seeOther, "\(lost.text)")
      let tooMuch = try await house.browser.post(
        address, ["do": "remove", "kind": "lost", "lot": String(lot), "lost-amount": "99"])
      #expect(tooMuch.status == .unprocessableContent)
      let counted = try await house.browser.post(address, ["do": "count", "lot-\(lot)": "3"])
      #expect(counted.status == .seeOther, "\(counted.text)")
      #expect(try await house.browser.open(address).text.contains("3 tablets left"))
      let list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["left"] == 3)
      #expect(list["stocks"]?[0]?["plans"]?[0]?.string == plan.text)
      #expect(list["stocks"]?[0]?["low"] == true)
      #expect(try await house.browser.post(address, ["do": "end"]).status == .seeOther)
      #expect(try await house.browser.open(address).status == .notFound)
    }
  }

  @Test func `an opened pack isn't mistaken for a full one`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(house.doses[0].split(separator: "_").first.map { PlanID(String($0)) })
      let address = try await Self.count(house.browser, plan: plan, amount: "5")
      var page = try await house.browser.open(address).text
      #expect(!page.contains("Add a pack:") && !page.contains("as in the last pack"))
      let unsaid = try await house.browser.post(address, ["do": "pack"])
      #expect(unsaid.status == .unprocessableContent)
      #expect(unsaid.text.contains("Enter the amount as a number"))
      #expect(unsaid.text.contains("5 tablets left"))
      var list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["packSize"] == nil)
      // An added pack sets the size, and so does a typed size.
      let added = try await house.browser.post(address, ["do": "pack", "amount": "30"])
      #expect(added.status == .seeOther)
      page = try await house.browser.open(address).text
      #expect(page.contains("Add a pack: 30 tablets"))
      list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["packSize"] == 30)
    }
  }

  @Test func `running out and expiring are distinguished`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(house.doses[0].split(separator: "_").first.map { PlanID(String($0)) })
      // At two a day, 60 would last a month, but this pack expires after three days.
      let address = try await Self.count(
        house.browser, plan: plan, amount: "60", more: [("expires", "2026-03-04")])
      let page = try await house.browser.open(address).text
      #expect(page.contains("60 tablets left, lasts until Wed 4 Mar; the rest will have expired"))
      var list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["endsByExpiry"] == true)
      let lot = try #require(page.firstMatch(of: /name="lot-([^"]+)"/)?.output.1)
      let changed = try await house.browser.post(
        address, ["do": "days", "lot": String(lot), "suffix": "", "expires": "2029-03-04"])
      #expect(changed.status == .seeOther, "\(changed.text)")
      let later = try await house.browser.open(address).text
      #expect(later.contains("60 tablets left, lasts until"))
      #expect(!later.contains("the rest will have expired"))
      list = try await harness.send(.get, "/api/v1/stock", house.token).json()
      #expect(list["stocks"]?[0]?["endsByExpiry"] == false)
    }
  }

  @Test func `the form asks about expired packs`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(house.doses[0].split(separator: "_").first.map { PlanID(String($0)) })
      let address = try await Self.count(house.browser, plan: plan, amount: "1")
      let old = try await house.browser.post(
        address, ["do": "pack", "amount": "9", "expires": "2026-02-01"])
      #expect(old.status == .unprocessableContent)
      #expect(old.text.contains("name=\"confirmed\"") && old.text.contains("value=\"2026-02-01\""))
      let kept = try await house.browser.post(
        address,
        ["do": "pack", "amount": "9", "expires": "2026-02-01", "confirmed": "yes"])
      #expect(kept.status == .seeOther)
      let page = try await house.browser.open(address).text
      #expect(page.contains("Expired, still in use"))
      #expect(page.contains("10 tablets left"))
    }
  }

  @Test func `a shared stock doesn't reveal unshared medicines`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let (own, _) = try await house.dose(of: house.ann.patient, medicine: "Annol")
      let (childs, dose) = try await house.dose(of: house.child, medicine: "Childolol")
      let ann = house.chosen(house.ann.patient)
      let child = house.chosen(house.child)
      let address = try await Self.count(child, plan: childs, amount: "9")
      let shared = try await child.post(
        address,
        pairs: [
          ("do", "share"), ("use", "\(house.ann.patient) \(own)"),
          ("use", "\(house.child) \(childs)"),
        ])
      #expect(shared.status == .seeOther, "\(shared.text)")
      harness.clock.advance(minutes: 64)
      #expect(
        try await child.post("/doses/\(dose)/answers", ["action": "taken"]).status == .seeOther)
      #expect(try await ann.open(address).text.contains("8 tablets left"))

      // A grandmother sees the child's medicines and supply, but not the intakes.
      let eve = try await harness.makeAccount("Eve")
      let family = try await house.connect(eve, .family, categories: [.medicines, .stock])
      let page = try await family.open(address)
      #expect(page.status == .ok && page.text.contains("8 tablets left"))
      #expect(
        !page.text.contains("Taken:") && page.text.contains("who don’t share with you aren’t shown")
      )
      #expect(!page.text.contains("Annol") && !page.text.contains("name=\"do\""))
      #expect(try await family.post(address, ["do": "pack"]).status == .notFound)
      let list = try await harness.send(
        .get, "/api/v1/stock?patient=\(house.child)", try await harness.token(of: eve))
      #expect(list.text.contains(childs.text) && !list.text.contains(own.text))

      // Someone with access only to medicines sees no supply.
      let bob = try await harness.makeAccount("Bob")
      let other = try await house.connect(bob, .family, categories: [.medicines, .adherence])
      #expect(try await other.open(address).status == .notFound)
      #expect(try await other.open("/stock").status == .notFound)
      let medicine = try await other.open("/medicines/\(childs)").text
      #expect(!medicine.contains("tablets left"))
    }
  }
}
