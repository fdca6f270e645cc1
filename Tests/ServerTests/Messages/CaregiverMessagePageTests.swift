// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import CareTeamPages
@testable import Web

/// Ann, whose messages go to others, with a dose an hour ago.
struct ToldHousehold: Sendable {
  let harness: ServerHarness
  let ann: Person
  let annBrowser: Browser

  static func make(_ harness: ServerHarness) async throws -> ToldHousehold {
    let ann = try await Person.make(harness)
    _ = try await ann.event("2026-03-01T07:30:00Z", name: "Unmistakablol")
    return ToldHousehold(
      harness: harness, ann: ann, annBrowser: try await harness.session(of: ann.account))
  }

  var patient: PatientID { ann.account.patient }

  /// Adds someone with a device and a share.
  func join(
    _ name: String, _ relationship: Relationship = .family,
    _ categories: Set<DataCategory> = Set(DataCategory.allCases)
  ) async throws -> (person: Person, browser: Browser) {
    let person = try await Person.make(harness, name)
    _ = try await person.subscribe(name.lowercased())
    let (accounts, now, patient) = (harness.environment.accounts, harness.clock.now, patient)
    try await harness.environment.database.write { writer in
      try accounts.grant(
        relationship, of: patient, to: person.account.id, from: now, categories: categories,
        in: writer)
    }
    harness.environment.sessions.forget()
    return (person, try await harness.session(of: person.account))
  }

  func look() async throws {
    try await MessageRound(environment: harness.environment).run()
    await harness.ring()
  }

  /// Chooses the messages on the page, and agrees on the recipient's.
  func choose(
    _ other: (person: Person, browser: Browser), _ fields: KeyValuePairs<String, String>
  ) async throws {
    let kept = try await annBrowser.post(
      "\(MessageRuleRoutes.path)/\(other.person.account.id)", fields)
    #expect(kept.status == .seeOther, "\(kept.text)")
    let agreed = try await other.browser.post(
      MessageRuleRoutes.toldPath, ["patient": patient.text, "do": "agree"])
    #expect(agreed.status == .seeOther, "\(agreed.text)")
  }

  func refuse() async throws {
    harness.clock.advance(minutes: 35)
    await harness.ring()
    let doses = try await ann.get("/api/v1/doses?\(Person.days)")
    let dose = try #require(try doses.json()["doses"]?[0]?["id"]?.string, "\(doses.text)")
    let answer = try await ann.post(
      "/api/v1/doses/\(dose)/answers", ["action": "refused", "reason": "felt dizzy"])
    #expect(answer.status == .ok, "\(answer.text)")
  }

  func pushes(to name: String) -> [JSONValue] {
    harness.outbox.pushes.filter { $0.endpoint == Outbox.endpoint(name) }.map(\.payload)
  }
}

@Suite struct CaregiverMessagePageTests {
  private static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .via

