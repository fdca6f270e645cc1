// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import CareTeam
@testable import Operations
@testable import Presentation
@testable import Storage
@testable import Web

/// Photos, alerts, storage, exports, FHIR and retention of messages.
@Suite struct ChatKeepingTests {
  private static let secret = "Unspeakabletext"

  // MARK: Alerts

  @Test func `one notice without message text is sent until it is read`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      try await ward.subscribe(ward.dora, "doctor")
      for number in 0..<3 {
        let sent = try await ward.send("\(Self.secret) \(number)", by: ward.ann)
        #expect(sent.status == .created)
        await harness.ring()
      }
      #expect(harness.outbox.pushes.count == 1)
      let push = try #require(harness.outbox.pushes.first)
      #expect(push.payload["title"] == "New message")
      #expect(push.payload["body"] == "You have a new message in Regimen.")
      let all = String(decoding: push.message.payload, as: UTF8.self)
      #expect(!all.contains(Self.secret) && !all.contains("Ann"))
      let doctor = try await ward.browser(ward.dora)
      let subject = try #require(push.payload["subject"]?.string)
      let led = try await doctor.open("/chat?notice=\(subject)")
      #expect(led.headers[.location] == "\(ward.address)#end", "\(led.status)")
      #expect(try await doctor.open(ward.address).text.contains(Self.secret))
      #expect(try await ward.send("Once more", by: ward.ann).status == .created)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 2)
      // It is in no list of messages, and its link leads to the list once it is over.
      let listed = try await harness.send(
        .get, "/api/v1/deliveries?patient=\(ward.ann.patient)&\(Person.days)",
        harness.token(of: ward.ann))
      #expect(try listed.json()["deliveries"]?.array?.isEmpty == true)
      #expect(try await doctor.open("/chat?notice=\(subject)").status == .ok)
      #expect(try await doctor.open("/ring/\(subject)").status == .seeOther)
    }
  }

  @Test func `nothing is sent to removed people or for read messages`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      try await ward.subscribe(ward.dora, "doctor")
      #expect(try await ward.send("Too late", by: ward.ann).status == .created)
      try await ward.grant(.practitioner, to: ward.dora, ended: true)
      harness.clock.advance(milliseconds: 1)
      await harness.ring()
      #expect(harness.outbox.pushes.isEmpty)
      try await ward.grant(.practitioner, to: ward.dora)
      let sent = try await ward.send("Taken back", by: ward.ann)
      let id = try #require(try sent.json()["id"]?.string)
      let first = try #require(try await ward.messages(ward.ann)[0]["id"]?.string)
      for message in [id, first] {
        let gone = try await harness.send(
          .delete, "\(ward.messagesPath)/\(message)", harness.token(of: ward.ann))
        #expect(gone.status == .noContent, "\(gone.text)")
      }
      await harness.ring()
      #expect(harness.outbox.pushes.isEmpty)
    }
  }

  @Test func `the recipient's quiet hours delay a notice`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      try await ward.subscribe(ward.ann, "own")
      let browser = try await ward.browser(ward.ann)
      let kept = try await browser.post(
        "/reminders/quiet", ["quiet-from": "06:00", "quiet-until": "08:00"])
      #expect(kept.status == .seeOther, "\(kept.text)")
      #expect(try await ward.send("Good morning", by: ward.dora).status == .created)
      await harness.ring()
      #expect(harness.outbox.pushes.isEmpty)
      harness.clock.advance(minutes: 61)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 1)
    }
  }

  @Test func `someone without a device gets a mail without the text`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      #expect(try await ward.send(Self.secret, by: ward.ann).status == .created)
      await harness.ring()
      let mail = try #require(harness.outbox.mails.first)
      #expect(harness.outbox.mails.count == 1)
      #expect("\(mail)".contains("You have a new message in Regimen."))
      #expect(!"\(mail)".contains(Self.secret))
    }
  }

  // MARK: Live

  @Test func `an open page only learns that there is a message`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let token = try await harness.token(of: ward.finn)
      let start = try await harness.send(.get, "/api/v1/events", token)
      #expect(start.status == .ok)
      let id = try #require(start.text.firstMatch(of: /id: (\S+)/)?.1)
      harness.clock.advance(minutes: 1)
      let own = Conversation.id(patient: ward.ann.patient, member: ward.finn.id)
      let sent = try await harness.send(
        .post, "/api/v1/conversations/\(own)/messages", harness.token(of: ward.ann),
        json: ["text": .string(Self.secret)])
      #expect(try await ward.send("For the doctor alone", by: ward.ann).status == .created)
      harness.environment.sessions.forget()
      var headers = token
      headers[HTTPField.Name("Last-Event-ID") ?? .via] = String(id)
      let told = try await harness.send(.get, "/api/v1/events", headers).text
      let message = try #require(try sent.json()["id"]?.string)
      #expect(
        told.contains(
          "event: message\ndata: {\"id\":\"\(message)\",\"patient\":\"\(ward.ann.patient)\"}\n"),
        "\(told)")
      #expect(told.components(separatedBy: "event: message").count == 2, "\(told)")
      #expect(!told.contains(Self.secret))
    }
  }

  // MARK: Photos and storage

  @Test func `a photo is re-encoded, sealed and deleted with its message`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let browser = try await ward.browser(ward.ann)
      for _ in 0..<2 {
        let sent = try await ward.sendPhoto(
          ChatWard.picture, caption: "The rash", by: browser)
        #expect(sent.status == .seeOther, "\(sent.text)")
      }
      let message = try #require(try await ward.messages(ward.dora).first)
      #expect(try await ward.messages(ward.dora).count == 1)
      #expect(message["text"] == "The rash")
      let address = try #require(message["photo"]?.string)
      let doctor = try await ward.browser(ward.dora)
      let shown = try await doctor.open(address)
      #expect(shown.status == .ok && shown.headers[.contentType] == "image/jpeg")
      #expect(shown.headers[.cacheControl] == "no-store")
      #expect(Array(buffer: shown.body).starts(with: [0xFF, 0xD8, 0xFF]))
      #expect(try await doctor.open(ward.address).text.contains("src=\"\(address)\""))
      #expect(try await harness.session(of: ward.finn).open(address).status == .notFound)
      for (file, status) in [
        ([], HTTPResponse.Status.unprocessableContent),
        (Array("<svg onload=alert(1)>".utf8), .unprocessableContent),
        ([UInt8](repeating: 0xFF, count: PhotoReader.maximumFile + 1), .contentTooLarge),
      ] {
        let refused = try await ward.sendPhoto(file, caption: "Kept words", by: browser)
        #expect(refused.status == status && refused.text.contains("field-error"), "\(status)")
      }
      // The export contains it in full.
      let export = try await browser.post("/privacy/export", [:])
      let zip = try ZipContent(Array(buffer: export.body))
      let id = try #require(message["id"]?.string)
      #expect(
        zip.files.first { $0.name == "chat/\(id).jpg" }?.content == Array(buffer: shown.body))
      let chat = try #require(zip.files.first { $0.name == "chat.json" }?.content)
      #expect(try JSONValue(parsing: chat)[0]?["text"] == "The rash")
      #expect(
        try await browser.post("\(ward.address)/messages/\(id)/remove", [:]).status == .seeOther)
      #expect(try await doctor.open(address).status == .notFound)
    }
  }

  @Test func `message texts are sealed and erased with the person`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      var token = try await harness.token(of: ward.ann)
      token[.idempotencyKey] = "a-key"
      for expected in [HTTPResponse.Status.created, .created] {
        let sent = try await harness.send(
          .post, ward.messagesPath, token, json: ["text": .string(Self.secret)])
        #expect(sent.status == expected && !sent.text.contains(Self.secret))
      }
      let posted = try await harness.send(
        .post, "/fhir/Communication", token, json: communication(ward))
      #expect(posted.status == .created, "\(posted.text)")
      #expect(try await ward.texts(ward.dora) == [Self.secret])
      #expect(!(try await ward.everythingStored()).contains(Self.secret))
      _ = try await ErasureCommands(
        patient: ward.ann.patient, actor: "test", purpose: .administration,
        environment: harness.environment
      ).perform()
      let left = try await harness.environment.database.read { reader in
        try [
          "chat_conversations", "chat_messages", "chat_photos", "chat_members", "communications",
        ]
        .map { table in
          var select: SQLText = "SELECT COUNT(*) FROM "
          select.appendIdentifiers([table])
          return try reader.first(dynamic: select)?.integer(0)
        }
      }
      #expect(left == [0, 0, 0, 0, 0])
    }
  }

  @Test func `old messages are deleted if the operator chose so`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      #expect(try await ward.send("Old", by: ward.ann).status == .created)
      harness.clock.advance(minutes: 60 * 24 * 60)
      #expect(try await ward.send("New", by: ward.ann).status == .created)
      #expect(try await RetentionSweep(environment: harness.environment).perform().messages == 0)
      let before = harness.clock.now.adding(milliseconds: -30 * 24 * 3_600_000)
      let gone = try await harness.environment.database.write { writer in
        try ChatRetention.forget(before: before, limit: 500, in: writer)
      }
      #expect(gone == 1)
      #expect(try await ward.texts(ward.dora) == ["New"])
    }
  }

  // MARK: FHIR

  private func communication(_ ward: ChatWard) -> JSONValue {
    [
      "resourceType": "Communication", "status": "completed",
      "subject": ["reference": .string("Patient/\(ward.ann.patient)")],
      "sent": "2026-02-01T10:00:00+01:00", "payload": [["contentString": .string(Self.secret)]],
    ]
  }

  @Test func `messages are Communications, but posted ones aren't messages`() async throws {
    try await ServerHarness.run { harness in
      let ward = try await ChatWard.make(harness)
      let token = try await harness.token(of: ward.ann)
      let sent = try await ward.send("By conversation", by: ward.dora)
      let id = try #require(try sent.json()["id"]?.string)
      let posted = try await harness.send(
        .post, "/fhir/Communication", token, json: communication(ward))
      #expect(try posted.status == .created && posted.json()["payload"] != nil)
      let other = try #require(try posted.json()["id"]?.string)
      func search(_ query: String, _ headers: HTTPFields) async throws -> [String] {
        let answer = try await harness.send(
          .get, "/fhir/Communication?patient=\(ward.ann.patient)\(query)", headers)
        #expect(answer.status == .ok, "\(answer.text)")
        let entries = try answer.json()["entry"]?.array ?? []
        #expect(
          try query.contains("_count") || answer.json()["total"]?.number?.integer == entries.count)
        return entries.compactMap { $0["resource"]?["id"]?.string }
      }
      #expect(try await search("", token) == [id, other])
      #expect(try await search("&sent=lt2026-03-01", token) == [other])
      #expect(try await search("&sent=ge2026-03-01&status=completed", token) == [id])
      #expect(try await search("&sent=ne2026-02-01", token) == [id])
      #expect(try await search("&status=entered-in-error,in-progress", token) == [])
      #expect(try await search("&_id=\(other)", token) == [other])
      let first = try await harness.send(
        .get, "/fhir/Communication?patient=\(ward.ann.patient)&_count=1", token)
      let next = try #require(try first.json()["link"]?[1]?["url"]?.string)
      let rest = try await harness.send(.get, String(next.trimmingPrefix(/http:\/\/[^\/]+/)), token)
      #expect(try rest.json()["entry"]?[0]?["resource"]?["id"]?.string == other)
      // The doctor sees her own conversation, Finn his, which is empty.
      let doctor = try await harness.token(of: ward.dora)
      #expect(try await search("", doctor) == [id])
      #expect(try await search("", harness.token(of: ward.finn)) == [])
      #expect(
        try await harness.send(.get, "/fhir/Communication/\(other)", doctor).status == .notFound)
      #expect(
        try await harness.send(.post, "/fhir/Communication", doctor, json: communication(ward))
          .status == .notFound)
      let read = try await harness.send(.get, "/fhir/Communication/\(id)", token)
      #expect(try read.json()["sender"]?["display"] == "Dora")
      #expect(try read.json()["payload"]?[0]?["contentString"] == "By conversation")
      #expect(read.headers[.eTag] == "W/\"1\"")
      _ = try await harness.send(.delete, "\(ward.messagesPath)/\(id)", doctor)
      let gone = try await harness.send(.get, "/fhir/Communication/\(id)", token)
      #expect(try gone.json()["status"] == "entered-in-error" && gone.json()["payload"] == nil)
      #expect(try await search("&status=entered-in-error", token) == [id])
      #expect(try await ward.texts(ward.ann).isEmpty)
      for (element, value) in [
        ("status", "sent"), ("sent", "yesterday"), ("resourceType", "Observation"),
        ("subject", .null), ("payload", [["contentString": "a", "contentReference": [:]]]),
      ] as [(String, JSONValue)] {
        var wrong = communication(ward)
        wrong[element] = value.isNull ? nil : value
        let refused = try await harness.send(.post, "/fhir/Communication", token, json: wrong)
        #expect([.badRequest, .unprocessableContent].contains(refused.status), "\(element)")
      }
    }
  }
}
