// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Adherence
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing

@testable import Server

/// The emergency card: printed by the person, opened by a helper with link and code.
@Suite struct EmergencyCardTests {
  /// The link and the code of the card that a page shows.
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

  @Test func `it is off, then opens with link and code, is noted, and ends at once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T08:00:00Z", name: "Unmistakablol")
      let browser = try await harness.session(of: ann.account)
      let before = try await browser.open("/emergency-card")
      #expect(before.status == .ok && before.text.contains("Unmistakablol"), "\(before.text)")
      #expect(!before.text.contains("rgc_") && before.text.contains("Nobody has opened it"))
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
      let looked = try await browser.open("/privacy/looked")
      #expect(looked.text.contains("Somebody with the emergency card"), "\(looked.text)")

      let id = try #require(
        try await harness.environment.database.read { reader in
          try reader.first("SELECT card FROM emergency_cards")?.text(0)
        })
      #expect(try await browser.post("/emergency-card/\(id)/end", [:]).status == .seeOther)
      #expect(
        try await Self.open(address, code, harness).status == .unprocessableContent)
    }
  }

  @Test func `it runs out, and closes with the right of who made it`() async throws {
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

  @Test func `guessing is slowed down, and three cards are enough`() async throws {
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
      var statuses: [HTTPResponse.Status] = []
      for _ in 0..<12 { statuses.append(try await Self.open(address, "BBBBBB", harness).status) }
      #expect(statuses.last == .tooManyRequests)
      #expect(try await Self.open(address, code, harness).status == .tooManyRequests)
    }
  }

  @Test func `it is for the person and guardians alone`() async throws {
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
