// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// The page that sets how reminders reach a person.
@Suite struct EscalationPageTests {
  @Test func `the escalation is shown in plain words, customized and reset`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let page = try await browser.open("/reminders")
      #expect(page.status == .ok)
      #expect(
        page.text.contains("08:00 phone, 08:05 phone again, 08:10 ntfy and 08:20 e-mail"),
        "\(page.text)")
      let saved = try await browser.post(
        "/reminders/ladder",
        [
          "minutes-0": "0", "channel-0": "push", "minutes-1": "7", "channel-1": "mail",
          "minutes-2": "", "channel-2": "push",
        ])
      #expect(saved.status == .seeOther)
      #expect(try await browser.open("/reminders").text.contains("08:00 phone and 08:07 e-mail"))
      _ = try await browser.post("/reminders/ladder", ["do": "standard"])
      #expect(try await browser.open("/reminders").text.contains("08:10 ntfy"))
    }
  }

  @Test(arguments: [
    ["minutes-0": "5"], ["minutes-0": "x"], ["minutes-0": "-1"], ["minutes-0": "0", "to-0": "eve"],
    ["minutes-0": "0", "channel-0": "smoke"], ["minutes-0": "0", "minutes-1": "9999"],
    ["minutes-0": "999999999999999999999999"],
  ])
  func `an invalid escalation is explained and kept as typed`(typed: [String: String])
    async throws
  {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let answer = try await browser.post(
        "/reminders/ladder",
        [
          "minutes-0": typed["minutes-0"] ?? "", "channel-0": typed["channel-0"] ?? "push",
          "to-0": typed["to-0"] ?? "", "minutes-1": typed["minutes-1"] ?? "", "channel-1": "mail",
        ])
      #expect(answer.status == .unprocessableContent, "\(typed)")
      #expect(answer.text.contains("value=\"\(typed["minutes-0"] ?? "")\""))
      #expect(try await browser.open("/reminders").text.contains("08:10 ntfy"))
    }
  }

  @Test func `quiet hours, names and channels are saved`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      for bad in [("22:00", ""), ("", "07:00"), ("22:00", "22:00"), ("25:00", "07:00"), ("x", "y")]
      {
        let refused = try await browser.post(
          "/reminders/quiet", ["quiet-from": bad.0, "quiet-until": bad.1])
        #expect(refused.status == .unprocessableContent, "\(bad)")
      }
      let saved = try await browser.post(
        "/reminders/quiet", ["quiet-from": "22:30", "quiet-until": "07:00", "names": "yes"])
      #expect(saved.status == .seeOther)
      #expect(saved.headers[.location] == "/reminders/quiet?done=saved")
      #expect(try await browser.open("/reminders/quiet").text.contains("value=\"22:30\""))
      #expect(try await browser.open("/reminders").text.contains("From 22:30 to 07:00"))
      _ = try await browser.post("/reminders/channels", ["channel": "push"])
      #expect(!(try await browser.open("/reminders").text.contains("All channels are off")))
      _ = try await browser.post("/reminders/channels", [:])
      #expect(try await browser.open("/reminders").text.contains("All channels are off"))
    }
  }

  @Test func `later reminders on weekends and holidays have a page of their own`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      #expect(!(try await browser.open("/reminders/quiet").text.contains("name=\"weekend\"")))
      let refusals: [KeyValuePairs<String, String>] = [
        ["weekend": "25:00"], ["holiday-time": "09:00"],
        ["holiday-starts": "2026-07-10", "holiday-ends": "2026-07-01", "holiday-time": "09:00"],
      ]
      for bad in refusals {
        let refused = try await browser.post("/reminders/mornings", bad)
        #expect(refused.status == .unprocessableContent, "\(bad)")
        for (_, typed) in bad {
          #expect(refused.text.contains("value=\"\(typed)\""), "\(bad)")
        }
      }
      let saved = try await browser.post(
        "/reminders/mornings",
        [
          "weekend": "09:30", "holiday-starts": "2026-07-01", "holiday-ends": "2026-07-10",
          "holiday-time": "10:00",
        ])
      #expect(saved.headers[.location] == "/reminders/mornings?done=saved")
      let page = try await browser.open("/reminders/mornings").text
      for value in ["09:30", "2026-07-01", "2026-07-10", "10:00"] {
        #expect(page.contains("value=\"\(value)\""), "\(value)")
      }
      // The other pages about reminders link to it.
      for address in ["/me/reminders", "/me/routine", "/reminders", "/reminders/quiet"] {
        let other = try await browser.open(address).text
        #expect(other.contains("href=\"/reminders/mornings\""), "\(address)")
      }
    }
  }

  @Test func `one side offers, the other agrees, either can end it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let (anns, bobs) = (
        try await harness.session(of: ann), try await harness.session(of: bob)
      )
      // Nothing is shared yet.
      let early = try await anns.post("/reminders/family", ["account": bob.id.text, "do": "offer"])
      #expect(early.status == .notFound)
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: ann.patient, to: bob.id, from: now, categories: [.adherence], by: ann.id,
          in: writer)
      }
      harness.environment.sessions.forget()
      let untold = try await bobs.post(
        "/reminders/told", ["patient": ann.patient.text, "do": "accept"])
      #expect(untold.status == .notFound)
      _ = try await anns.post("/reminders/family", ["account": bob.id.text, "do": "offer"])
      #expect(try await anns.open("/reminders/family").text.contains("Bob hasn’t agreed yet"))
      #expect(
        try await bobs.open("/reminders/family").text.contains("You’ve been asked to be told"))
      _ = try await bobs.post("/reminders/told", ["patient": ann.patient.text, "do": "accept"])
      let page = try await anns.open("/reminders")
      #expect(page.text.contains("08:20 e-mail and 08:30 Bob"), "\(page.text)")
      _ = try await bobs.post("/reminders/told", ["patient": ann.patient.text, "do": "end"])
      #expect(!(try await anns.open("/reminders").text.contains("08:30 Bob")))
    }
  }

  @Test func `someone who only sees the heart rate isn't listed for doses`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let (anns, bobs) = (
        try await harness.session(of: ann), try await harness.session(of: bob)
      )
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .family, of: ann.patient, to: bob.id, from: now, categories: [.heartRate], by: ann.id,
          in: writer)
      }
      harness.environment.sessions.forget()
      _ = try await anns.post("/reminders/family", ["account": bob.id.text, "do": "offer"])
      _ = try await bobs.post("/reminders/told", ["patient": ann.patient.text, "do": "accept"])
      let family = try await anns.open("/reminders/family").text
      #expect(
        family.contains("Bob is told") && family.contains("Only for heart rate questions"))
      let page = try await anns.open("/reminders").text
      #expect(!page.contains("08:30 Bob") && !page.contains("<option value=\"\(bob.id)\""))
    }
  }

  @Test func `a medicine's reminders are turned off and on on its own page`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.event("2026-03-01T07:30:00Z")
      _ = try await ann.subscribe()
      let browser = try await harness.session(of: ann.account)
      let address = "/medicines/\(plan)/reminders"
      #expect(try await browser.open(address).status == .ok)
      _ = try await browser.post(address, ["rings": "no", "critical": "yes"])
      harness.clock.advance(minutes: 30)
      await harness.ring()
      #expect(harness.outbox.pushes.isEmpty)
      _ = try await browser.post(address, ["rings": "yes"])
      await harness.ring()
      #expect(harness.outbox.pushes.count == 1)
    }
  }
}
