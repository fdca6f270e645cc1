// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Storage
import Testing
import TestSupport

@testable import Reminders
@testable import Web

/// Links and buttons that answer an alarm: each for one of its times and one answer.
@Suite struct ActionLinkAlarmTests {
  /// Adds an alarm at 07:05 with its own snooze duration, and lets it ring.
  private func rung(
    _ harness: ServerHarness, device: Bool = false, snooze: Int = 15
  ) async throws -> Person {
    let ann = try await Person.make(harness)
    if device { _ = try await ann.subscribe() }
    let made = try await ann.post(
      "/api/v1/alarms",
      [
        "label": "Call the heart clinic", "time": "07:05",
        "weekdays": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        "snooze": .number(JSONNumber(snooze)),
      ])
    #expect(made.status == .created, "\(made.text)")
    harness.clock.advance(minutes: 5)
    await harness.ring()
    return ann
  }

  private func links(_ harness: ServerHarness) throws -> [String] {
    let mail = try #require(harness.outbox.mails.last)
    return mail.text.matches(of: /\/tap\/[A-Za-z0-9_-]+/).map { String($0.output) }
  }

  private func alerts(_ harness: ServerHarness, _ ann: Person) async throws -> [Alert] {
    let patient = ann.account.patient
    return try await harness.environment.database.read { reader in
      try AlertQueries.ending(
        after: Timestamp(milliseconds: 0), patient: patient, in: reader)
    }
  }

  @Test(arguments: [
    (0, "Done", Alert.State.done), (2, "Not today", .declined),
  ])
  func `one tap answers an alarm, viewing changes nothing`(
    place: Int, words: String, state: Alert.State
  ) async throws {
    try await ServerHarness.run { harness in
      let ann = try await rung(harness)
      let links = try links(harness)
      #expect(links.count == 3 && Set(links).count == 3)
      for link in links {
        let page = try await harness.send(.get, link)
        #expect(page.status == .ok && page.text.contains("07:05"))
        #expect(!page.text.contains("heart clinic"), "the name is said without a sign-in")
      }
      #expect(try await harness.send(.get, links[place]).text.contains(words))
      #expect(try await alerts(harness, ann).map(\.state) == [.open])
      let pressed = try await harness.submit(links[place], [])
      #expect(pressed.status == .seeOther && pressed.headers[.location] == links[place])
      let answered = try #require(try await alerts(harness, ann).first)
      #expect(answered.state == state && answered.answeredBy == "Ann")
      #expect(try await harness.send(.get, links[place]).text.contains("Logged."))
      // Nothing happens twice, or differently.
      for link in links { _ = try await harness.submit(link, []) }
      #expect(try await alerts(harness, ann) == [answered])
      for _ in 0..<30 {
        harness.clock.advance(minutes: 1)
        await harness.ring()
      }
      #expect(harness.outbox.mails.count == 1)
    }
  }

