// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import AccountPages
@testable import Operations
@testable import Web

/// The emergency card: printed by the person, opened by a helper with link and code.
@Suite struct EmergencyCardTests {
  /// Returns the link and the code of the card on a page.
  private static func link(_ page: String) throws -> (address: String, code: String) {
    let start = try #require(page.firstRange(of: "\(EmergencyCardRoutes.openPath)/rgc_"))
    let address = page[start.lowerBound...].prefix { $0 != "<" && $0 != "\"" }
    let mark = try #require(page.firstRange(of: "class=\"fingerprint\" translate=\"no\">"))
    return (String(address), String(page[mark.upperBound...].prefix { $0 != "<" }))
  }

  private static func open(
    _ address: String, _ code: String, _ harness: ServerHarness
  ) async throws -> TestResponse {
    try await harness.submit(address, [("code", code)], [:])
  }

  @Test func `the card is off, opens with link and code, is logged and revocable`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T08:00:00Z", name: "Unmistakablol")
      let browser = try await harness.session(of: ann.account)
      let before = try await browser.open("/emergency-card")
      #expect(before.status == .ok && before.text.contains("Unmistakablol"), "\(before.text)")
      #expect(!before.text.contains("rgc_") && before.text.contains("No one has opened it"))
      let made = try await browser.post("/emergency-card", ["days": "7", "shows-code": "yes"])
      #expect(made.status == .seeOther, "\(made.text)")
      let (address, code) = try Self.link(try await browser.open("/emergency-card").text)

      let asked = try await harness.send(.get, address)
      #expect(asked.status == .ok && !asked.text.contains("Unmistakablol"))
      let wrong = try await Self.open(address, "AAAAAA", harness)
      #expect(wrong.status == .unprocessableContent && !wrong.text.contains("Unmistakablol"))
      let opened = try await Self.open(address, " \(code.lowercased()) ", harness)
      #expect(opened.status == .ok && opened.text.contains("Unmistakablol"), "\(opened.text)")
      #expect(try await browser.open("/emergency-card").text.contains("<li>07:00</li>"))
      let looked = try await browser.open("/privacy/access-log")
      #expect(looked.text.contains("Someone with the emergency card"), "\(looked.text)")

      let id = try #require(
        try await harness.environment.database.read { reader in
          try reader.first("SELECT card FROM emergency_cards")?.text(0)
        })
      #expect(try await browser.post("/emergency-card/\(id)/end", [:]).status == .seeOther)
      #expect(
        try await Self.open(address, code, harness).status == .unprocessableContent)
    }
  }

  @Test func `the card expires and ends with its creator's access`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      _ = try await browser.post("/emergency-card", ["days": "7"])
      let (address, code) = try Self.link(try await browser.open("/emergency-card").text)
      #expect(try await Self.open(address, code, harness).status == .ok)
      let (patient, now) = (ann.account.patient, harness.clock.now)
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = $1 WHERE patient = $2", [SQLValue(now), .text(patient)])
      }
      #expect(try await Self.open(address, code, harness).status == .unprocessableContent)
      try await harness.environment.database.write { writer in
        try writer.execute("UPDATE grants SET ends = NULL WHERE patient = $1", [.text(patient)])
      }
      #expect(try await Self.open(address, code, harness).status == .ok)
      harness.clock.advance(milliseconds: 7 * 86_400_000)
      harness.environment.heartbeat.beat(at: harness.clock.now)
      #expect(try await Self.open(address, code, harness).status == .unprocessableContent)
    }
  }

  @Test func `wrong codes lock no one else out, and three cards are the limit`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      for _ in 0..<3 {
        #expect(try await browser.post("/emergency-card", ["days": "30"]).status == .seeOther)
      }
      #expect(try await browser.post("/emergency-card", ["days": "30"]).status == .conflict)
      #expect(
        try await browser.post("/emergency-card", ["days": "9999"]).status
          == .unprocessableContent)
      let (address, code) = try Self.link(try await browser.open("/emergency-card").text)
      for _ in 0..<40 {
        #expect(try await Self.open(address, "BBBBBB", harness).status == .unprocessableContent)
      }
      #expect(try await Self.open(address, code, harness).status == .ok)
    }
  }

  @Test func `guessing delays the guesser, not a helper elsewhere`() async throws {
    try await ServerHarness.run { harness in
      let environment = harness.environment
      let (accounts, throttle, now) = (
        environment.accounts, environment.codeThrottle, harness.clock.now
      )
      func admit(_ secret: String, _ network: String?) async throws {
        try await throttle.admit(
          EmergencyCardRoutes.guessBuckets(secret, from: network, accounts), at: now)
      }
      for _ in 0..<5 { try await admit("rgc_card", "192.0.2.0/24") }
      for _ in 0..<20 {
        await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
          try await admit("rgc_card", "192.0.2.0/24")
        }
      }
      try await admit("rgc_card", "198.51.100.0/24")
      try await admit("rgc_other", "192.0.2.0/24")
      // One network can try fifty codes, for any number of cards, and then has to wait.
      var refused = 0
      for number in 0..<100 {
        do { try await admit("rgc_\(number)", "203.0.113.0/24") } catch { refused += 1 }
      }
      #expect(refused == 50)
      // If networks are unknown, everyone waits for seconds at most.
      var longest = 0
      for _ in 0..<400 {
        do {
          try await admit("rgc_card", nil)
        } catch AccountError.tooManyAttempts(let seconds) {
          longest = max(longest, seconds)
        }
      }
      #expect((1...4).contains(longest))
    }
  }

  @Test func `wrong codes are shown on every page, and the card can be ended`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let browser = try await harness.session(of: ann.account)
      _ = try await browser.post("/emergency-card", ["days": "30"])
      let (address, code) = try Self.link(try await browser.open("/emergency-card").text)
      let told = "Someone entered wrong codes for Ann’s emergency card."
      for number in 1...5 {
        _ = try await Self.open(address, number == 1 ? "no code at all" : "BBBBBB", harness)
        harness.environment.sessions.forget()
        let isTold = try await browser.open("/medicines").text.contains(told)
        #expect(isTold == (number == 5), "after \(number)")
      }
      _ = try await Self.open(address, code, harness)
      let page = try await browser.open("/emergency-card").text
      #expect(page.contains("Wrong codes were entered 5 times, last on 07:00."), "\(page)")
      let other = try await harness.session(of: bob.account)
      #expect(!(try await other.open("/medicines").text).contains("wrong codes"))
      let denied = try await harness.environment.database.read { reader in
        try reader.query(
          "SELECT COUNT(*) FROM audit WHERE actor = 'emergency-card' AND outcome = 'denied'"
        ).map { try $0.integer(0) }
      }
      #expect(denied == [1], "a flood does not flood the audit trail")
      let id = try #require(
        try await harness.environment.database.read { reader in
          try reader.first("SELECT card FROM emergency_cards")?.text(0)
        })
      _ = try await browser.post("/emergency-card/\(id)/end", [:])
      harness.environment.sessions.forget()
      #expect(!(try await browser.open("/medicines").text).contains(told))
    }
  }

  @Test func `only the person and guardians can use the page`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, ann.account.patient
      )
      try await harness.environment.database.write { writer in
        try accounts.grant(.family, of: patient, to: bob.account.id, from: now, in: writer)
      }
      harness.environment.sessions.forget()
      var browser = try await harness.session(of: bob.account)
      browser.person = patient
      #expect(try await browser.open("/emergency-card").status == .notFound)
      #expect(try await browser.post("/emergency-card", ["days": "7"]).status == .notFound)
    }
  }
}
