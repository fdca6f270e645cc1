// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

/// The proposal of fewer times a day, in a browser.
@Suite struct SimplificationPageTests {
  private static let path = Address.simplification

  private static func dosage(_ times: String...) -> JSONValue {
    ["timing": ["repeat": ["timeOfDay": .array(times.map { .string("\($0):00") })]]]
  }

  /// Levothyroxine at 07:00, calcium at 08:00, a third at 09:00 and one at supper.
  private func house(_ harness: ServerHarness) async throws -> DoseHouse {
    let house = try await DoseHouse(harness, plans: [])
    try await house.add("Levothyroxine", dosage: Self.dosage("07:00"))
    try await house.add("Calcium carbonate", dosage: Self.dosage("08:00"))
    try await house.add("Bisoprolol", dosage: Self.dosage("09:00"))
    try await house.add(
      "Metformin", dosage: ["timing": ["repeat": ["when": ["CM", "CD"]]]])
    return house
  }

  private func ticked(_ page: String) -> [(String, String)] {
    page.matches(of: /name="take" value="([^"]+)" checked/).map { ("take", String($0.output.1)) }
  }

  private func seen(_ page: String) throws -> (String, String) {
    let found = try #require(page.firstMatch(of: /name="seen" value="([^"]+)"/)?.output.1)
    return ("seen", String(found))
  }

  private func sentences(_ house: DoseHouse) async throws -> String {
    try await house.browser.open("/medicines").text
  }

  @Test func `the proposal explains its changes and can be applied`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await house(harness)
      #expect(try await sentences(house).contains("href=\"\(Self.path)\""))
      let first = try await house.browser.open(Self.path)
      #expect(first.status == .ok)
      let page = first.text
      #expect(page.contains("It isn’t medical advice"))
      #expect(page.contains("Levothyroxine and Calcium carbonate are now 1 hour apart."))
      #expect(page.contains("Calcium carbonate: at least 4 hours after Levothyroxine."))
      #expect(page.contains("our list, version 2026-11-26") && !page.contains("I011"))
      #expect(page.contains("The new times follow this rule."))
      #expect(page.contains("Now 5 times a day, then 3 times a day."))
      #expect(page.contains("Calcium carbonate (was 08:00)"))
      #expect(page.contains("With breakfast, as scheduled."))
      #expect(!page.contains("Use these times") && !page.lowercased().contains(" safe"))
      let boxes = ticked(page)
      #expect(boxes.count == 3)
      let shown = try await house.browser.submitForm(Self.path, boxes + [("show", "yes")])
      #expect(shown.status == .ok && shown.text.contains("Doses that move"))
      #expect(shown.text.contains("Use these times") && shown.text.contains("Calcium carbonate:"))
      #expect(try await sentences(house).contains("08:00"))
      let preview = shown.text.replacing(/name="seen" value="[0-9a-f]{64}"/, with: "name=\"seen\"")
      try GoldenFile.check(page: preview, "simplification/preview.html")
      let accepted = try await house.browser.submitForm(
        Self.path, boxes + [try seen(shown.text), ("accept", "yes")])
      let place = try #require(accepted.headers[.location], "\(accepted.text)")
      #expect(place.hasPrefix("\(Self.path)?was=") && !place.contains("Calcium"))
      let after = try await house.browser.open(place).text
      #expect(after.contains("New times saved. Before: "))
      #expect(after.contains("Calcium carbonate 08:00"))
      #expect(after.contains("3 times a day. The rules don’t allow fewer."))
      #expect(!after.contains("hour apart."))
      // Changed times in the address are ignored: only this session can sign them.
      let made = place.replacing("~480", with: "~180")
      #expect(made != place)
      let madeUp = try await house.browser.open(made).text
      #expect(!madeUp.contains("New times saved"))
      let bare = String(place.prefix { $0 != "!" })
      let unsealed = try await house.browser.open(bare).text
      #expect(!unsealed.contains("New times saved"))
      // The same press again finds another day's proposal.
      let again = try await house.browser.submitForm(
        Self.path, boxes + [try seen(shown.text), ("accept", "yes")])
      #expect(again.status == .conflict)
      #expect(again.text.contains("have changed since you looked"))
      // An address with another person's plans or nonsense is ignored.
      let nonsense = try await house.browser.open("\(Self.path)?was=other~480_x~99999_~").text
      #expect(!nonsense.contains("New times saved"))
    }
  }

  @Test func `deselected medicines stay, and changed data is shown again`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await house(harness)
      let page = try await house.browser.open(Self.path).text
      let boxes = ticked(page)
      let shown = try await house.browser.submitForm(Self.path, [("show", "yes")])
      #expect(shown.text.contains("It wasn’t ticked.") && !shown.text.contains("Use these times"))
      #expect(shown.text.contains("We couldn’t keep this rule because of:"))
      #expect(ticked(shown.text).isEmpty)
      let looked = try await house.browser.submitForm(Self.path, boxes + [("show", "yes")])
      // A selection other than the reviewed one must be reviewed first.
      let other = try await house.browser.submitForm(
        Self.path, Array(boxes.dropFirst()) + [try seen(looked.text), ("accept", "yes")])
      #expect(other.status == .conflict && ticked(other.text).count == boxes.count - 1)
      try await house.add("Ramipril", dosage: Self.dosage("21:00"))
      let late = try await house.browser.submitForm(
        Self.path, boxes + [try seen(looked.text), ("accept", "yes")])
      #expect(late.status == .conflict)
      #expect(try await sentences(house).contains("09:00"))
      let forged = try await house.browser.post(
        Self.path, ["accept": "yes", "form-token": "wrong"])
      #expect(forged.status != .seeOther)
    }
  }

  @Test func `the page says if there is nothing to merge or no medicine`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      #expect(
        try await house.browser.open(Self.path).text
          .contains("No medicines have set times."))
      try await house.add("Foozolin", dosage: Self.dosage("08:00"))
      let page = try await house.browser.open(Self.path).text
      #expect(page.contains("1 time a day. The rules don’t allow fewer."))
      #expect(page.contains("Not in our list, so not checked: Foozolin"))
      let shown = try await house.browser.submitForm(
        Self.path, ticked(page) + [("accept", "yes"), ("seen", "x")])
      #expect(shown.status == .conflict)
    }
  }
}