  @Test func `snoozing uses the alarm's length and makes new links`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await rung(harness)
      let first = try links(harness)
      #expect(harness.outbox.mails.last?.text.contains("Later, in 15 min") == true)
      _ = try await harness.submit(first[1], [])
      #expect(try await harness.send(.get, first[1]).text.contains("We’ll remind you again"))
      harness.clock.advance(minutes: 14)
      await harness.ring()
      #expect(harness.outbox.mails.count == 1)
      harness.clock.advance(minutes: 1)
      await harness.ring()
      #expect(harness.outbox.mails.count == 2)
      let second = try links(harness)
      #expect(Set(first).isDisjoint(with: second))
      _ = try await harness.submit(second[0], [])
      #expect(try await alerts(harness, ann).map(\.state) == [.done])
    }
  }

  /// A link answers the alarm time that its message was about, not the next day's.
  @Test func `a link is bound to one occurrence of the alarm`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await rung(harness)
      let yesterday = try links(harness)
      harness.clock.advance(minutes: 24 * 60)
      await harness.ring()
      let today = try links(harness)
      #expect(Set(yesterday).isDisjoint(with: today))
      for link in yesterday {
        #expect(try await harness.send(.get, link).status == .notFound)
        #expect(try await harness.submit(link, []).status == .notFound)
      }
      #expect(try await alerts(harness, ann).allSatisfy { $0.state == .open })
      _ = try await harness.submit(today[0], [])
      #expect(try await alerts(harness, ann).map(\.state) == [.open, .done])
    }
  }

  @Test(arguments: ["off", "removed", "answered elsewhere", "grant ended"])
  func `a link of an ended alarm answers nothing`(reason: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await rung(harness)
      let links = try links(harness)
      let alert = try #require(try await alerts(harness, ann).first)
      let (now, account) = (harness.clock.now, ann.account)
      let commands = AlarmCommands(
        patient: account.patient, account: account.id, now: now,
        zones: harness.environment.zones)
      try await harness.environment.database.write { writer in
        switch reason {
        case "off": _ = try commands.turn(AlarmID(alert.source), on: false, in: writer)
        case "removed": try commands.remove(AlarmID(alert.source), in: writer)
        case "grant ended":
          try writer.execute(
            "UPDATE grants SET ends = $1 WHERE account = $2", [SQLValue(now), .text(account.id)])
        default:
          _ = try AlertCommands.answer(
            alert.id, patient: account.patient, AlertAnswer(.declined),
            account: account.id, byName: "Bob", at: now, in: writer)
        }
      }
      let before = try await alerts(harness, ann)
      for link in links {
        let page = try await harness.send(.get, link)
        #expect(page.status == (reason == "grant ended" ? .notFound : .ok))
        #expect(!page.text.contains("<form class=\"form\""))
        _ = try await harness.submit(link, [])
      }
      #expect(try await alerts(harness, ann) == before)
    }
  }

  @Test func `a push carries the buttons of its alarm, and what they need`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await rung(harness, device: true)
      let payload = try #require(harness.outbox.pushes.last?.payload)
      let alert = try #require(try await alerts(harness, ann).first)
      #expect(payload["kind"] == "alarm" && payload["occasion"]?.string == alert.id.text)
      #expect(payload["patient"]?.string == ann.account.patient.text)
      #expect(payload["minutes"] == 15)
      #expect(
        payload["actions"] == [
          ["action": "done", "title": "Done"],
          ["action": "later", "title": "Later, in 15 min"],
        ])
      #expect(payload["doses"] == [])
      // The request of the service worker for a press.
      let path = "/api/v1/alarms/occasions/\(alert.id)/answers"
      let later = try await ann.post(
        path,
        [
          "action": "later", "minutes": 15, "patient": .string(ann.account.patient),
          "event": "11111111-1111-4111-8111-111111111111",
        ])
      #expect(later.status == .ok, "\(later.text)")
      harness.clock.advance(minutes: 15)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 2)
      // Another answer came first: this is a conflict, and nothing changes.
      let done = try await ann.post(
        path, ["action": "done", "event": "11111111-1111-4111-8111-111111111112"])
      #expect(done.status == .ok)
      let second = try await ann.post(
        path, ["action": "later", "minutes": 15, "event": "11111111-1111-4111-8111-111111111113"])
      #expect(second.status == .conflict)
    }
  }

  /// The alarm can't be snoozed beyond the time in which it can be answered.
  @Test func `snoozing is offered only if it fits`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await rung(harness, device: true, snooze: 240)
      let alert = try #require(try await alerts(harness, ann).first)
      // Snoozed until an hour before its end.
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        _ = try AlertCommands.answer(
          alert.id, patient: ann.account.patient, AlertAnswer(.later, minutes: 11 * 60),
          account: ann.account.id, byName: "Ann", at: now, in: writer)
      }
      harness.clock.advance(minutes: 11 * 60)
      await harness.ring()
      let payload = try #require(harness.outbox.pushes.last?.payload)
      #expect(harness.outbox.pushes.count == 2)
      #expect(payload["actions"] == [["action": "done", "title": "Done"]])
      #expect(payload["minutes"] == nil)
    }
  }
}
