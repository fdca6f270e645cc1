// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTML
import HTTPTypes
import HummingbirdTesting
import Localization
import NIOCore
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import ReportPages
@testable import Statistics
@testable import Web

/// The report for a visit: the same numbers on the page, in the PDF, as a table, as FHIR and behind
/// a link.
@Suite struct ReportTests {
  /// Two medicines with three days of answers, and one dose skipped with a reason.
  private static func house(_ harness: ServerHarness) async throws -> Person {
    let ann = try await Person.make(harness)
    _ = try await ann.plan("Testolol", timing: Person.timing("08:00:00", "20:00:00"))
    _ = try await ann.plan("<b>Ramipril</b>, \"5\"")
    for day in 1...3 {
      harness.clock.advance(minutes: 62)
      let (now, zones) = (harness.clock.now, harness.environment.zones)
      try await harness.environment.database.write { writer in
        _ = try PlanCommands.extendHorizon(now: now, limit: 10, zones: zones, in: writer)
      }
      let window = "from=2026-03-0\(day)T00:00:00Z&to=2026-03-0\(day + 1)T00:00:00Z"
      for dose in try await ann.doses(window) {
        guard let id = dose["id"]?.string, let due = dose["due"]?.string, due.contains("T08:00")
        else { continue }
        let isTestolol = dose["medicine"]?.string == "Testolol"
        let body: JSONValue =
          day == 2 && !isTestolol
          ? ["action": "skipped", "reason": "Felt <sick>"] : ["action": "taken"]
        let answer = try await ann.answer(id, body)
        #expect(answer.status == .ok, "\(answer.text)")
      }
      harness.clock.advance(minutes: 24 * 60 - 62)
    }
    return ann
  }

  /// Returns the report's content for the default period.
  private static func content(
    of person: Person, _ harness: ServerHarness
  ) async throws -> ReportContent {
    let environment = harness.environment
    let now = harness.clock.now
    let (account, patient) = (person.account.id, person.account.patient)
    return try await environment.database.read { reader in
      let rights = try environment.accounts.rights(of: account, at: now, in: reader)
      let reading = try ReportReading(
        .init(accountID: account, kind: .token, rights: rights, scope: .own),
        patient: patient, purpose: .care)
      let period = try ReportRoutes.period(
        [], patient: patient, environment, now: now, in: reader)
      return try reading.content(
        from: period.first, to: period.last, environment, now: now, in: reader)
    }
  }

