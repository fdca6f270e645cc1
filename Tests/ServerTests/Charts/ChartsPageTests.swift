// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Web

/// The page of charts: its viewers, its query, and the same counts as the report.
@Suite struct ChartsPageTests {
  /// Adds answers of two days, and one extra dose.
  private static func live(_ harness: ServerHarness, _ ann: Person) async throws {
    for day in 1...2 {
      harness.clock.advance(minutes: 62)
      let (now, zones) = (harness.clock.now, harness.environment.zones)
      try await harness.environment.database.write { writer in
        _ = try PlanCommands.extendHorizon(now: now, limit: 10, zones: zones, in: writer)
      }
      let window = "from=2026-03-0\(day)T00:00:00Z&to=2026-03-0\(day + 1)T00:00:00Z"
      for dose in try await ann.doses(window) {
        guard let id = dose["id"]?.string, dose["due"]?.string?.contains("T08:00") == true
        else { continue }
        let answer = try await ann.answer(
          id, day == 2 ? ["action": "skipped", "reason": "Felt sick"] : ["action": "taken"])
        #expect(answer.status == .ok, "\(answer.text)")
      }
      harness.clock.advance(minutes: 24 * 60 - 62)
    }
    let extra = try await ann.post(
      "/api/v1/administrations",
      ["medicine": "Unmistakable syrup", "at": "2026-03-02T10:00:00Z", "taken": true])
    #expect(extra.status == .created, "\(extra.text)")
  }

  @Test func `charts by week, month and quarter match the report`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan("Testolol", timing: Person.timing("08:00:00", "20:00:00"))
      _ = try await ann.plan("<b>Ramipril</b>")
      try await Self.live(harness, ann)
      let browser = try await harness.session(of: ann.account)
      let report = try await browser.open("/report?from=2026-03-01&until=2026-03-03").text
      #expect(report.contains("2 of 6 (33%)") && report.contains("href=\"/report/charts\""))
      for (query, count) in [
        ("", 2), ("?range=week&to=2026-03-01", 1), ("?range=month", 2), ("?range=quarter", 4),
        ("?range=nonsense&to=2026-02-31", 1), ("?to=9999-12-31&medicine=unknown", 2),
      ] {
        let page = try await browser.open("/report/charts\(query)")
        #expect(page.status == .ok, "\(query)")
        #expect(page.text.components(separatedBy: "role=\"img\"").count >= count, "\(query)")
        #expect(page.text.contains("<table") && !page.text.contains("<b>Ramipril"), "\(query)")
      }
      let month = try await browser.open("/report/charts").text
      #expect(month.contains("2 of 6 doses taken (33%)"))
      #expect(month.contains("Missed on Sun 1 Mar and Mon 2 Mar."))
      #expect(month.contains("Taken least often: Evening: 0 of 2 (0%)."))
      #expect(month.contains("Unmistakable syrup: once on 1 day"))
      #expect(month.contains("Taken: doses taken on time or late"))
      let one = try await browser.open("/report/charts?medicine=\(plan)").text
      #expect(one.contains("1 of 4 doses taken (25%)") && !one.contains("syrup"))
      #expect(one.contains("medicine=\(plan)"), "tabs keep the medicine")
      let looks = try await harness.environment.database.read { reader in
        try reader.query("SELECT COUNT(*) FROM audit WHERE kind = 'read' AND resource = 'Dose'")
          .first?.integer(0)
      }
      #expect((looks ?? 0) > 0)
    }
  }

  @Test func `days on hold differ from days with missed doses`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let browser = try await harness.session(of: ann.account)
      let paused = try await browser.post("/medicines/\(plan)/pause", ["reason": "Rest"])
      #expect(paused.status == .seeOther, "\(paused.text)")
      harness.clock.advance(minutes: 3 * 24 * 60)
      let all = try await browser.open("/report/charts").text
      #expect(all.contains("A medicine was paused on 4 days."))
      #expect(all.contains("day-cell-paused") && all.contains("no doses to count"))
      let one = try await browser.open("/report/charts?range=week&medicine=\(plan)").text
      #expect(one.contains("Paused on") && !one.contains("A medicine was paused"))
    }
  }

  @Test func `without data the page says when charts appear`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let page = try await harness.session(of: ann.account).open("/report/charts").text
      #expect(page.contains("Charts appear after the first planned dose."))
      #expect(!page.contains("role=\"img\""))
    }
  }

  @Test func `the device remembers the first day of the week`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan()
      let browser = try await harness.session(of: ann.account)
      let here = "/report/charts?range=week"
      #expect(try await browser.open(here).text.contains("week-start=7&amp;return="))
      let chosen = try await browser.open("/preferences?week-start=7&return=/report/charts")
      #expect(chosen.headers[.setCookie]?.hasPrefix("regimen-week-start=7;") == true)
      let wrong = try await browser.open("/preferences?week-start=9&return=/report/charts")
      #expect(wrong.headers[.setCookie] == nil)
    }
  }

  // MARK: Others

  @Test func `a practitioner's charts depend on what is shared`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.adherence])
      _ = try await practice.ann.plan("Secretol")
      try await Self.live(harness, practice.ann)
      let charts = "\(practice.address)/charts"
      let doctor = try await harness.session(of: practice.doctor)
      let bare = try await doctor.open(charts)
      #expect(bare.status == .ok && bare.text.contains("1 of 2 doses taken (50%)"))
      #expect(!bare.text.contains("Secretol") && !bare.text.contains("syrup"))
      #expect(bare.text.contains("without the names of medicines"))
      #expect(try await doctor.open(practice.address).text.contains(charts))
      #expect(try await doctor.open("\(practice.address)/report").status == .notFound)

      try await practice.share([.adherence, .medicines])
      _ = try await practice.ann.plan("Other")
      let full = try await doctor.open(charts).text
      #expect(full.contains("Secretol") && full.contains("syrup"))
      #expect(full.contains("\(practice.address)/report"))
      #expect(!full.contains("href=\"/report\""), "the doctor's own report is not the patient's")

      try await practice.share([.medicines])
      #expect(try await doctor.open(charts).status == .notFound)
      let other = try await harness.session(of: try await harness.makeAccount("Eve"))
      #expect(try await other.open(charts).status == .notFound)
    }
  }

  @Test func `family sees statistics if doses are shared`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      _ = try await house.dose(of: house.child, medicine: "Secretol")
      let aunt = try await house.connect(
        try await harness.makeAccount("Aunt"), .family, categories: [.adherence])
      let page = try await aunt.open("/report/charts")
      #expect(page.status == .ok && !page.text.contains("Secretol"))
      #expect(page.text.contains("without the names of medicines"))
      #expect(try await aunt.open("/").text.contains("href=\"/report/charts\""))
      let uncle = try await house.connect(
        try await harness.makeAccount("Uncle"), .family, categories: [.heartRate])
      #expect(try await uncle.open("/report/charts").status == .notFound)
    }
  }
}
