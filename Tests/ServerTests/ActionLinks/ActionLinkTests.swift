// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Web

/// Links in mails that answer without a sign-in.
@Suite struct ActionLinkTests {
  @Test func `opening a link changes nothing, pressing its button answers once`() async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      for link in mailed.links {
        for _ in 0..<2 {
          let page = try await harness.send(.get, link)
          #expect(page.status == .ok, "\(page.text)")
          #expect(page.text.contains("07:05"))
          #expect(!page.text.contains("Testolol"), "a medicine is named without a sign-in")
          #expect(page.headers[.setCookie] == nil)
        }
      }
      #expect(try await mailed.state() == "due")
      let pressed = try await harness.submit(mailed.link(.taken), [])
      #expect(pressed.status == .seeOther && pressed.headers[.location] == mailed.link(.taken))
      let answer = try await mailed.answer()
      #expect(answer?["action"] == "taken" && answer?["by"] == "Ann")
      #expect(try await harness.send(.get, mailed.link(.taken)).text.contains("Logged as taken"))
      // Nothing happens twice, or differently.
      for link in mailed.links { _ = try await harness.submit(link, []) }
      #expect(try await mailed.answer() == answer)
      await harness.ring()
      harness.clock.advance(minutes: 30)
      await harness.ring()
      #expect(harness.outbox.mails.count == 1)
    }
  }

  @Test(arguments: [(AnswerAction.skipped, "skipped"), (.later, "later")])
  func `each link gives its own answer`(action: AnswerAction, state: String) async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      #expect(try await harness.submit(mailed.link(action), []).status == .seeOther)
      #expect(try await mailed.state() == .string(state))
      harness.clock.advance(minutes: 10)
      await harness.ring()
      #expect(harness.outbox.mails.count == (action == .later ? 2 : 1))
    }
  }

  @Test func `the database holds no link`() async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      let kept = try await harness.environment.database.read { reader in
        try reader.query("SELECT link_hash, delivery, doses FROM action_links").map { row in
          (try row.blob(0), try row.text(1) + (try row.text(2)))
        }
      }
      #expect(kept.count == 3 && kept.allSatisfy { $0.0.count == 32 })
      for link in mailed.links {
        let secret = String(link.dropFirst("/tap/".count))
        #expect(secret.hasPrefix("rga_") && secret.utf8.count == 47)
        #expect(!kept.contains { $0.1.contains(secret) || $0.0 == Array(secret.utf8) })
      }
    }
  }

  @Test func `a link expires after the late window`() async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      harness.clock.advance(minutes: 13 * 60)
      try await mailed.expectDead()
      #expect(try await mailed.answer() == nil)
    }
  }

  @Test func `a link ends with its account or the account's access`() async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      let (account, patient) = (mailed.ann.account.id, mailed.ann.account.patient)
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = $1 WHERE account = $2", [SQLValue(now), .text(account)])
      }
      try await mailed.expectDead()
      try await harness.environment.database.write { writer in
        try accounts.grant(.self_, of: patient, to: account, from: now, in: writer)
      }
      #expect(try await harness.send(.get, mailed.link(.taken)).status == .ok)
      try await harness.environment.database.write { writer in
        try accounts.erase(account, at: now, by: account, in: writer)
      }
      try await mailed.expectDead()
    }
  }

  @Test func `after another answer a link says that nothing is left to do`() async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      #expect(
        try await mailed.ann.answer(mailed.dose, ["action": "skipped"]).status == .ok)
      let page = try await harness.send(.get, mailed.link(.taken))
      #expect(page.status == .ok && page.text.contains("nothing left to answer"))
      #expect(!page.text.contains("<form class=\"form\""))
      _ = try await harness.submit(mailed.link(.taken), [])
      #expect(try await mailed.state() == "skipped")
    }
  }

  @Test func `a recent intake is questioned first`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan(timing: Person.timing("08:00:00", "20:00:00"))
      harness.clock.advance(minutes: 60)
      await harness.ring()
      let links = try Mailed.links(in: harness)
      let link = try #require(links.first)
      let extra = try await ann.post(
        "/api/v1/administrations",
        ["medicine": "Testolol", "at": "2026-03-01T05:00:00Z", "taken": true, "confirm": true])
      #expect(extra.status == .created, "\(extra.text)")
      let question = try await harness.submit(link, [])
      #expect(question.text.contains("05:00") && !question.text.contains("Testolol"))
      let dose = try await ann.dose(of: plan)
      #expect(try await ann.doses().first { $0["id"]?.string == dose }?["state"] == "due")
      // A confirmation of another question does not count.
      _ = try await harness.submit(link, [("confirm", "another")])
      #expect(try await ann.doses().first { $0["id"]?.string == dose }?["state"] == "due")
      let asked = question.text.matches(of: /name="confirm" value="([^"]+)"/)
        .map { ("confirm", String($0.output.1)) }
      #expect(!asked.isEmpty, "\(question.text)")
      #expect(try await harness.submit(link, asked).status == .seeOther)
      #expect(try await ann.doses().first { $0["id"]?.string == dose }?["state"] == "taken")
    }
  }

  @Test func `a dose moved to another day is questioned first`() async throws {
    try await ServerHarness.run { harness in
      let mailed = try await Mailed.make(harness)
      let day: Int64 = 24 * 3_600_000
      try await harness.environment.database.write { writer in
        try writer.execute(
          """
          UPDATE doses SET due = due + $1, on_time_until = on_time_until + $1,
            late_until = late_until + $1
          """, [.integer(day)])
      }
      let question = try await harness.submit(mailed.link(.taken), [])
      #expect(question.status == .conflict, "\(question.text)")
      #expect(question.text.contains("Mon 2 Mar, 07:05") && !question.text.contains("Testolol"))
      #expect(try await mailed.answer() == nil)
      let asked = question.text.matches(of: /name="confirm" value="([^"]+)"/)
        .map { ("confirm", String($0.output.1)) }
      #expect(asked.count == 1)
      #expect(try await harness.submit(mailed.link(.taken), asked).status == .seeOther)
      #expect(try await harness.send(.get, mailed.link(.taken)).text.contains("Logged as taken"))
    }
  }

  @Test func `one click turns mail off, and nothing pending is sent`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:05:00Z", "2026-03-01T09:00:00Z")
      harness.clock.advance(minutes: 5)
      await harness.ring()
      let mail = try #require(harness.outbox.mails.first)
      let address = try #require(mail.unsubscribe)
      let path = try #require(address.firstRange(of: "/off/")).lowerBound
      let off = String(address[path...])
      let head = String(decoding: mail.rendered, as: UTF8.self)
      #expect(head.contains("<\(address)>\r\n"))
      #expect(head.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
      // Opening it changes nothing.
      #expect(try await harness.send(.get, off).status == .ok)
      harness.outbox.answerMail(.retry(.temporary(status: 75)))
      for _ in 0..<20 {
        harness.clock.advance(minutes: 1)
        await harness.ring()
      }
      #expect(harness.outbox.mails.count == 2)
      let told = try await harness.submit(off, [("List-Unsubscribe", "One-Click")])
      #expect(told.status == .ok && told.text.contains("This mailbox no longer gets reminders"))
      harness.clock.advance(minutes: 1)
      await harness.ring()
      harness.clock.advance(minutes: 100)
      await harness.ring()
      #expect(harness.outbox.mails.count == 2)
      // The person turns it on again.
      let browser = try await harness.session(of: ann.account)
      #expect(try await browser.open("/device").text.contains("Off: nothing is sent to"))
      _ = try await browser.post("/device/mail", ["silent": "no"])
      _ = try await ann.event("2026-03-01T10:00:00Z", name: "Another")
      harness.clock.advance(minutes: 60)
      await harness.ring()
      #expect(harness.outbox.mails.count > 2)
    }
  }
}

