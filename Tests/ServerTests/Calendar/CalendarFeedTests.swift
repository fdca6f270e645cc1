// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Storage
import Testing
import TestSupport

@testable import ReportPages
@testable import Web

/// The secret address of a calendar: created, fetched, renewed, ended, and dead with the grant.
@Suite struct CalendarFeedTests {
  @Test func `a calendar fetches due doses until its address ends`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Testolol, the strong one", timing: Person.timing("08:00:00"))
      let browser = try await harness.session(of: ann.account)
      #expect(try await browser.open("/calendar").status == .ok)
      _ = try await browser.post("/calendar", ["do": "make"])
      let path = try await Self.path(browser)
      let feed = try await harness.send(.get, path)
      #expect(feed.status == .ok)
      #expect(feed.headers[.contentType] == "text/calendar; charset=utf-8")
      #expect(feed.headers[.cacheControl] == "no-store")
      #expect(Self.count("BEGIN:VEVENT", feed.text) >= 89)
      #expect(!feed.text.contains("Testolol") && !feed.text.contains("Ann"))
      // Nothing changed: the content is the same, and not sent again.
      let etag = try #require(feed.headers[.eTag])
      harness.clock.advance(minutes: 1)
      let unchanged = try await harness.send(.get, path, [.ifNoneMatch: etag])
      #expect(unchanged.status == .notModified && unchanged.headers[.cacheControl] == "no-store")
      let weak = try await harness.send(.get, path, [.ifNoneMatch: "W/\(etag)"])
      #expect(weak.status == .notModified)
      #expect(try await harness.send(.get, path, [.ifNoneMatch: "\"x\""]).text == feed.text)
      #expect(try await browser.open("/calendar").text.contains("Last updated"))
      // Medicines are named only once that is chosen; the address stays.
      _ = try await browser.post("/calendar", ["do": "change", "names": "yes"])
      let named = try await harness.send(.get, path, [.ifNoneMatch: etag])
      #expect(named.text.replacing("\r\n ", with: "").contains("Testolol\\, the strong one"))
      _ = try await browser.post("/calendar", ["do": "make"])
      let next = try await Self.path(browser)
      #expect(next != path)
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(try await harness.send(.get, next).status == .ok)
      _ = try await browser.post("/calendar", ["do": "end"])
      #expect(try await harness.send(.get, next).status == .notFound)
      #expect(try await browser.post("/calendar", ["do": "burn"]).status == .badRequest)
    }
  }

  @Test func `on a full disk the feed works, only its last use isn't recorded`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      _ = try await browser.post("/calendar", ["do": "make"])
      let path = try await Self.path(browser)
      harness.environment.disk.note(isShort: true)
      #expect(try await harness.send(.get, path).status == .ok)
      harness.environment.disk.note(isShort: false)
      #expect(!(try await browser.open("/calendar").text).contains("Last updated"))
      #expect(try await harness.send(.get, path).status == .ok)
      #expect(try await browser.open("/calendar").text.contains("Last updated"))
    }
  }

  @Test func `creating an address needs recent reauthentication`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      harness.clock.advance(minutes: 40)
      let addresses: [(String, KeyValuePairs<String, String>)] = [
        ("/calendar", ["do": "make"]), (GlanceRoutes.makePath, [:]),
      ]
      for (page, fields) in addresses {
        let made = try await browser.post(page, fields)
        #expect(
          made.headers[.location]?.hasPrefix("/account/security/prove?next=") == true, "\(page)")
      }
      let counts = try await harness.environment.database.read { reader in
        try reader.query(
          "SELECT (SELECT count(*) FROM calendar_feeds) + (SELECT count(*) FROM heart_rate_glances)"
        ).map { try $0.integer(0) }
      }
      #expect(counts == [0])
      // Ending one, or naming less, needs no proof of identity.
      #expect(
        try await browser.post("/calendar", ["do": "end"]).headers[.location]?.hasPrefix(
          "/calendar") == true)
    }
  }

  @Test func `stored data doesn't reveal the address`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      _ = try await browser.post("/calendar", ["do": "make"])
      let path = try await Self.path(browser)
      let secret = path.dropFirst("/calendar/".count).dropLast(".ics".count)
      let kept = try await harness.environment.database.read { reader in
        try reader.query("SELECT secret_hash, secret_sealed FROM calendar_feeds").map { row in
          try String(decoding: row.blob(0) + row.blob(1), as: UTF8.self)
        }
      }
      #expect(kept.count == 1 && kept.allSatisfy { !$0.contains(secret) })
    }
  }

  @Test(arguments: [
    "rgc_x.ics", "rgc_x", "x", "rgc_\(String(repeating: "A", count: 300)).ics", "%00",
  ])
  func `invalid addresses are not found`(link: String) async throws {
    try await ServerHarness.run { harness in
      let status = try await harness.send(.get, "/calendar/\(link)").status
      #expect((400..<500).contains(Int(status.code)), "\(link) \(status)")
    }
  }

  @Test func `a viewer's feed ends with the grant`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.plan("Testolol", timing: Person.timing("08:00:00"))
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      func grant(_ categories: Set<DataCategory>) async throws {
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .family, of: ann.account.patient, to: bob.account.id, from: now,
            categories: categories, by: ann.account.id, in: writer)
        }
        harness.environment.sessions.forget()
      }
      var browser = try await harness.session(of: bob.account)
      browser.person = ann.account.patient
      try await grant([.medicines, .adherence])
      let made = try await browser.post("/calendar", ["do": "make"])
      #expect(made.status == .seeOther, "\(made.text)")
      let path = try await Self.path(browser)
      let feed = try await harness.send(.get, path)
      #expect(feed.status == .ok && Self.count("BEGIN:VEVENT", feed.text) >= 89)
      // A viewer of several people is told which one, but not by name.
      #expect(feed.text.contains("SUMMARY:A") && !feed.text.contains("Ann"))
      let ended = harness.clock.now
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = $1 WHERE account = $2 AND patient = $3",
          [SQLValue(ended), .text(bob.account.id), .text(ann.account.patient)])
      }
      #expect(try await harness.send(.get, path).status == .notFound)
    }
  }

  @Test func `the person sees a relative's link and can end it`() async throws {
    try await ServerHarness.run { harness in
      let (ann, bob) = (
        try await Person.make(harness), try await Person.make(harness, "Bob")
      )
      let eve = try await Person.make(harness, "Eve")
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, ann.account.patient
      )
      try await harness.environment.database.write { writer in
        for other in [bob, eve] {
          try accounts.grant(
            .family, of: patient, to: other.account.id, from: now, by: ann.account.id, in: writer)
        }
      }
      harness.environment.sessions.forget()
      var relative = try await harness.session(of: bob.account)
      relative.person = patient
      _ = try await relative.post("/calendar", ["do": "make"])
      let path = try await Self.path(relative)
      #expect(try await harness.send(.get, path).status == .ok)
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/calendar").text
      #expect(page.contains("Calendar addresses created by others") && page.contains("Bob"))
      #expect(!page.contains("rgc_"), "the person does not learn the address")
      // A read-only viewer neither sees nor ends other people's feeds.
      var another = try await harness.session(of: eve.account)
      another.person = patient
      #expect(!(try await another.open("/calendar").text).contains("Bob"))
      let fields: KeyValuePairs = ["do": "end-other", "account": bob.account.id.text]
      #expect(try await another.post("/calendar", fields).status == .notFound)
      #expect(try await harness.send(.get, path).status == .ok)
      #expect(try await browser.post("/calendar", fields).status == .seeOther)
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(!(try await browser.open("/calendar").text).contains("Bob"))
    }
  }

  @Test(arguments: ["ended", "narrowed"])
  func `an ended link stays dead when sharing resumes`(how: String) async throws {
    try await ServerHarness.run { harness in
      let (ann, bob) = (
        try await Person.make(harness), try await Person.make(harness, "Bob")
      )
      let (accounts, patient, other) = (
        harness.environment.accounts, ann.account.patient, bob.account.id
      )
      let owner = Actor(
        accountID: ann.account.id, kind: .session, relationships: [patient: .self_],
        scope: .session)
      func step(_ body: @escaping @Sendable (Timestamp, any SQLWriter) throws -> Void) async throws
      {
        harness.clock.advance(minutes: 1)
        let now = harness.clock.now
        try await harness.environment.database.write { try body(now, $0) }
        harness.environment.sessions.forget()
      }
      func share(_ categories: Set<DataCategory>) async throws {
        try await step { now, writer in
          try accounts.share(
            categories, of: patient, with: other, as: .family, by: owner, at: now, in: writer)
        }
      }
      func grant() async throws {
        try await step { now, writer in
          try accounts.grant(
            .family, of: patient, to: other, from: now, categories: [.medicines, .adherence],
            by: owner.accountID, in: writer)
        }
      }
      try await grant()
      var relative = try await harness.session(of: bob.account)
      relative.person = patient
      _ = try await relative.post("/calendar", ["do": "make"])
      let path = try await Self.path(relative)
      // Sharing more than before ends nothing.
      try await share([.medicines, .adherence, .stock])
      #expect(try await harness.send(.get, path).status == .ok)
      if how == "ended" {
        try await step { now, writer in
          try accounts.endGrant(
            .family, of: patient, to: other, by: owner, at: now, in: writer)
        }
      } else {
        try await share([.medicines])
      }
      #expect(try await harness.send(.get, path).status == .notFound)
      if how == "ended" { try await grant() } else { try await share([.medicines, .adherence]) }
      #expect(try await harness.send(.get, path).status == .notFound)
      #expect(!(try await relative.open("/calendar").text).contains("rgc_"))
      harness.clock.advance(minutes: 1)
      _ = try await relative.post("/calendar", ["do": "make"])
      #expect(try await harness.send(.get, try await Self.path(relative)).status == .ok)
      #expect(try await harness.send(.get, path).status == .notFound)
    }
  }

  @Test func `an edit keeps an event's UID and raises its sequence number`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan("Testolol", timing: Person.timing("08:00:00"))
      let browser = try await harness.session(of: ann.account)
      let before = try Self.events(try await browser.open("/calendar.ics").text)
      harness.clock.advance(minutes: 1)
      var request = ann.request("Testolol", timing: Person.timing("09:30:00"), id: plan.text)
      request["id"] = .string(plan)
      let edited = try await ann.put("/fhir/MedicationRequest/\(plan)", request)
      #expect(edited.status == .ok, "\(edited.text)")
      let after = try Self.events(try await browser.open("/calendar.ics").text)
      let kept = Set(before.keys).intersection(after.keys)
      #expect(kept.count >= 88)
      for id in kept {
        let (old, new) = (try #require(before[id]), try #require(after[id]))
        #expect(new.sequence > old.sequence && new.starts != old.starts)
      }
    }
  }

  @Test(arguments: ["events", "tasks"])
  func `a calendar file is never cached`(kind: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let file = try await harness.session(of: ann.account).open("/calendar.ics?as=\(kind)")
      #expect(file.status == .ok && file.headers[.cacheControl] == "no-store")
    }
  }

  @Test func `tasks can be downloaded as a file`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.plan("Testolol", timing: Person.timing("08:00:00"))
      let browser = try await harness.session(of: ann.account)
      let file = try await browser.open("/calendar.ics?as=tasks")
      #expect(Self.count("BEGIN:VTODO", file.text) >= 89 && !file.text.contains("VEVENT"))
      #expect(file.headers[.contentDisposition]?.hasPrefix("attachment") == true)
      #expect(!file.text.contains("Testolol"))
    }
  }

  // MARK: Helpers

  private static func path(_ browser: Browser) async throws -> String {
    let page = try await browser.open("/calendar").text
    return String(
      try #require(page.firstMatch(of: /\/calendar\/rgc_[A-Za-z0-9_-]+\.ics/)?.output))
  }

  private static func count(_ word: String, _ text: String) -> Int {
    text.split(separator: word, omittingEmptySubsequences: false).count - 1
  }

  private struct Event {
    let sequence: Int
    let starts: String
  }

  private static func events(_ text: String) throws -> [String: Event] {
    var found: [String: Event] = [:]
    for part in text.split(separator: "BEGIN:VEVENT").dropFirst() {
      let lines = part.replacing("\r\n ", with: "").split(separator: "\r\n")
      func value(_ name: String) -> String? {
        lines.first { $0.hasPrefix(name) }.map { String($0.drop { $0 != ":" }.dropFirst()) }
      }
      found[try #require(value("UID"))] = Event(
        sequence: try #require(value("SEQUENCE").flatMap { Int($0) }),
        starts: try #require(value("DTSTART")))
    }
    return found
  }
}
