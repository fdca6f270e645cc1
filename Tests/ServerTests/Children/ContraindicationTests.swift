// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Localization
import Testing
import TestSupport

@testable import Plans

/// A contraindication stops a medicine, with its source; a note overrides it if the source allows.
@Suite struct ContraindicationTests {
  private let texts = Localizer.of(.en)
  private var never: String { texts.text("contraindications.never") }

  /// Returns the fields of every medicine form.
  private func tablet(_ name: String, note: String? = nil) -> [(String, String)] {
    [
      ("name", name), ("form", "tablet"), ("strength-unit", "mg"), ("dose-value", "1"),
      ("schedule", "times"), ("time", "08:00"), ("start", "2026-03-01"),
    ] + (note.map { [("bar-note", $0)] } ?? [])
  }

  @Test func `medicines contraindicated for the age are blocked in both forms`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness)
      for name in ["Aspirin", "codeine", "Tylenol with Codeine", "Doxycycline 100 mg"] {
        let stopped = try await nursery.browser.post(
          "/medicines/new/details",
          pairs: tablet(name, note: name == "Doxycycline 100 mg" ? nil : "I say so"))
        #expect(stopped.status == .unprocessableContent, "\(name)")
        #expect(stopped.text.contains(/[0-9] sources?</), "\(name)")
        #expect(stopped.text.contains(never) == (name != "Doxycycline 100 mg"), "\(name)")
        let child = try await nursery.browser.post(
          "\(nursery.home)/new",
          pairs: nursery.syrup(
            name, whole: "1", fraction: "0", unit: "tablet", mass: "", volume: ""))
        #expect(child.status == .unprocessableContent, "\(name)")
      }
      #expect(try await nursery.plans().isEmpty)
      // There is no age that is known to forbid it.
      let own = nursery.house.chosen(nursery.house.ann.patient)
      #expect(
        try await own.post("/medicines/new/details", pairs: tablet("Aspirin")).status == .seeOther)
    }
  }

  @Test func `a note overrides a relative contraindication and is stored`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness)
      let why = "Dr Holm prescribed it for a tick bite"
      let saved = try await nursery.browser.post(
        "/medicines/new/details", pairs: tablet("Doxycycline", note: why))
      #expect(saved.status == .seeOther, "\(saved.text)")
      let plan = try #require(try await nursery.plans().first)
      #expect(ContraindicationNote.all(in: plan.request).map(\.text) == [why])
      #expect(plan.request.json["note"]?[0]?["authorString"]?.string == "Ann")
      let page = try await nursery.open(nursery.home).text
      #expect(page.contains(why) && !page.contains("notice-error"))
      // Changing its times does not ask again, and the note stays.
      let edited = try await nursery.browser.post(
        "/medicines/\(plan.id)/edit", pairs: tablet("Doxycycline") + [("version", "1")])
      #expect(edited.status == .seeOther, "\(edited.text)")
      #expect(
        try await nursery.plans().first.map { ContraindicationNote.all(in: $0.request).count } == 1)
    }
  }

  @Test func `two products with one ingredient are blocked`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      _ = try await nursery.browser.post("\(nursery.home)/new", pairs: nursery.syrup("Calpol"))
      let second = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup("Panadol") + [("bar-note", "for the night")])
      #expect(second.status == .unprocessableContent)
      #expect(
        second.text.contains("Calpol 24 mg/mL also contains paracetamol")
          && second.text.contains(never))
      let stopped = try #require(try await nursery.plans().first)
      _ = try await nursery.browser.post("\(nursery.home)/plans/\(stopped.id)/remove", [:])
      let alone = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup("Panadol"))
      #expect(alone.status == .seeOther, "\(alone.text)")

      // An adult gets a warning with the other interactions, and is never stopped.
      let own = nursery.house.chosen(nursery.house.ann.patient)
      for name in ["Panadol", "Tylenol"] {
        let answer = try await own.post("/medicines/new/details", pairs: tablet(name))
        #expect([.ok, .seeOther].contains(answer.status), "\(answer.text)")
        #expect(!answer.text.contains(never) && !answer.text.contains("name=\"bar-note\""))
      }
    }
  }

  @Test func `more than the table's dose is questioned`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness)
      let much = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup(whole: "10", fraction: "0"))
      #expect(much.status == .unprocessableContent)
      #expect(much.text.contains("at most 7.5 mL = 180 mg each time"), "\(much.text)")
      let often = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: nursery.syrup(times: ["08:00", "11:00"]))
      #expect(often.text.contains("at least 4 hours apart"))
      let noted = try await nursery.browser.post(
        "\(nursery.home)/new",
        pairs: nursery.syrup(whole: "10", fraction: "0") + [("bar-note", "Dr Holm said 240 mg")])
      #expect(noted.status == .seeOther, "\(noted.text)")
      // The note was for this amount and no more.
      let plan = try #require(try await nursery.plans().first)
      let edit = "\(nursery.home)/plans/\(plan.id)/edit"
      let same = try await nursery.browser.post(
        edit, pairs: nursery.syrup(whole: "10", fraction: "0") + [("version", "1")])
      #expect(same.status == .seeOther, "\(same.text)")
      let more = try await nursery.browser.post(
        edit, pairs: nursery.syrup(whole: "75", fraction: "0") + [("version", "2")])
      #expect(more.status == .unprocessableContent, "\(more.text)")
    }
  }

  @Test func `logging a contraindicated medicine asks first`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness)
      let fields: KeyValuePairs<String, String> = [
        "medicine": "other", "name": "codeine", "date": "2026-03-01", "time": "06:30",
        "outcome": "taken",
      ]
      let stopped = try await nursery.browser.post("/entry", fields)
      #expect(stopped.status == .conflict)
      #expect(stopped.text.contains(texts.text("contraindications.entry-title")))
      #expect(stopped.text.contains("name=\"time\" value=\"06:30\""))
      let unsaid = try await nursery.browser.post(
        "/entry", pairs: fields.map { ($0.key, $0.value) } + [("bar-note", " ")])
      #expect(unsaid.status == .unprocessableContent)
      let written = try await nursery.browser.post(
        "/entry",
        pairs: fields.map { ($0.key, $0.value) } + [
          ("bar-note", "Given by mistake, asked the poison centre")
        ])
      #expect(written.status == .seeOther, "\(written.text)")
      #expect(try await nursery.open(nursery.home).text.contains("codeine: 06:30 by Ann"))
      let refused = try await nursery.browser.post(
        "/entry",
        [
          "medicine": "other", "name": "honey", "date": "2026-03-01", "time": "06:30",
          "outcome": "not-taken",
        ])
      #expect(refused.status == .seeOther)
    }
  }
}
