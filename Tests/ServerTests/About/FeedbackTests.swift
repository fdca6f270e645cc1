// SPDX-License-Identifier: Apache-2.0

import Channels
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing

@testable import AccountPages
@testable import Web

/// Feedback to the operator: mailed, or kept until mail works.
@Suite struct FeedbackTests {
  private let texts = Localizer.of(.en)

  @Test func `the report goes to the operators and says nothing about the sender`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Eve", isAdministrator: true)
      let browser = try await harness.session(of: try await harness.makeAccount("Ann"))
      let sent = try await browser.post("/feedback", ["message": "The bell is too soft."])
      #expect(sent.headers[.location] == "/feedback?done=sent", "\(sent.text)")
      let mail = try #require(harness.outbox.mails.last)
      #expect("\(mail.to)".contains("eve@example.org"))
      #expect(mail.text.contains("The bell is too soft.") && mail.text.contains("not given"))
      #expect(!mail.text.contains("ann@example.org") && !mail.text.contains("Ann"))
      _ = try await browser.post("/feedback", ["message": "Please answer.", "reply": "yes"])
      #expect(harness.outbox.mails.last?.text.contains("ann@example.org") == true)
      #expect(try await waiting(harness) == 0)
      let empty = try await browser.post("/feedback", ["message": "  "])
      #expect(empty.status == .unprocessableContent)
    }
  }

  @Test func `the report is kept sealed and retried while mail fails`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Eve", isAdministrator: true)
      let browser = try await harness.session(of: try await harness.makeAccount("Ann"))
      harness.outbox.answerMail(.retry(.temporary(status: 75)))
      let kept = try await browser.post("/feedback", ["message": "The bell is too soft."])
      #expect(kept.headers[.location] == "/feedback?done=kept")
      #expect(try await waiting(harness) == 1)
      let sealed = try await harness.environment.database.read { reader in
        try #require(try reader.first("SELECT text_sealed FROM feedback")).blob(0)
      }
      #expect(!String(decoding: sealed, as: UTF8.self).contains("bell"))
      let before = harness.outbox.mails.count
      let sending = FeedbackSending(environment: harness.environment)
      // There is no immediate retry.
      #expect(await sending.round().isEmpty)
      #expect(harness.outbox.mails.count == before)
      harness.clock.advance(minutes: 2)
      #expect(await sending.round().count == 1)
      #expect(try await waiting(harness) == 0)
    }
  }

  @Test func `the page about it is public`() async throws {
    try await ServerHarness.run { harness in
      let stranger = try await harness.send(.get, "/about")
      #expect(stranger.status == .ok)
      #expect(stranger.text.contains(ServerSettings.version))
      #expect(!stranger.text.contains("href=\"/feedback\""))
      #expect(try await harness.send(.get, "/feedback").status == .seeOther)
    }
  }

  private func waiting(_ harness: ServerHarness) async throws -> Int64 {
    try await harness.environment.database.read { reader in
      try #require(try reader.first("SELECT COUNT(*) FROM feedback")).integer(0)
    }
  }
}