  @Test func `caregiver messages are set up, accepted, sent, handled and visible`() async throws {
    try await ServerHarness.run { harness in
      let home = try await ToldHousehold.make(harness)
      let bob = try await home.join("Bob")
      let eve = try await home.join("Eve")
      let rules = try await home.annBrowser.open("/caregiver-messages/rules").text
      #expect(rules.contains("Gets no messages"))
      let form = try await home.annBrowser.open(
        "/caregiver-messages/rules/\(bob.person.account.id)")
      #expect(form.text.contains("All morning doses are taken"), "\(form.text)")
      try await home.choose(
        bob, ["topic-refused": "now", "place": "1", "most": "4", "nudge": "yes"])
      try await home.choose(eve, ["topic-refused": "now", "place": "2", "most": "4"])
      try await home.refuse()
      try await home.look()
      let push = try #require(home.pushes(to: "bob").first)
      let words = (push["title"]?.string ?? "") + (push["body"]?.string ?? "")
      #expect(words.contains("New message") && !words.contains("Unmistakablol"))
      #expect(push["notification"]?["navigate"]?.string?.hasSuffix("/caregiver-messages") == true)
      #expect(home.pushes(to: "eve").isEmpty)
      let inbox = try await bob.browser.open("/caregiver-messages")
      #expect(inbox.text.contains("Unmistakablol (07:30) was refused"), "\(inbox.text)")
      #expect(inbox.text.contains("felt dizzy") && inbox.text.contains("I’ll take care of it"))
      #expect(!(try await eve.browser.open("/caregiver-messages").text.contains("Unmistakablol")))

      let listed = try await bob.person.get("/api/v1/notices")
      let notice = try #require(try listed.json()["notices"]?[0]?["id"]?.string, "\(listed.text)")
      #expect(try listed.json()["notices"]?[0]?["topic"]?.string == "refused")
      // Another account's message appears not to exist.
      #expect(try await eve.browser.post("/caregiver-messages/\(notice)", [:]).status == .notFound)
      #expect(
        try await eve.person.post("/api/v1/notices/\(notice)/acknowledge", [:]).status == .notFound)
      #expect(try await bob.browser.post("/caregiver-messages/\(notice)", [:]).status == .seeOther)
      harness.clock.advance(minutes: 40)
      try await home.look()
      #expect(home.pushes(to: "eve").isEmpty)
      let today = try await home.annBrowser.open("/")
      #expect(today.text.contains("Bob is taking care of it"), "\(today.text)")
      let sent = try await home.annBrowser.open("/caregiver-messages/rules")
      #expect(sent.text.contains("To Bob") && sent.text.contains("Bob is taking care of it"))
      #expect(!sent.text.contains("To Eve"))
    }
  }

  @Test func `ended rules are not shown, and invalid choices are refused`() async throws {
    try await ServerHarness.run { harness in
      let home = try await ToldHousehold.make(harness)
      let bob = try await home.join("Bob")
      try await home.choose(bob, ["topic-refused": "now", "most": "4"])
      try await home.refuse()
      let (accounts, now, patient) = (harness.environment.accounts, harness.clock.now, home.patient)
      let account = bob.person.account.id
      func share(_ categories: Set<DataCategory>) async throws {
        try await harness.environment.database.write { writer in
          try accounts.grant(
            .family, of: patient, to: account, from: now.adding(milliseconds: -1),
            categories: categories, in: writer)
        }
        harness.environment.sessions.forget()
      }
      // Recorded in the database, and limited before it is sent.
      try await MessageRound(environment: harness.environment).run()
      try await share([.medicines, .messages])
      await harness.ring()
      #expect(home.pushes(to: "bob").isEmpty)
      #expect(!(try await bob.browser.open("/caregiver-messages").text.contains("was refused")))
      let listed = try await bob.person.get("/api/v1/notices")
      #expect(try listed.json()["notices"]?.array?.isEmpty == true)
      let form = try await home.annBrowser.open("/caregiver-messages/rules/\(account)")
      #expect(!form.text.contains("A dose is refused"))

      let wrong = try await home.annBrowser.post(
        "/caregiver-messages/rules/\(account)", ["most": "99"])
      #expect(wrong.status == .unprocessableContent)
      let stranger = try await home.annBrowser.open("/caregiver-messages/rules/nobody")
      #expect(stranger.status == .notFound)
      var looking = bob.browser
      looking.person = patient
      #expect(try await looking.open("/caregiver-messages/rules/\(account)").status == .notFound)
      #expect(
        try await looking.post("/caregiver-messages/rules/\(account)", ["topic-missed": "now"])
          .status
          == .notFound)
      // Without an offer, nothing can be agreed to.
      let eve = try await home.join("Eve")
      #expect(
        try await eve.browser.post(
          "/caregiver-messages/told", ["patient": patient.text, "do": "agree"]
        ).status
          == .notFound)
      let preferences = try await bob.browser.post(
        "/caregiver-messages/preferences", ["digest": "25:00", "phone": "12"])
      #expect(preferences.status == .unprocessableContent)
      let saved = try await bob.browser.post(
        "/caregiver-messages/preferences",
        ["digest": "07:30", "mute": "2026-04-01", "phone": "+47 22 00 00 00"])
      #expect(saved.status == .seeOther)
      let page = try await bob.browser.open("/caregiver-messages/rules")
      #expect(page.text.contains("value=\"07:30\"") && page.text.contains("2026-04-01"))
      let calls = try await home.annBrowser.open("/caregiver-messages/rules")
      #expect(calls.text.contains("tel:+4722000000"), "\(calls.text)")
    }
  }

  @Test func `an open stream announces a message but not its text`() async throws {
    try await ServerHarness.run { harness in
      let home = try await ToldHousehold.make(harness)
      let bob = try await home.join("Bob", .family, [.adherence])
      let doctor = try await home.join("Doctor", .practitioner, [.medicines])
      try await home.choose(bob, ["topic-refused": "now", "most": "4"])
      let first = try await bob.person.get("/api/v1/events")
      let cursor = try #require(
        first.text.split(separator: "\n").first { $0.hasPrefix("id: ") }.map {
          String($0.dropFirst(4))
        })
      try await home.refuse()
      try await home.look()
      func stream(_ person: Person) async throws -> String {
        try await person.get("/api/v1/events", [Self.lastEventID: cursor]).text
      }
      let told = try await stream(bob.person)
      let line = try #require(
        told.split(separator: "\n").first {
          $0.contains(home.patient.text) && $0.hasPrefix("data: ")
        },
        "\(told)")
      #expect(told.contains("event: message"))
      let data = try JSONValue(parsing: Array(line.dropFirst(6).utf8))
      #expect(data["id"]?.string != nil && data["patient"]?.string == home.patient.text)
      #expect(data["text"] == nil && data["topic"] == nil)
      #expect(!told.contains("refused") && !told.contains("dizzy"))
      #expect(!(try await stream(doctor.person).contains("event: message")))
      #expect(!(try await stream(home.ann).contains("event: message")))
    }
  }

  @Test func `a nudge from the page reaches the person, at most twice`() async throws {
    try await ServerHarness.run { harness in
      let home = try await ToldHousehold.make(harness)
      _ = try await home.ann.subscribe("ann")
      let bob = try await home.join("Bob")
      let eve = try await home.join("Eve")
      try await home.choose(bob, ["most": "4", "nudge": "yes"])
      harness.clock.advance(minutes: 35)
      await harness.ring()
      let before = home.pushes(to: "ann").count
      #expect(try await bob.browser.open("/caregiver-messages").text.contains("action=\"/nudges\""))
      for (number, done) in ["nudged", "nudged", "enough"].enumerated() {
        let answer = try await bob.browser.post("/nudges", ["patient": home.patient.text])
        #expect(answer.headers[.location] == "/caregiver-messages?done=\(done)", "\(number)")
        await harness.ring()
      }
      let nudges = home.pushes(to: "ann").dropFirst(before)
        .filter { $0["kind"]?.string == "nudge" }
      #expect(nudges.count == 2 && !"\(nudges)".contains("Unmistakablol"))
      #expect(try await home.annBrowser.open("/").text.contains("Bob reminded you of a dose"))
      #expect(
        try await eve.browser.post("/nudges", ["patient": home.patient.text]).status == .notFound)
    }
  }
}
