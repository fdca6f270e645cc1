// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

/// A medicine added today after its time had passed.
@Suite struct PassedDosesTests {
  private static let said = "no reminder today at 06:45. That time had passed"

  /// Returns a form submitted at 07:00.
  private static func form(_ times: [String]) -> [(String, String)] {
    MedicinePageTests.metoprolol.map { ($0.key, $0.value) }.filter { $0.0 != "time" }
      + times.map { ("time", $0) }
  }

  @Test func `preview, page and Today show a passed dose, which can be added`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let form = Self.form(["06:45"])
      let preview = try await house.browser.post(
        "/medicines/new/details", pairs: form + [("preview", "yes")])
      #expect(preview.text.contains("No dose today at 06:45"), "\(preview.text)")
      let live = try await house.browser.post(
        "/medicines/new/details", pairs: form + [("preview", "live")])
      #expect(live.text.contains("No dose today at 06:45"))
      let saved = try await house.browser.post("/medicines/new/details", pairs: form)
      let address = try #require(saved.headers[.location])
      let page = try await house.browser.open(address).text
      #expect(page.contains(Self.said))
      #expect(try await house.browser.open("/").text.contains(Self.said))
      let plan = try #require(page.firstMatch(of: /action="(\/medicines\/[^"]+\/today)"/)?.output.1)
      let dose = try #require(page.firstMatch(of: /name="dose" value="([^"]+)"/)?.output.1)
      #expect(page.contains("/entry?medicine="))
      for _ in 1...2 {
        let planned = try await house.browser.post(String(plan), ["dose": String(dose)])
        #expect(planned.headers[.location] == "/doses/\(dose)", "\(planned.text)")
      }
      #expect(try await house.count("SELECT COUNT(*) FROM doses WHERE due < 1772348400000") == 1)
      #expect(try await house.browser.open("/doses/\(dose)").text.contains("Due now"))
      let today = try await house.browser.open("/").text
      #expect(!today.contains("no reminder today") && today.contains("06:45"))
      let taken = try await house.browser.post("/doses/\(dose)/answers", ["action": "taken"])
      #expect(taken.status == .seeOther, "\(taken.text)")
    }
  }

  @Test func `a time added by an edit after it passed can still be planned`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let saved = try await house.browser.post(
        "/medicines/new/details", pairs: Self.form(["07:15"]))
      let address = try #require(saved.headers[.location]?.split(separator: "?").first)
      harness.clock.advance(minutes: 24 * 60)
      #expect(try await !house.browser.open("\(address)").text.contains("no reminder today"))
      let form = Self.form(["06:45", "07:15"])
      let preview = try await house.browser.post(
        "\(address)/edit", pairs: form + [("preview", "yes")])
      #expect(preview.text.contains("No dose today at 06:45"), "\(preview.text)")
      let edited = try await house.browser.post("\(address)/edit", pairs: form)
      #expect(edited.status == .seeOther, "\(edited.text)")
      let page = try await house.browser.open("\(address)").text
      #expect(page.contains(Self.said), "\(page)")
      let dose = try #require(page.firstMatch(of: /name="dose" value="([^"]+)"/)?.output.1)
      let planned = try await house.browser.post("\(address)/today", ["dose": String(dose)])
      #expect(planned.headers[.location] == "/doses/\(dose)", "\(planned.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM doses WHERE due = 1772433900000") == 1)
      #expect(try await !house.browser.open("\(address)").text.contains("no reminder today"))
      let due = try await house.browser.open("/doses/\(dose)").text
      #expect(due.contains("Due since 06:45"), "\(due)")
    }
  }

  @Test func `doses that never passed or are too late can't be planned`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let ahead = try await house.browser.post(
        "/medicines/new/details", pairs: Self.form(["07:15"]))
      let page = try await house.browser.open(try #require(ahead.headers[.location])).text
      #expect(!page.contains("no reminder today"))
      // Three times a day: the window of 00:30 ends before 07:00.
      let plan = try await house.add(
        "Amoxicillin", dosage: ["timing": ["repeat": ["timeOfDay": ["00:30:00", "07:30:00"]]]])
      let late = try await house.browser.open("/medicines/\(plan)").text
      #expect(late.contains("no reminder today at 00:30"))
      #expect(!late.contains("/today\"") && late.contains("too late to plan it"))
      for dose in ["\(plan)_1_20260301-1", "\(plan)_1_20260228-1", "\(plan)_1_20260301-2"] {
        let answer = try await house.browser.post("/medicines/\(plan)/today", ["dose": dose])
        #expect(answer.status == .seeOther)
      }
      #expect(try await house.count("SELECT COUNT(*) FROM doses WHERE due < 1772348400000") == 0)
      let other = try await house.browser.post("/medicines/\(plan)/today", ["dose": "a_1_n1"])
      #expect(other.status == .badRequest)
      harness.clock.advance(minutes: 24 * 60)
      #expect(
        try await !house.browser.open("/medicines/\(plan)").text.contains("no reminder today"))
    }
  }
}
