// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct StatusPageTests {
  @Test func `without a device it says that nothing rings and where to start`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let page = try await harness.session(of: ann).open("/status")
      #expect(page.status == .ok)
      let texts = Localizer.of(.en)
      #expect(page.text.contains(texts.text("status.devices.none")))
      #expect(page.text.contains("href=\"/device\""))
      #expect(page.text.contains(texts.text("status.missed.none")))
      #expect(!page.text.contains(texts.text("status.server.title")))
    }
  }

  @Test func `a device says when it was tested and when it last showed something`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let id = try await ann.subscribe()
      let texts = Localizer.of(.en)
      #expect(try await browser.open("/status").text.contains(texts.text("status.devices.never")))
      _ = try await ann.post("/api/v1/push-subscriptions/\(id)/confirm", [:])
      let confirmed = try await browser.open("/status").text
      #expect(
        confirmed.contains(texts.text("status.devices.confirmed", ["when": "07:00"])))
      #expect(!confirmed.contains("/fcm/send/phone"))
      harness.clock.advance(minutes: 8 * 24 * 60)
      let later = try await browser.open("/status").text
      #expect(
        later.contains(
          texts.text("status.devices.old-test", ["when": "Sun 1 Mar, 07:00"])), "\(later)")
    }
  }

  @Test func `the person is told of a reminder that reached no channel`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.event("2026-03-01T07:00:30Z")
      _ = try await ann.subscribe()
      harness.outbox.answer(.gone)
      harness.outbox.answerMail(.refused(.status(67)), .refused(.status(67)))
      harness.clock.advance(minutes: 1)
      await harness.ring()
      await harness.ring()
      let page = try await harness.session(of: ann.account).open("/status").text
      let dose = try await ann.dose(of: plan)
      #expect(page.contains("href=\"/doses/\(dose)\""), "\(page)")
      #expect(!page.contains(Localizer.of(.en).text("status.missed.none")))
      let bob = try await harness.makeAccount("Bob")
      let other = try await harness.session(of: bob).open("/status").text
      #expect(!other.contains(dose))
    }
  }

  @Test func `administrators see totals and no personal data`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      _ = try await ann.event("2026-03-01T07:00:30Z")
      _ = try await ann.subscribe()
      harness.clock.advance(minutes: 1)
      await harness.ring()
      let patient = ann.account.patient
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM grants WHERE patient = $1", [SQLValue(patient)])
      }
      let texts = Localizer.of(.en)
      let page = try await harness.session(of: eve).open("/status").text
      #expect(page.contains(texts.text("status.server.planned")))
      #expect(page.contains(texts.text("status.troubles.nobody", ["count": .number(1)])))
      #expect(page.contains("SQLite"))
      #expect(!page.contains("Testolol"))
      #expect(!page.contains(patient.text))
    }
  }

  @Test(arguments: Language.allCases)
  func `the page is available in every language`(language: Language) async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      var headers = try await harness.session(of: eve).headers
      headers[.acceptLanguage] = language.rawValue
      let page = try await harness.send(.get, "/status", headers)
      #expect(page.status == .ok)
      #expect(page.text.contains(Localizer.of(language).text("status.title")))
    }
  }

  @Test func `only a session's own form can release a held clock`() async throws {
    try await ServerHarness.run { harness in
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      let browser = try await harness.session(of: eve)
      let forged = try await browser.post("/status/clock", [:], token: "wrong")
      #expect(forged.status == .forbidden)
      let stranger = try await harness.send(.get, "/status")
      #expect(stranger.status == .seeOther)
    }
  }
}
