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

@testable import HomeAutomation
@testable import Web

/// Questions and answers by voice.
@Suite struct VoiceAPITests {
  private static let path = "/api/v1/voice"

  private static func say(
    _ house: DoseHouse, _ body: JSONValue, _ headers: HTTPFields? = nil
  ) async throws -> TestResponse {
    try await house.harness.send(.post, path, headers ?? house.token, json: body)
  }

  @Test func `doses are read back, and logged only after a yes`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol", "Zinc"])
      let early = try await Self.say(house, ["intent": "take"]).json()
      #expect(early["speech"] == "Nothing is due now." && early["confirmation"] == nil)
      harness.clock.advance(minutes: 61)
      let status = try await Self.say(house, ["intent": "status", "part": "morning"])
      #expect(
        try status.json()["speech"]
          == "You haven’t taken any of the 2 doses of this morning yet. 2 are due since 08:00.")
      let question = try await Self.say(house, ["intent": "take"])
      let asked = try question.json()
      #expect(
        asked["speech"] == "You mean the 2 medicines of 08:00. Say yes to log them.")
      #expect(!question.text.contains("Testolol"))
      #expect(asked["expires"] == "2026-03-01T08:03:00+00:00")
      #expect(try await house.states() == ["due", "due"])
      let confirmation = try #require(asked["confirmation"])
      let yes = try await Self.say(house, ["intent": "confirm", "confirmation": confirmation])
      #expect(try yes.json()["speech"] == "Logged. 2 medicines taken.")
      #expect(try yes.json()["logged"]?.number?.integer == 2)
      #expect(try await house.states() == ["taken", "taken"])
      // A confirmation works once.
      let again = try await Self.say(house, ["intent": "confirm", "confirmation": confirmation])
      #expect(try again.json()["logged"]?.number?.integer == 0)
      #expect(try await house.open(0).text.contains("Ann by voice"))
      let after = try await Self.say(house, ["intent": "status", "part": "morning"]).json()
      #expect(after["speech"] == "Yes, you have taken all 2 doses of this morning.")
    }
  }

  @Test func `names are spoken if asked for, in any language`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      harness.clock.advance(minutes: 61)
      let named = try await Self.say(
        house, ["intent": "take", "names": true, "language": "de"]
      ).json()
      #expect(
        named["speech"]
          == "Sie meinen Testolol, fällig um 08:00. Sagen Sie ja, um das einzutragen.")
    }
  }

  @Test func `a question ends with time, with a change, and for others`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol", "Zinc"])
      harness.clock.advance(minutes: 61)
      func ask() async throws -> JSONValue {
        try #require(try await Self.say(house, ["intent": "take"]).json()["confirmation"])
      }
      func confirm(_ confirmation: JSONValue, _ headers: HTTPFields? = nil) async throws -> Int {
        let answer = try await Self.say(
          house, ["intent": "confirm", "confirmation": confirmation], headers)
        return try answer.json()["logged"]?.number?.integer ?? -1
      }
      let old = try await ask()
      harness.clock.advance(milliseconds: VoiceQuestions.milliseconds)
      #expect(try await confirm(old) == 0)
      // One of the doses was answered elsewhere meanwhile.
      let changed = try await ask()
      _ = try await house.answer(0, ["action": "skipped"])
      #expect(try await confirm(changed) == 0)
      #expect(try await house.states() == ["skipped", "due"])
      // Another account of the same person needs a question of its own.
      let open = try await ask()
      let bob = try await harness.makeAccount("Bob")
      let (accounts, now, patient) = (
        harness.environment.accounts, harness.clock.now, house.account.patient
      )
      try await harness.environment.database.write { writer in
        try accounts.grant(
          .guardian, of: patient, to: bob.id, from: now, categories: [.medicines, .adherence],
          by: house.account.id, in: writer)
      }
      harness.environment.sessions.forget()
      let foreign = try await harness.send(
        .post, "\(Self.path)?patient=\(patient)", try await harness.token(of: bob),
        json: ["intent": "confirm", "confirmation": open])
      #expect(try foreign.json()["logged"]?.number?.integer == 0, "\(foreign.text)")
      #expect(try await confirm("rgv_guess") == 0)
      #expect(try await confirm(open) == 1)
      #expect(try await house.states() == ["skipped", "taken"])
    }
  }

  @Test(
    arguments: [
      [:], ["intent": "dance"], ["intent": "status", "part": "teatime"], ["intent": "confirm"],
      ["intent": "take", "language": "xx"], ["intent": "take", "names": "yes"],
    ] as [JSONValue])
  func `invalid requests are refused`(body: JSONValue) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      #expect(try await Self.say(house, body).status == .unprocessableContent)
    }
  }

  @Test func `a reading token asks and does not log`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Testolol"])
      harness.clock.advance(minutes: 61)
      let token = try await harness.token(of: house.account, scope: .userReading)
      let taken = try await Self.say(house, ["intent": "take"], token)
      #expect(taken.status == .forbidden)
      let foreign = try await harness.send(
        .post, "\(Self.path)?patient=someone-else", house.token, json: ["intent": "status"])
      #expect(foreign.status == .notFound)
      #expect(try await house.states() == ["due"])
    }
  }
}