/// A person without a device, who got a mail about a dose at 07:05.
private struct Mailed: Sendable {
  let ann: Person
  let dose: String
  let links: [String]

  static func make(_ harness: ServerHarness) async throws -> Mailed {
    let ann = try await Person.make(harness)
    let plan = try await ann.event("2026-03-01T07:05:00Z")
    harness.clock.advance(minutes: 5)
    await harness.ring()
    return Mailed(
      ann: ann, dose: try await ann.dose(of: plan), links: try links(in: harness))
  }

  static func links(in harness: ServerHarness) throws -> [String] {
    let mail = try #require(harness.outbox.mails.first)
    let links = mail.text.matches(of: /\/tap\/[A-Za-z0-9_-]+/).map { String($0.output) }
    try #require(links.count == 3)
    return links
  }

  func link(_ action: AnswerAction) -> String {
    switch action {
    case .later: links[1]
    case .skipped: links[2]
    default: links[0]
    }
  }

  func state() async throws -> JSONValue? {
    try await ann.doses().first { $0["id"]?.string == dose }?["state"]
  }

  func answer() async throws -> JSONValue? {
    try await ann.doses().first { $0["id"]?.string == dose }?["answer"]
  }

  /// Checks that a link neither shows nor answers anything, and looks as if it never existed.
  func expectDead() async throws {
    let never = try await ann.harness.send(.get, "/tap/rga_nonsense")
    #expect(never.status == .notFound)
    for link in links {
      let page = try await ann.harness.send(.get, link)
      #expect(page.status == .notFound && page.text.withoutNonces == never.text.withoutNonces)
      #expect(try await ann.harness.submit(link, []).status == .notFound)
    }
  }
}