  @Test func `page, table, FHIR and paper show the same statistics`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.house(harness)
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/report?days=7")
      #expect(page.status == .ok)
      for words in [
        "3 of 6 (50%)", "0 of 3 (0%)", "&lt;b&gt;Ramipril&lt;/b&gt;", "Felt &lt;sick&gt;",
        "Evening (17:00–21:59)", "Days covered: days when", "none noted",
      ] {
        #expect(page.text.contains(words), "\(words)")
      }
      #expect(!page.text.contains("<b>Ramipril"))
      let table = try await browser.open("/report.csv?days=7")
      let lines = table.text.split(separator: "\r\n")
      #expect(lines.count == 4, "head, two medicines, all together")
      let all = try #require(lines.last)
      #expect(all.hasPrefix("Total,,9,"))
      let bundle = try await browser.open("/report.json?days=7")
      let json = try JSONValue(parsing: Array(bundle.text.utf8))
      let entries = try #require(json["entry"]?.array)
      #expect(entries.first?["resource"]?["resourceType"]?.string == "Composition")
      let kinds = entries.compactMap { $0["resource"]?["resourceType"]?.string }
      #expect(kinds.count { $0 == "MedicationRequest" } == 2)
      #expect(kinds.count { $0 == "Observation" } == 3)
      let addresses = Set(entries.compactMap { $0["fullUrl"]?.string })
      let named = entries.first?["resource"]?["section"]?[0]?["entry"]?.array ?? []
      #expect(named.count == 5)
      #expect(named.allSatisfy { addresses.contains($0["reference"]?.string ?? "") })
      let paper = try await browser.open("/report.pdf?days=7")
      #expect(paper.headers[.contentType] == "application/pdf")
      #expect(paper.body.readableBytes > 5_000)
      let exports = try await harness.environment.database.read { reader in
        try reader.query("SELECT COUNT(*) FROM audit WHERE kind = 'export'").first?.integer(0)
      }
      #expect(exports == 3)
    }
  }

  @Test func `the printed list and the table include the strength`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var request = ann.request("")
      request["medicationCodeableConcept"] = nil
      request["contained"] = [
        [
          "resourceType": "Medication", "id": "m", "code": ["text": "Metoprolol"],
          "ingredient": [
            [
              "itemCodeableConcept": ["text": "Metoprolol"],
              "strength": [
                "numerator": ["value": 50, "unit": "mg"],
                "denominator": ["value": 1, "unit": "tablet"],
              ],
            ]
          ],
        ]
      ]
      request["medicationReference"] = ["reference": "#m"]
      let made = try await ann.post("/fhir/MedicationRequest", request)
      #expect(made.status == .created, "\(made.text)")
      harness.clock.advance(minutes: 24 * 60)
      let content = try await Self.content(of: ann, harness)
      let document = ReportWriter(content: content, localizer: .of(.en)).document
      // The PDF prints these cells; its font encodes glyphs, so that the file has no plain text.
      let cells = document.parts.flatMap(\.blocks).flatMap { block -> [String] in
        if case .table(let table) = block { table.rows.flatMap(\.self) } else { [] }
      }
      #expect(cells.contains { $0.contains("Metoprolol 50 mg") }, "\(cells)")
      let table = ReportCSV(content: content, localizer: .of(.en)).text
      #expect(table.contains("Metoprolol 50 mg"), "\(table)")
    }
  }

  @Test(arguments: Language.allCases)
  func `the texts match in every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.house(harness)
      let content = try await Self.content(of: ann, harness)
      let localizer = Localizer.of(language)
      let document = ReportWriter(content: content, localizer: localizer).document
      try GoldenFile.check(
        ReportMarkup(document: document).markup.text, "report-\(language.rawValue).html")
      // Without the byte order mark, which file readers remove.
      let table = ReportCSV(content: content, localizer: localizer).text
        .replacing("\u{FEFF}", with: "").replacing("\r\n", with: "\n")
      try GoldenFile.check(table, "report-\(language.rawValue).csv")
      let paper = ReportPaper(
        document: document, localizer: localizer, created: "2026-03-04T07:00:00Z")
      #expect(try paper.bytes().count > 5_000)
    }
  }

  @Test(arguments: [
    ("days=90", 200, "3 of 6"), ("days=8", 200, "3 of 6"), ("days=x", 200, "3 of 6"),
    ("from=2026-03-02&until=2026-03-02", 200, "1 of 2 (50%)"),
    ("from=&until=", 200, "3 of 6"),
    ("from=2026-03-03&until=2026-03-02", 422, "can’t be before"),
    ("from=2000-01-01&until=2026-03-03", 422, "ten years or less"),
    ("from=%3Cscript%3E", 422, "&lt;script&gt;"),
    ("from=9999-12-31&until=9999-12-31", 200, "Visit report"),
    ("from=0001-01-01&until=0001-01-02", 200, "–"),
  ])
  func `days are chosen or typed, and invalid ones are reported`(
    query: String, status: Int, words: String
  ) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.house(harness)
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/report?\(query)")
      #expect(page.status.code == status, "\(query)")
      #expect(page.text.contains(words), "\(query)")
      #expect(!page.text.contains("<script>"))
      let file = try await browser.open("/report.pdf?\(query)")
      #expect(file.status.code == (status == 200 ? 200 : 400), "\(query)")
    }
  }

  // MARK: Links

  private static func make(_ browser: Browser, ends: String = "7") async throws -> String {
    let made = try await browser.post("/report/links", ["ends": ends, "days": "7"])
    #expect(made.status == .ok, "\(made.text)")
    let address = try #require(made.text.firstMatch(of: /\/shared-report\/rgv_[\w-]+/)).output
    return String(address)
  }

  @Test func `a link shows the report without a sign-in until it ends`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.house(harness)
      let browser = try await harness.session(of: ann.account)
      let path = try await Self.make(browser)
      let page = try await harness.send(.get, path)
      #expect(page.status == .ok)
      #expect(page.text.contains("3 of 6 (50%)") && page.text.contains("shared with a link"))
      #expect(
        !page.text.contains("ann@example.org") && !page.text.contains("<form method=\"post\""))
      #expect(page.headers[.cacheControl] == "no-store")
      #expect(try await harness.send(.get, "\(path)/report.pdf").status == .ok)
      #expect(try await browser.open("/report").text.contains("opened 2 times"))
      // Neither a wrong secret nor one of another kind opens anything.
      #expect(try await harness.send(.get, "\(path)x").status == .notFound)
      #expect(try await harness.send(.get, "/shared-report/rgs_x").status == .notFound)
      harness.clock.advance(minutes: 7 * 24 * 60 - 1)
      #expect(try await harness.send(.get, path).status == .ok)
      harness.clock.advance(minutes: 1)
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(try await harness.send(.get, "\(path)/report.pdf").status == .notFound)
    }
  }

  @Test func `a link ends by hand, with a new password or its creator's access`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Self.house(harness)
      let browser = try await harness.session(of: ann.account)
      let path = try await Self.make(browser)
      let page = try await browser.open("/report").text
      let removal = try #require(page.firstMatch(of: /\/report\/links\/[\w-]+\/remove/)).output
      // No one else may do it.
      let bob = try await harness.session(of: try await harness.makeAccount("Bob"))
      #expect(try await bob.post(String(removal), [:]).status == .notFound)
      #expect(try await harness.send(.get, path).status == .ok)
      #expect(try await browser.post(String(removal), [:]).status == .seeOther)
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(try await browser.post(String(removal), [:]).status == .notFound)

      let other = try await Self.make(browser)
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = 1 WHERE account = $1", [.text(ann.account.id)])
      }
      #expect(try await harness.send(.get, other).status == .notFound)
    }
  }

  @Test func `links are limited and need a fixed length and a recent sign-in`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      for _ in 0..<ReportLinks.most { _ = try await Self.make(browser, ends: "1") }
      let many = try await browser.post("/report/links", ["ends": "1"])
      #expect(many.headers[.location] == "/report?done=too-many#share")
      harness.clock.advance(minutes: 24 * 60)
      try await harness.proveAgain()
      _ = try await Self.make(browser, ends: "30")
      for ends in ["", "2", "-1", "7x", "99999999999999999999"] {
        #expect(try await browser.post("/report/links", ["ends": "\(ends)"]).status == .badRequest)
      }
      let wrong = try await browser.post(
        "/report/links", ["ends": "7", "from": "2026-03-02", "until": "2026-03-01"])
      #expect(wrong.status == .badRequest)
      harness.clock.advance(minutes: 40)
      let late = try await browser.post("/report/links", ["ends": "7"])
      #expect(late.headers[.location]?.hasPrefix("/account/security/prove?next=") == true)
    }
  }
}
