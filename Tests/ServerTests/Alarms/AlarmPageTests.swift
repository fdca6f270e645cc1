// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Reminders
@testable import Web

/// The pages for a person's own alarms, and the same in the API.
@Suite struct AlarmPageTests {
  private static let every = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private func add(_ browser: Browser, time: String = "08:00", lead: String = "")
    async throws -> TestResponse
  {
    try await browser.post(
      "/alarms",
      [
        "kind": "appointment", "label": "Eye doctor", "time": time, "repeats": "weekly",
        "weekday": "mon", "weekday": "sun", "starts": "2026-03-01", "ends": "", "sound": "chime",
        "snooze": "15", "lead": lead,
      ])
  }

  /// Returns the id of the only alarm.
  private func alarm(_ page: TestResponse) throws -> String {
    let found = try #require(page.text.firstMatch(of: /href="\/alarms\/([0-9a-f-]{36})"/))
    return String(found.1)
  }

  @Test func `added, shown, turned off and on, changed, deleted and brought back`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      #expect(try await browser.open("/alarms").text.contains("No alarms of your own yet"))
      #expect(try await browser.open("/alarms/new").status == .ok)
      #expect(try await add(browser).status == .seeOther)
      let list = try await browser.open("/alarms")
      for words in ["08:00", "Eye doctor", "Monday and Sunday", "Chime", "Later: 15 min"] {
        #expect(list.text.contains(words), "\(words)")
      }
      #expect(list.text.contains("aria-pressed=\"true\""))
      let id = try alarm(list)
      _ = try await browser.post("/alarms/\(id)/turn", ["to": "off"])
      #expect(try await browser.open("/alarms").text.contains("aria-pressed=\"false\""))
      _ = try await browser.post("/alarms/\(id)/turn", ["to": "on"])
      let form = try await browser.open("/alarms/\(id)")
      #expect(form.text.contains("value=\"08:00\"") && form.text.contains("value=\"Eye doctor\""))
      let changed = try await browser.post(
        "/alarms/\(id)",
        [
          "kind": "water", "label": "", "time": "09:15", "repeats": "once",
          "starts": "2026-03-05", "sound": "bell", "snooze": "10",
        ])
      #expect(changed.status == .seeOther)
      let after = try await browser.open("/alarms")
      #expect(after.text.contains("Drink water") && after.text.contains("09:15"))
      #expect(after.text.contains("Once, on"))
      let removed = try await browser.post("/alarms/\(id)/remove", [:])
      let place = try #require(removed.headers[.location])
      let empty = try await browser.open(place)
      #expect(empty.text.contains("Alarm deleted.") && !empty.text.contains("09:15"))
      _ = try await browser.post("/alarms/\(id)/restore", [:])
      #expect(try await browser.open("/alarms").text.contains("09:15"))
    }
  }

  @Test(arguments: [
    ("time", "", "Enter a time"), ("time", "25:00", "Enter a time"),
    ("kind", "x", "Choose what it’s for"),
    ("starts", "soon", "Enter a date"), ("ends", "2026-02-01", "isn’t before the first"),
    ("sound", "drum", "Choose a sound"), ("snooze", "0", "how long “Later”"),
    ("lead", "99999", "how early"),
    ("label", String(repeating: "x", count: 81), "to 80 characters"),
  ])
  func `errors are shown next to their field, and input is kept`(
    field: String, value: String, words: String
  ) async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let right = [
        "kind": "own", "label": "Call Anna", "time": "08:00", "repeats": "weekly",
        "starts": "2026-03-01", "ends": "", "sound": "bell", "snooze": "10", "lead": "",
      ].merging([field: value]) { $1 }
      let answer = try await browser.post(
        "/alarms",
        [
          "kind": right["kind"] ?? "", "label": right["label"] ?? "", "time": right["time"] ?? "",
          "repeats": "weekly", "weekday": "mon", "starts": right["starts"] ?? "",
          "ends": right["ends"] ?? "", "sound": right["sound"] ?? "",
          "snooze": right["snooze"] ?? "", "lead": right["lead"] ?? "",
        ])
      #expect(answer.status == .unprocessableContent)
      #expect(answer.text.contains(words), "\(words)")
      if field != "label" { #expect(answer.text.contains("value=\"Call Anna\"")) }
      #expect(try await browser.open("/alarms").text.contains("No alarms of your own yet"))
    }
  }

  @Test func `a custom sound is never cached`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let now = harness.clock.now
      let isKept = try await harness.environment.database.write { writer in
        try OwnSounds.keep(
          OwnSounds.Stored(id: "voice", name: "Grandmother", milliseconds: 500),
          content: Array("RIFF".utf8), of: ann.patient, by: ann.id, at: now, in: writer)
      }
      #expect(isKept)
      let sound = try await harness.session(of: ann).open("/alarms/sounds/voice")
      #expect(sound.status == .ok && sound.headers[.contentType] == "audio/wav")
      #expect(sound.headers[.cacheControl] == "no-store")
    }
  }

  @Test func `an alarm rings on its page, the first answer wins, as in the API`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.subscribe()
      let browser = try await harness.session(of: ann.account)
      _ = try await add(browser)
      harness.clock.advance(minutes: 60)
      let claims = await harness.ring()
      #expect(claims.map(\.kind) == [.alarm])
      let push = try #require(harness.outbox.pushes.last)
      let subject = try #require(push.payload["subject"]?.string)
      #expect(push.payload["title"]?.string == "Alarm at 08:00")
      #expect(!"\(push.payload)".contains("Eye doctor"))
      let page = try await browser.open("/ring/\(subject)")
      #expect(page.text.contains("Eye doctor") && page.text.contains("data-state=\"ringing\""))
      #expect(page.text.contains("data-sound=\"chime\"") && page.text.contains("Later, in 15 min"))
      #expect(try await browser.open("/ring").text.contains("Eye doctor"))
      #expect(try await browser.open("/nightstand").text.contains("data-night=\"clock\""))
      #expect(try await browser.open("/alarms").text.contains("no answer yet"))
      let listed = try await ann.get("/api/v1/alarms").json()
      #expect(listed["alarms"]?[0]?["label"]?.string == "Eye doctor")
      let alert = try #require(listed["occasions"]?[0]?["id"]?.string)
      let done = try await browser.post("/ring/\(subject)/answer", ["action": "done"])
      #expect(done.status == .seeOther)
      #expect(try await browser.open("/ring/\(subject)").text.contains("Done by Ann"))
      let state = try await browser.open("/ring/\(subject)/state").json()
      #expect(state["ringing"]?.bool == false && state["body"]?.string == "Done by Ann")
      let address = "/api/v1/alarms/occasions/\(alert)/answers"
      #expect(try await ann.post(address, ["action": "done"]).status == .ok)
      let other = try await ann.post(address, ["action": "declined"])
      #expect(other.status == .conflict)
      #expect(try other.json()["code"]?.string == "answered")
      for bad: JSONValue in [
        ["action": "snore"], ["action": "later"], ["action": "later", "minutes": 100_000], [:],
      ] {
        let status = try await ann.post(address, bad).status
        #expect(status == .unprocessableContent || status == .conflict)
      }
      harness.clock.advance(minutes: 5)
      #expect(await harness.ring().isEmpty)
    }
  }

  @Test func `the API creates, changes and removes, and refuses invalid alarms`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let made = try await ann.post(
        "/api/v1/alarms", ["time": "07:30", "kind": "pulse", "weekdays": ["mon"], "lead": 30])
      #expect(made.status == .created, "\(made.text)")
      let id = try #require(try made.json()["id"]?.string)
      let next = try made.json()["next"]?.string
      #expect(next == "2026-03-02T07:30:00+00:00")
      for bad: JSONValue in [
        [:], ["time": "x"], ["time": "08:00", "weekdays": ["someday"]],
        ["time": "08:00", "weekdays": "mon"], ["time": "08:00", "kind": "own"],
        ["time": "08:00", "starts": "0001-01-01"], ["time": "08:00", "snooze": 0],
        ["time": "08:00", "sound": "drum"], ["time": "08:00", "ends": "2020-01-01"],
      ] {
        #expect(try await ann.post("/api/v1/alarms", bad).status == .unprocessableContent)
      }
      let token = try await harness.token(of: ann.account)
      let off = try await harness.send(
        .put, "/api/v1/alarms/\(id)", token, json: ["time": "07:30", "kind": "pulse", "on": false])
      #expect(try off.json()["on"]?.bool == false && off.json()["next"] == nil)
      let stale = try await harness.send(
        .put, "/api/v1/alarms/\(id)", token,
        json: ["time": "07:30", "kind": "pulse", "version": 1])
      #expect(stale.status == .conflict)
      #expect(try await harness.send(.delete, "/api/v1/alarms/\(id)", token).status == .noContent)
      #expect(try await harness.send(.delete, "/api/v1/alarms/\(id)", token).status == .notFound)
    }
  }
}
