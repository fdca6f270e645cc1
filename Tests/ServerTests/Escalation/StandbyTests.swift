// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

/// Guardians who are told only when no one else answered.
@Suite struct StandbyTests {
  @Test func `the next guardian is told after the family, if they chose so`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let eve = try await Person.make(harness, "Eve")
      _ = try await ann.event("2026-03-01T07:30:00Z")
      _ = try await ann.subscribe("ann")
      _ = try await bob.subscribe("bob")
      _ = try await eve.subscribe("eve")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      try await harness.environment.database.write { writer in
        for guardian in [bob, eve] {
          try accounts.grant(
            .guardian, of: ann.account.patient, to: guardian.account.id, from: now, in: writer)
        }
      }
      harness.environment.sessions.forget()
      for guardian in [bob, eve] {
        var browser = try await harness.session(of: guardian.account)
        browser.person = ann.account.patient
        #expect(try await browser.open("/reminders/family").text.contains("You’re told right away"))
        let chosen = try await browser.post("/reminders/standby", ["do": "wait"])
        #expect(chosen.status == .seeOther, "\(chosen.text)")
        harness.clock.advance(minutes: 1)
      }
      // One's own patient can't be left to others.
      let own = try await harness.session(of: ann.account)
      #expect(
        try await own.post("/reminders/standby", ["do": "wait"]).status == .notFound)
      #expect(try await own.open("/reminders").text.contains("08:30 Bob and 08:40 Eve"))
      var told: [String: Int] = [:]
      for minute in 3...73 {
        harness.clock.advance(minutes: 1)
        await harness.ring()
        for push in harness.outbox.pushes where told[push.endpoint] == nil {
          told[push.endpoint] = minute
        }
      }
      #expect(told[Outbox.endpoint("ann")] == 30)
      #expect(told[Outbox.endpoint("bob")] == 60 && told[Outbox.endpoint("eve")] == 70)
      // They act for the person: the mail and the buttons are theirs too.
      let push = try #require(
        harness.outbox.pushes.last { $0.endpoint == Outbox.endpoint("eve") })
      #expect(push.payload["actions"] == nil)
      var browser = try await harness.session(of: bob.account)
      browser.person = ann.account.patient
      _ = try await browser.post("/reminders/standby", ["do": "end"])
      #expect(!(try await own.open("/reminders").text.contains("08:30 Bob")))
    }
  }

  @Test func `at least one guardian is always told at once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.event("2026-03-01T07:30:00Z")
      _ = try await bob.subscribe("bob")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let patient = ann.account.patient
      try await harness.environment.database.write { writer in
        try accounts.grant(.guardian, of: patient, to: bob.account.id, from: now, in: writer)
      }
      harness.environment.sessions.forget()
      var browser = try await harness.session(of: bob.account)
      browser.person = patient
      #expect(try await browser.post("/reminders/standby", ["do": "wait"]).status == .seeOther)
      // The guardian who was told at once has left.
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = $1 WHERE patient = $2 AND account = $3",
          [SQLValue(now), .text(patient), .text(ann.account.id)])
      }
      harness.clock.advance(minutes: 31)
      await harness.ring()
      #expect(harness.outbox.pushes.first?.endpoint == Outbox.endpoint("bob"))
    }
  }
}
