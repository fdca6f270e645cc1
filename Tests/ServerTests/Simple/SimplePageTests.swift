// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@Suite struct SimplePageTests {
  @Test func `one question with two buttons, then the result in large type`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      let before = try await house.browser.open("/simple").text
      #expect(before.contains("Nothing to take now") && before.contains("Next at 08:00"))
      harness.clock.advance(minutes: 64)
      let page = try await house.browser.open("/simple").text
      // Doses of one time are in the order of their random ids.
      #expect(
        page.contains("Metoprolol and Ramipril: did you take it?")
          || page.contains("Ramipril and Metoprolol: did you take it?"))
      let forms = page.components(of: "<div class=\"simple-buttons\"", to: "</div>")
      #expect(forms.matches(of: /<button/).count == 2)
      let answers = forms.matches(of: /name="answer" value="([^"]+)"/).map(\.output.1)
      #expect(answers.count == 4)
      let taken = try await house.browser.post(
        "/answers",
        [
          "action": "taken", "return": "/simple", "answer": String(answers[0]),
          "answer": String(answers[1]),
        ])
      let target = try #require(taken.headers[.location])
      #expect(target.hasPrefix("/simple?done=taken"))
      let after = try await house.browser.open(target).text
      #expect(after.contains("Did I take it?"))
      #expect(after.contains("<p class=\"simple-answer\">Yes, 08:04</p>"))
      #expect(after.contains("That’s wrong") && after.contains("Show everything"))
      #expect(!after.contains("simple-buttons"))
    }
  }

  @Test func `not now snoozes, and without time left the question stays`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 64)
      for _ in 1...3 {
        let page = try await house.browser.open("/simple").text
        let form = page.components(of: "<div class=\"simple-buttons\"", to: "</div>")
        let minutes = try #require(form.firstMatch(of: /name="minutes" value="(\d+)"/)?.output.1)
        let later = try await house.browser.post(
          "/doses/\(house.doses[0])/answers",
          ["action": "later", "minutes": String(minutes), "return": "/simple"])
        #expect(later.status == .seeOther)
        harness.clock.advance(minutes: 11)
      }
      let page = try await house.browser.open("/simple").text
      #expect(page.contains("href=\"/simple?later=yes\""))
      #expect(
        try await house.browser.open("/simple?later=yes").text.contains(
          "OK. We’ll keep the question here."))
    }
  }

  @Test func `a prescription without reminders is shown here too`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let more = "There’s something else to check"
      #expect(!(try await house.browser.open("/simple").text.contains(more)))
      try await house.add("Prednisolone", dosage: ["text": "Taper as discussed"])
      #expect(try await house.browser.open("/simple").text.contains(more))
    }
  }

  @Test func `the person or a guardian turns it on and off`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      #expect(!(try await house.browser.open("/").text.contains("class=\"simple\"")))
      let chosen = try await house.browser.post("/simple", ["choice": "on"])
      #expect(chosen.headers[.location] == "/simple")
      let first = try await house.browser.open("/").text
      #expect(
        first.contains("class=\"simple\"") && first.contains("Stop starting with this view"))
      let all = try await house.browser.open("/?view=everything").text
      #expect(!all.contains("class=\"simple\"") && all.contains("Back to the simple view"))
      _ = try await house.browser.post("/simple", ["choice": "off"])
      #expect(!(try await house.browser.open("/").text.contains("class=\"simple\"")))
    }
  }
}

extension String {
  /// Returns the text from a marker to the next end; empty if there is none.
  fileprivate func components(of start: String, to end: String) -> String {
    guard let begin = range(of: start)?.upperBound,
      let stop = self[begin...].range(of: end)?.lowerBound
    else { return "" }
    return String(self[begin..<stop])
  }
}
