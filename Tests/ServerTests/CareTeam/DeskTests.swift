// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import CareTeam
@testable import CareTeamPages
@testable import Plans
@testable import Web

/// A practitioner's table of patients, and the patient next to it.
@Suite struct DeskTests {
  /// Adds patients who share the same with the doctor.
  private func add(
    _ names: [String], sharing categories: Set<DataCategory>, to practice: Practice
  ) async throws -> [Account] {
    let harness = practice.harness
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    var added: [Account] = []
    for name in names {
      let account = try await harness.makeAccount(name)
      let doctor = practice.doctor.id
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .practitioner, of: account.patient, to: doctor, from: now.adding(milliseconds: -1),
          categories: categories, in: writer)
      }
      added.append(account)
    }
    harness.environment.sessions.forget()
    return added
  }

  /// Skips four days in which Ann records nothing.
  private func missDoses(_ practice: Practice) async throws {
    let harness = practice.harness
    _ = try await practice.ann.post("/fhir/MedicationRequest", practice.ann.request("Secretol"))
    let (zones, database) = (harness.environment.zones, harness.environment.database)
    for _ in 0..<4 {
      harness.clock.advance(minutes: 24 * 60)
      let now = harness.clock.now
      _ = try await database.write {
        try PlanCommands.extendHorizon(now: now, limit: 100, zones: zones, in: $0)
      }
    }
  }

  /// Returns the names of the rows, in order.
  private func names(_ page: String) -> [String] {
    page.matches(of: /class="desk-link" href="[^"]*"(?: aria-current="true")?>([^<]*)</)
      .map { String($0.1) }
  }

  @Test(arguments: [
    ("2000-02-29", "2001-02-28", 0), ("2000-02-29", "2001-03-01", 1),
    ("1948-05-01", "2026-04-30", 77), ("1948-05-01", "2026-05-01", 78),
    ("2026-03-02", "2026-03-01", 0),
  ])
  func `an age is in completed years`(born: String, today: String, years: Int) throws {
    let (born, today) = (
      try #require(CivilDate(text: born)), try #require(CivilDate(text: today))
    )
    #expect(CareDeskTable.age(born: born, on: today) == years)
  }

  @Test func `the table shows age, adherence and need, sortable both ways`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.adherence])
      _ = try await add(["Zoe"], sharing: [.adherence], to: practice)
      try await missDoses(practice)
      let browser = try await harness.session(of: practice.doctor)
      let page = try await browser.open("/care").text
      #expect(names(page) == ["Ann", "Zoe"])
      #expect(page.contains("<span class=\"desk-value\">77</span>"))
      #expect(
        page.contains("<strong>0%</strong>") && page.contains("class=\"sparkline\" role=\"img\""))
      #expect(page.contains("Doses taken in the last four weeks, week by week"))
      #expect(page.contains("doses not logged in 7 days") && !page.contains("Secretol"))
      #expect(page.matches(of: /aria-sort="/).count == 1)
      #expect(page.contains("class=\"desk-need\" aria-sort=\"descending\""))
      #expect(page.contains("href=\"/care?order=reversed\""))
      let sorted = try await browser.open("/care?sort=name").text
      #expect(sorted.contains("class=\"desk-name\" aria-sort=\"ascending\""))
      #expect(sorted.contains("href=\"/care?sort=name&amp;order=reversed\""))
      #expect(sorted.contains("href=\"\(practice.address)?sort=name\""))
      let reversed = try await browser.open("/care?sort=name&order=reversed").text
      #expect(names(reversed) == ["Zoe", "Ann"])
      #expect(reversed.contains("class=\"desk-name\" aria-sort=\"descending\""))
      // Unknown values are ignored.
      for odd in ["sort=nothing", "order=up", "page=0", "page=-3", "page=99999999999999999999"] {
        #expect(names(try await browser.open("/care?\(odd)").text) == ["Ann", "Zoe"], "\(odd)")
      }
      let far = try await browser.open("/care?page=9223372036854775807")
      #expect(far.status == .ok && names(far.text).isEmpty)
    }
  }

  @Test func `unshared values say so, and sorting doesn't reveal them`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.adherence])
      _ = try await add(["Zoe"], sharing: [.adherence], to: practice)
      let bob = try await Person.make(harness, "Bob")
      let (accounts, now, doctor) = (
        harness.environment.accounts, harness.clock.now, practice.doctor.id
      )
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .practitioner, of: bob.account.patient, to: doctor, from: now.adding(milliseconds: -1),
          categories: [.messages], in: writer)
      }
      // Bob misses as many doses as Ann, but does not share them.
      _ = try await bob.post("/fhir/MedicationRequest", bob.request("Secretol"))
      try await missDoses(practice)
      let browser = try await harness.session(of: practice.doctor)
      for column in ["week", "month", "seen", "since"] {
        for order in ["", "&order=reversed"] {
          let page = try await browser.open("/care?sort=\(column)\(order)").text
          #expect(names(page) == ["Ann", "Zoe", "Bob"], "\(column)\(order)")
        }
      }
      let found = try await browser.open("/care?q=bob").text
      let row = try #require(found.firstMatch(of: /<tbody.*<\/tbody>/)).output
      #expect(row.matches(of: /Not shared/).count == 5 && !row.contains("%"))
      // Filters count only shared data.
      #expect(names(try await browser.open("/care?show=missed").text) == ["Ann"])
    }
  }

  @Test func `more patients need no more statements`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      func count(_ address: String) async throws -> Int {
        harness.environment.sessions.forget()
        // The first view of each patient is audited before it is shown.
        _ = try await practice.browser.open(address)
        harness.environment.sessions.forget()
        let before = harness.environment.database.statementCount
        #expect(try await practice.browser.open(address).status == .ok)
        return harness.environment.database.statementCount - before
      }
      let addresses = ["/care", "/care?sort=week", "/care?sort=age", "/care?sort=seen"]
      var few: [Int] = []
      for address in addresses { few.append(try await count(address)) }
      _ = try await add(
        (1...60).map { "Patient\($0)" }, sharing: Set(DataCategory.allCases), to: practice)
      var many: [Int] = []
      for address in addresses { many.append(try await count(address)) }
      #expect(many == few)
    }
  }

  @Test func `an open patient is next to the table, or alone on a phone`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      _ = try await add(["Zoe"], sharing: [.messages], to: practice)
      let address = "\(practice.address)?sort=name&order=reversed"
      let page = try await practice.browser.open(address).text
      #expect(names(page) == ["Zoe", "Ann"])
      #expect(page.contains("aria-current=\"true\">Ann</a>"))
      #expect(page.contains("action=\"\(practice.address)/notes?sort=name&amp;order=reversed\""))
      #expect(page.contains("<h1 id=\"page-title\">Ann</h1>"))
      for section in ["plan", "adherence", "heart-rate", "messages", "notes"] {
        #expect(page.contains("id=\"\(section)\""), "\(section)")
      }
      var headers = practice.browser.headers
      headers[.userAgent] = "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
      let alone = try await harness.send(.get, address, headers)
      #expect(alone.status == .ok && names(alone.text).isEmpty && !alone.text.contains("Zoe"))
      // Prescribing and stopping keep the table as it is.
      let form = try await practice.browser.open("\(practice.address)/prescribe/details?q=ann").text
      #expect(names(form) == ["Ann"])
      #expect(form.contains("action=\"\(practice.address)/prescribe/details?q=ann\""))
      let sent = try await practice.browser.post(
        "\(practice.address)/prescribe/details?q=ann",
        pairs: Practice.medicine() + Practice.identity)
      #expect(sent.headers[.location] == "\(practice.address)?q=ann&done=sent#waiting")
      let noted = try await practice.browser.post(
        "\(practice.address)/notes?sort=age", ["note": "Sleeps badly"])
      #expect(noted.headers[.location] == "\(practice.address)?sort=age&done=noted#notes")
    }
  }

  @Test func `a message can be written next to the table`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness, sharing: [.messages])
      let address = "\(practice.address)/messages"
      let sent = try await practice.browser.post("\(address)?page=2", ["text": "Come on Monday"])
      #expect(
        sent.headers[.location] == "\(practice.address)?page=2&done=messaged#messages",
        "\(sent.text)")
      let page = try await practice.browser.open("\(practice.address)?done=messaged").text
      #expect(page.contains("Come on Monday") && page.contains("Message sent."))
      let conversation = Conversation.id(patient: practice.patient, member: practice.doctor.id)
      let hers = try await practice.annBrowser.open("/chat/\(conversation)").text
      #expect(hers.contains("Come on Monday"))
      // No input is lost, and the mistake is next to the field.
      let empty = try await practice.browser.post(address, ["text": "  "])
      #expect(empty.status == .unprocessableContent && empty.text.contains("id=\"error-summary\""))
      let long = String(repeating: "ab ", count: ChatText.maximum)
      let refused = try await practice.browser.post(address, ["text": long])
      #expect(refused.status == .unprocessableContent && refused.text.contains("ab ab ab"))
      let forged = try await practice.browser.post(address, ["text": "Hello"], token: "wrong")
      #expect(forged.status == .forbidden)
      // If messages are not shared, there is no form for them.
      try await practice.share([.medicines])
      #expect(try await practice.browser.post(address, ["text": "Hello"]).status == .notFound)
      let hidden = try await practice.browser.open(practice.address).text
      #expect(!hidden.contains("Come on Monday") && !hidden.contains("name=\"text\""))
    }
  }
}
