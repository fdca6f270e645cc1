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

@testable import HeartRate
@testable import Reminders
@testable import ReportPages
@testable import Web

/// The other recipients of a question: family members who agreed, and open event streams.
@Suite struct WarningFamilyTests {
  private static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .via

  /// Bob, a family member of Ann's, who is told about unanswered questions.
  private static func family(
    _ ann: MonitoredPerson, _ categories: Set<DataCategory> = [.heartRate]
  ) async throws -> Person {
    let harness = ann.harness
    let bob = try await Person.make(harness, "Bob")
    _ = try await bob.subscribe("bob")
    let (accounts, now) = (harness.environment.accounts, harness.clock.now)
    let patient = ann.person.account.patient
    let account = bob.account.id
    try await harness.environment.database.write { writer in
      try accounts.grant(
        .family, of: patient, to: account, from: now, categories: categories, by: "account",
        in: writer)
      _ = try EscalationCommands.offer(to: account, of: patient, by: "ann", at: now, in: writer)
      _ = try EscalationCommands.accept(patient, account: account, at: now, in: writer)
    }
    harness.environment.sessions.forget()
    return bob
  }

  private static func told(_ harness: ServerHarness) -> [JSONValue] {
    harness.outbox.pushes.map(\.payload).filter {
      $0["title"]?.string?.contains("No answer yet") == true
    }
  }

  @Test func `family is told after half an hour in neutral words, read-only`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.plan("Metoprolol 50 mg")
      let bob = try await Self.family(ann)
      // Ann has no device at all: the question still goes on to Bob.
      let warning = try await ann.warning()
      #expect(Self.told(harness).isEmpty)
      harness.clock.advance(minutes: 29)
      await harness.ring()
      #expect(Self.told(harness).isEmpty)
      harness.clock.advance(minutes: 2)
      await harness.ring()
      let push = try #require(Self.told(harness).first)
      #expect(Self.told(harness).count == 1)
      let words = (push["title"]?.string ?? "") + (push["body"]?.string ?? "")
      for word in ["heart", "pulse", "Metoprolol", "missed", "86", "85"] {
        #expect(!words.lowercased().contains(word.lowercased()), "\(words)")
      }
      #expect(push["notification"]?["navigate"]?.string?.hasSuffix(warning.id.text) == true)
      let browser = try await harness.session(of: bob.account)
      let page = try await browser.open(WarningRoutes.address(of: warning.id.text))
      #expect(page.status == .ok, "\(page.text)")
      #expect(
        page.text.contains("may be linked") && page.text.contains("Please check in"))
      #expect(!page.text.contains("Metoprolol") && !page.text.contains("you missed"))
      #expect(!page.text.contains("<form method=\"post\" action=\"/heart-rate"))
      let answer = try await browser.post(
        WarningRoutes.address(of: warning.id.text), ["answer": "no"])
      #expect(answer.status != .seeOther)
      #expect(try await ann.warnings().first?.answer == nil)
    }
  }

  @Test(arguments: ["answered", "recorded", "not shared", "turned off", "not watched"])
  func `family is not told of settled or unshared warnings`(reason: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      _ = try await ann.person.subscribe()
      let plan = try await ann.person.plan("Metoprolol 50 mg")
      let patient = ann.person.account.patient
      _ = try await Self.family(ann, reason == "not shared" ? [.medicines] : [.heartRate])
      let warning = try await ann.warning()
      switch reason {
      case "answered": _ = try await ann.answer(warning, ("answer", "closed"))
      case "recorded":
        let dose = try await ann.person.dose(of: plan)
        #expect(try await ann.person.answer(dose, ["action": "taken"]).status == .ok)
      case "turned off":
        try await harness.environment.database.write { writer in
          try writer.execute(
            "UPDATE heart_rate_monitoring SET tells_family = 0 WHERE patient = $1", [.text(patient)]
          )
        }
      case "not watched":
        try await harness.environment.database.write { writer in
          try writer.execute("DELETE FROM grants WHERE relationship = 'family'", [])
        }
      default: break
      }
      harness.clock.advance(minutes: 31)
      await harness.ring()
      #expect(Self.told(harness).isEmpty)
    }
  }

  @Test func `an open stream gets questions and answers and resumes`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await MonitoredPerson.make(harness)
      let bob = try await Self.family(ann)
      let eve = try await Person.make(harness, "Eve")
      func events(_ person: Person, since id: String) async throws -> (String, String) {
        let text = try await person.get("/api/v1/events", [Self.lastEventID: id]).text
        let ids = text.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        return (text, ids.last.map { String($0.dropFirst(4)) } ?? "")
      }
      let (before, start) = try await events(ann.person, since: "0-0")
      #expect(!before.contains("event: warning"))
      let warning = try await ann.warning()
      harness.clock.advance(minutes: 1)
      let (asked, id) = try await events(ann.person, since: start)
      #expect(asked.contains("event: warning\n") && asked.contains("\"id\":\"\(warning.id)\""))
      #expect(!asked.contains("\"answer\""))
      #expect(try await !events(ann.person, since: id).0.contains("event: warning"))
      _ = try await ann.answer(warning, ("answer", "unwell"))
      #expect(try await events(ann.person, since: id).0.contains("\"answer\":\"unwell\""))
      // Family who see only the heart rate get the question, and not the answer.
      let (heard, _) = try await events(bob, since: "0-0")
      #expect(heard.contains("event: warning\n") && !heard.contains("\"answer\""))
      #expect(try await !events(eve, since: "0-0").0.contains("event: warning"))
    }
  }
}
