// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Web

/// The events of a stream until it ended.
private struct Told {
  var events: [(name: String, data: JSONValue)] = []
  var id: String?

  init(_ text: String) throws {
    for block in text.split(separator: "\n\n") {
      var name: String?
      for line in block.split(separator: "\n") {
        if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
        if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: "), let name {
          events.append((name, try JSONValue(parsing: Array(line.dropFirst(6).utf8))))
        }
      }
    }
  }

  func data(_ name: String) -> [JSONValue] { events.filter { $0.name == name }.map(\.data) }
}

@Suite struct EventsAPITests {
  private static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .via

  private func listen(_ person: Person, since id: String? = nil) async throws -> Told {
    var headers: HTTPFields = [:]
    headers[Self.lastEventID] = id
    let answer = try await person.get("/api/v1/events", headers)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(answer.headers[.contentType] == "text/event-stream; charset=utf-8")
    #expect(answer.headers[.cacheControl] == "no-store")
    return try Told(answer.text)
  }

  @Test func `a new stream states its position and sends nothing old`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.newDose()
      let told = try await listen(ann)
      #expect(told.events.isEmpty)
      #expect(told.id.flatMap(ChangeCursor.init(text:)) != nil)
    }
  }

  @Test func `a stream resumes with answers, rings and edits since the last`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose()
      let start = try #require(try await listen(ann).id)
      #expect(try await ann.answer(dose, ["action": "taken"]).status == .ok)
      let first = try await listen(ann, since: start)
      #expect(first.data("dose").map { $0["id"]?.string } == [dose])
      #expect(first.data("dose").first?["state"] == "taken")
      #expect(first.data("dose").first?["answer"]?["by"] == "Ann")
      // It is not sent a second time.
      #expect(try await listen(ann, since: first.id).events.isEmpty)
      // The same from an earlier cursor.
      #expect(try await listen(ann, since: start).data("dose").count == 1)

      let plan = try await ann.event("2026-03-01T07:05:00Z", name: "Other")
      _ = try await ann.subscribe()
      let made = try await listen(ann, since: first.id)
      #expect(made.data("dose").map { $0["plan"]?.string } == [plan.text])
      harness.clock.advance(minutes: 5)
      await harness.ring()
      let rung = try await listen(ann, since: made.id)
      #expect(rung.data("dose").map { $0["state"]?.string } == ["due"])
      #expect(rung.data("delivery").map { $0["outcome"]?.string } == ["handedOver"])
      #expect(rung.data("delivery").first == (try await ann.deliveries().first))
    }
  }

  @Test func `other accounts are sent nothing`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let dose = try await ann.newDose()
      let start = try #require(try await listen(bob).id)
      #expect(try await ann.answer(dose, ["action": "taken"]).status == .ok)
      #expect(try await listen(bob, since: start).events.isEmpty)
      let foreign = try await bob.get("/api/v1/events?patient=\(ann.account.patient)")
      try foreign.expectProblem(.notFound)
      let own = try await ann.get("/api/v1/events?patient=\(ann.account.patient)")
      #expect(own.status == .ok)
    }
  }

  @Test(arguments: ["nonsense", "-1-5", "1", "99999999999-99999999999999", "1-2-3", "", "1-x"])
  func `an unknown position does no harm`(id: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.newDose()
      #expect(try await listen(ann, since: id).events.count <= 3)
    }
  }

  @Test func `the seventh stream of an account is refused until one ends`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let live = harness.environment.live
      let open = (0..<6).compactMap { _ in
        live.open(account: ann.account.id, patients: [ann.account.patient])
      }
      #expect(open.count == 6)
      let refused = try await ann.get("/api/v1/events")
      try refused.expectProblem(.serviceUnavailable)
      #expect(refused.headers[.retryAfter] != nil)
      if let first = open.first { live.close(first) }
      #expect(try await ann.get("/api/v1/events").status == .ok)
      #expect(live.count == 5)
    }
  }

  @Test func `a page states its stream position, so nothing is missed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose()
      let browser = try await harness.session(of: ann.account)
      func cursor(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: /data-changes="([^"]+)"/)?.1))
      }
      let page = try await browser.open("/").text
      let before = try cursor(page)
      // The change comes after the page and before the stream.
      let answered = try await ann.answer(dose, ["action": "taken"])
      #expect(answered.status == .ok)
      let stream = try await browser.open("/api/v1/events?since=\(before)")
      let told = try Told(stream.text).data("dose")
      #expect(told.map { $0["id"]?.string } == [dose])
      // A page that includes the change has nothing to follow.
      let later = try await browser.open("/").text
      let after = try cursor(later)
      let quiet = try await browser.open("/api/v1/events?since=\(after)")
      let untold = try Told(quiet.text).data("dose")
      #expect(untold.isEmpty)
      // The cursor of an earlier stream is later.
      let id = try #require(try Told(stream.text).id)
      let again = try await ann.get(
        "/api/v1/events?since=\(before)", [Self.lastEventID: id])
      let twice = try Told(again.text).data("dose")
      #expect(twice.isEmpty)
      // A stranger's page has no changes to follow.
      let signIn = try await harness.send(.get, "/sign-in").text
      #expect(!signIn.contains("data-changes"))
    }
  }

  @Test func `a HEAD request opens no stream`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await harness.send(.head, "/api/v1/events", ann.token)
      #expect(answer.status == .ok)
      #expect(harness.environment.live.count == 0)
    }
  }
}
