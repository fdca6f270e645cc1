// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Presentation
@testable import Web

@Suite struct HistoryTests {
  /// Two medicines at 08:00; an hour later one was taken on time, and one skipped and then
  /// corrected.
  private func house(_ harness: ServerHarness) async throws -> DoseHouse {
    let house = try await DoseHouse(harness, plans: ["Metoprolol", "=cmd|' /C calc'!A0"])
    harness.clock.advance(minutes: 64)
    _ = try await house.answer(0, ["action": "taken"])
    _ = try await house.answer(1, ["action": "skipped", "reason-words": "No, \"really\" not"])
    let version = try #require(try await house.dose(1)["version"]?.number?.text)
    _ = try await house.answer(
      1, ["action": "taken", "corrects": "\(version)", "confirm": "yes"])
    return house
  }

  @Test func `the page shows lines, counts and both versions of a correction`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let page = try await house.browser.open("/history").text
      #expect(page.contains("2 of 2 doses taken (100%)"))
      #expect(page.contains("Today, Sun 1 Mar") && page.contains("Taken 08:04"))
      #expect(page.contains("Corrected: 2 versions"))
      #expect(page.contains("“No, &quot;really&quot; not”"))
      #expect(page.contains("Planned"), "what is still to come today")
      #expect(!page.contains("Medicine =cmd") && page.contains("=cmd|&#39; /C"))
    }
  }

  @Test(arguments: [
    ("state=skipped", 200, "No doses found"),
    ("state=taken", 200, "Taken 08:04"),
    ("medicine=unknown", 200, "no doses to count"), ("state=nonsense", 200, "Taken 08:04"),
    ("from=2026-02-01&until=2026-02-28", 200, "no doses to count"),
    ("from=&until=2026-03-01", 200, "2 of 2"),
    ("from=2026-03-02&until=2026-03-01", 422, "can’t be before the first"),
    ("from=soon", 422, "Enter a date, for example"),
    ("until=2026-02-30", 422, "href=\"#field-until\""),
    ("from=%3Cscript%3E", 422, "&lt;script&gt;"), ("to=9999-99-99", 200, "2 of 2"),
    ("from=0001-01-01&until=9999-12-31&to=0001-01-01", 200, "2 of 2"),
  ])
  func `filters match what they say, and invalid ones are reported`(
    query: String, status: Int, words: String
  ) async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let page = try await house.browser.open("/history?\(query)")
      #expect(page.status.code == status)
      #expect(page.text.contains(words), "\(query)")
      #expect(!page.text.contains("<script>"))
    }
  }

  @Test func `the table follows RFC 4180 and runs no formulas`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let answer = try await house.browser.open("/history.csv?from=2026-03-01&until=2026-03-01")
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType]?.hasPrefix("text/csv") == true)
      #expect(answer.headers[.contentDisposition] == "attachment; filename=\"history.csv\"")
      let lines = answer.text.components(separatedBy: "\r\n")
      #expect(lines.first?.hasPrefix("\u{FEFF}Due,Medicine,Amount") == true)
      #expect(lines.count == 6 && lines.last == "", "header, four doses, end")
      #expect(
        lines[1...2].contains(
          "2026-03-01T08:00:00+00:00,Metoprolol,1,tablet,Taken,2026-03-01T08:04:00+00:00,"
            + "2026-03-01T08:04:00+00:00,Ann,"))
      #expect(answer.text.contains(",'=cmd|' /C calc'!A0,"))
      #expect(!answer.text.contains(",=cmd"))
      let exports = try await house.count("SELECT COUNT(*) FROM audit WHERE kind = 'export'")
      #expect(exports == 1)
      let wrong = try await house.browser.open("/history.csv?from=soon")
      #expect(wrong.status == .badRequest)
      #expect(try await house.count("SELECT COUNT(*) FROM audit WHERE kind = 'export'") == 1)
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"no\"", "\"say \"\"no\"\"\""),
    ("two\nlines", "\"two\nlines\""), ("=1+1", "'=1+1"), ("+49 30", "'+49 30"), ("-1", "'-1"),
    ("@home", "'@home"), ("  =SUM(A1)", "'  =SUM(A1)"), ("\t=1", "'\t=1"), ("", ""),
    ("=\"a\",1", "\"'=\"\"a\"\",1\""), ("\u{FF1D}1", "'\u{FF1D}1"), ("a=b", "a=b"),
    ("ก,ข", "\"ก,ข\""),
  ])
  func `cells are quoted and protected where necessary`(text: String, cell: String) {
    #expect(CSVText.cell(text) == cell)
  }

  @Test func `the Bundle holds prescriptions and administrations, and is valid`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let answer = try await house.browser.open("/history.json?from=2026-03-01&until=2026-03-01")
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType]?.hasPrefix("application/fhir+json") == true)
      let bundle = try answer.json()
      #expect(bundle["type"]?.string == "collection" && bundle["total"] == nil)
      let resources = try #require(bundle["entry"]?.array).map { entry in
        #expect(entry["fullUrl"]?.string?.contains("/fhir/") == true)
        return entry["resource"]
      }
      let types = resources.compactMap { $0?["resourceType"]?.string }
      #expect(types.count { $0 == "MedicationRequest" } == 2)
      #expect(types.count { $0 == "MedicationAdministration" } == 2)
      let empty = try await house.browser.open(
        "/history.json?medicine=unknown&from=2026-03-01&until=2026-03-01"
      ).json()
      #expect(empty["entry"] == nil && empty["type"]?.string == "collection")
    }
  }

  @Test func `long exports come in steps and lose nothing`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let events = (0..<700).map { minute in
        JSONValue.string(
          "2026-03-01T\(10 + minute / 60 < 10 ? "0" : "")\(10 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60):00Z"
        )
      }
      try await house.add("Many", dosage: ["timing": ["event": .array(events)]])
      let table = try await house.browser.open("/history.csv").text
      #expect(table.components(separatedBy: "\r\n").count == 702)
      let instants = table.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != "," } }
      #expect(instants == instants.sorted() && Set(instants).count == 700)
    }
  }

  @Test func `a day of very many lines takes several pages and loses none`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let (patient, now) = (house.account.patient, harness.clock.now)
      // Ten of them at each moment.
      try await harness.environment.database.write { writer in
        for number in Int64(0)..<450 {
          try writer.execute(
            """
            INSERT INTO intakes (patient, administration, medicine_name, ingredients, taken,
              recorded, by_name)
            VALUES ($1, $2, $3, 'name:tea', $4, $5, 'Ann')
            """,
            [
              .text(patient), .text("extra-\(number)"), .text("Tea-\(number)"),
              SQLValue(now.adding(milliseconds: -(number / 10 + 1) * 1_000)), SQLValue(now),
            ])
        }
      }
      var listed: [String] = []
      var lines: [Int] = []
      for skip in ["", "&skip=200", "&skip=400"] {
        let page = try await house.browser.open("/history?to=2026-03-01\(skip)").text
        listed += (0..<450).map { "Tea-\($0)" }.filter { page.contains(">\($0)<") }
        lines.append(page.components(separatedBy: "<li class=\"record").count - 1)
        #expect(page.contains("skip=200#") == (skip != "&skip=200"))
        #expect(page.contains("skip=400#") == (skip == "&skip=200"))
      }
      #expect(lines[0] == 200 && lines[1] == 200 && lines[2] < 200)
      #expect(listed.count == 450 && Set(listed).count == 450)
      let far = try await house.browser.open("/history?skip=99999999999999999999")
      #expect(far.status == .ok)
    }
  }

  @Test func `no one else can see the history`() async throws {
    try await ServerHarness.run { harness in
      let house = try await house(harness)
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      let bob = try await harness.session(of: try await harness.makeAccount("Bob"))
      for address in ["/history", "/history.csv", "/history.json"] {
        let seen = try await bob.open("\(address)?medicine=\(plan)&from=2026-02-01").text
        #expect(!seen.contains("Metoprolol") && !seen.contains("cmd|"), "\(address)")
      }
      #expect(try await harness.send(.get, "/history.csv").status == .seeOther)
    }
  }
}
