// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@Suite struct RingPageTests {
  /// Returns the values of the fields with a name, in order.
  private func values(_ name: String, in page: TestResponse) -> [String] {
    let pattern = try? Regex("name=\"\(name)\" value=\"([^\"]+)\"")
    return pattern.map { page.text.matches(of: $0).compactMap { $0[1].substring.map(String.init) } }
      ?? []
  }

  @Test func `the waiting page knows the next ring even offline`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      let page = try await house.browser.open("/ring")
      #expect(page.status == .ok)
      #expect(page.text.contains("data-state=\"armed\" data-now=\"1772348400000\""))
      #expect(page.text.contains("data-next=\"1772352000000\""))
      #expect(page.text.contains("Rings next"))
      // Doses of one time are in the order of their random ids.
      #expect(
        page.text.contains("Metoprolol and Ramipril")
          || page.text.contains("Ramipril and Metoprolol"))
      #expect(values("answer", in: page).count == 2)
      #expect(!page.text.contains("role=\"alertdialog\" aria-labelledby=\"page-title\""))
    }
  }

  @Test func `a person with nothing planned is told so`() async throws {
    try await ServerHarness.run { harness in
      let page = try await harness.session(of: harness.makeAccount()).open("/ring")
      #expect(page.text.contains("Nothing planned for the next 24 hours."))
      #expect(!page.text.contains("data-next"))
    }
  }

  @Test func `due doses ring, and one press logs the selected ones`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril", "Zinc"])
      harness.clock.advance(minutes: 61)
      let page = try await house.browser.open("/ring")
      #expect(page.text.contains("role=\"alertdialog\" aria-labelledby=\"page-title\""))
      #expect(page.text.contains("Time for your 08:00 medicines</h1>"))
      let found = values("answer", in: page)
      let presses = house.doses.compactMap { id in found.first { $0.hasPrefix(id) } }
      #expect(presses.count == 3)
      #expect(page.text.matches(of: /value="[^"]+" checked>/).count == 3)
      let taken = try await house.browser.post(
        "/answers",
        [
          "action": "taken", "return": "/ring", "minutes": "10", "answer": presses[0],
          "answer": presses[1],
        ])
      #expect(taken.status == .seeOther)
      #expect(try await house.states() == ["taken", "taken", "due"])
      let after = try await house.browser.open(try #require(taken.headers[.location]))
      #expect(after.text.contains("2 medicines taken."))
      #expect(after.text.contains("data-state=\"ringing\""))
      #expect(after.text.contains("<p class=\"ring-name\">Zinc</p>"))
      let later = try await house.browser.post(
        "/answers",
        ["action": "later", "return": "/ring", "minutes": "10", "answer": presses[2]])
      #expect(later.status == .seeOther)
      let waiting = try await house.browser.open(try #require(later.headers[.location]))
      #expect(waiting.text.contains("data-state=\"armed\""))
      #expect(try await house.states() == ["taken", "taken", "later"])
    }
  }

  @Test func `several doses are skipped or snoozed and undone at once`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 61)
      for (action, words, states) in [
        ("skipped", "2 medicines skipped.", ["skipped", "skipped"]),
        ("later", "We’ll remind you of 2 medicines later.", ["later", "later"]),
      ] {
        let presses = values("answer", in: try await house.browser.open("/ring"))
        let answer = try await house.browser.post(
          "/answers",
          [
            "action": action, "return": "/ring", "minutes": "10", "answer": presses[0],
            "answer": presses[1],
          ])
        #expect(try await house.states() == states)
        let after = try await house.browser.open(try #require(answer.headers[.location]))
        #expect(after.text.contains(words))
        let undo = values("answer", in: after).filter { $0.split(separator: " ").count == 3 }
        try #require(undo.count == 2)
        _ = try await house.browser.post(
          "/answers", ["action": "undo", "return": "/ring", "answer": undo[0], "answer": undo[1]])
        #expect(try await house.states() == ["due", "due"])
      }
    }
  }

  @Test func `an empty selection saves nothing and says so`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 61)
      let answer = try await house.browser.post(
        "/answers", ["action": "taken", "return": "/ring"])
      #expect(answer.headers[.location] == "/ring?done=nothing")
      let after = try await house.browser.open("/ring?done=nothing")
      #expect(after.text.contains("Nothing was selected"))
      #expect(try await house.states() == ["due"])
    }
  }

  @Test func `a recently taken medicine isn't preselected`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let entry = try await harness.send(
        .post, "/api/v1/administrations", house.token,
        json: [
          "medicine": "Metoprolol", "at": "2026-03-01T06:30:00Z", "taken": true, "confirm": true,
        ])
      #expect(entry.status == .created, "\(entry.text)")
      harness.clock.advance(minutes: 61)
      let page = try await house.browser.open("/ring")
      #expect(page.text.contains("data-state=\"ringing\""))
      #expect(page.text.contains("Taken 06:30 by Ann. This one too?"))
      #expect(!page.text.contains(" checked>"))
      let press = try #require(values("answer", in: page).first)
      let unasked = try await house.browser.post(
        "/answers", ["action": "taken", "return": "/ring", "answer": press])
      #expect(unasked.headers[.location] == "/ring?done=taken&left=1")
      let asked = try #require(values("confirm", in: page).first)
      let answer = try await house.browser.post(
        "/answers", ["action": "taken", "return": "/ring", "answer": press, "confirm": asked])
      #expect(answer.headers[.location]?.contains("left=") == false)
      #expect(try await house.states() == ["taken"])
    }
  }
}
