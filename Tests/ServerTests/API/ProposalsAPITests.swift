// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Records
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Web

/// Files and proposals over the JSON API.
@Suite struct ProposalsAPITests {
  private static let file = ImportPageTests.bundle
  private static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .via

  /// Sends a file unchanged.
  private func send(
    _ text: String, to person: Person, _ query: String = "",
    type: String = "application/fhir+json", _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    var fields = person.token.with(headers)
    fields[.contentType] = type
    return try await person.harness.client.executeRequest(
      uri: "/api/v1/imports\(query)", method: .post, headers: fields,
      body: ByteBuffer(string: text))
  }

  /// Returns the open proposals, those with a plan first: proposals from one file have no fixed
  /// order.
  private func proposals(_ person: Person) async throws -> [JSONValue] {
    let answer = try await person.get("/api/v1/proposals")
    #expect(answer.status == .ok, "\(answer.text)")
    let found = try #require(try answer.json()["proposals"]?.array)
    return found.filter { $0["unplanned"] == nil } + found.filter { $0["unplanned"] != nil }
  }

  private func plans(_ person: Person) async throws -> [Plan] {
    let patient = person.account.patient
    return try await person.harness.environment.database.read {
      try PlanQueries.all(patient: patient, in: $0)
    }
  }

  @Test func `a file gives proposals with sentences, next times and problems`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let taken = try await send(Self.file, to: ann)
      #expect(taken.status == .ok, "\(taken.text)")
      let report = try taken.json()
      #expect(report["prescriptions"]?["proposed"]?.number?.integer == 2)
      #expect(report["problems"]?[0]?["reason"]?.string == "invalid")
      #expect(report["patient"]?.string == ann.account.patient.text && report["previews"] == nil)
      let found = try await proposals(ann)
      try #require(found.count == 2)
      #expect(found[0]["medicine"] == "Bisoprolol 2.5 mg" && found[0]["kind"] == "new")
      #expect(found[0]["from"] == "Dr. Berg" && found[0]["acceptable"] == true)
      #expect(found[0]["sentence"]?.string?.contains("08:00 and 20:00") == true)
      #expect(
        found[0]["next"]?.array?.compactMap(\.string).prefix(2) == [
          "2026-03-01T08:00:00+00:00", "2026-03-01T20:00:00+00:00",
        ])
      #expect(found[0]["unplanned"] == nil && found[0]["lookFirst"] == false)
      #expect(found[1]["unplanned"] == "text-only" && found[1]["next"] == nil)
      #expect(found[1]["text"]?[0]?.string == "1-0-1 <b>" || found[1]["sentence"] != nil)
      #expect(try await plans(ann).isEmpty)
    }
  }

  @Test func `decisions can be repeated, but changing one is a 409`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await send(Self.file, to: ann)
      let found = try await proposals(ann)
      let first = "/api/v1/proposals/\(try #require(found.first?["id"]?.string))"
      let second = "/api/v1/proposals/\(try #require(found.last?["id"]?.string))"
      let accepted = try await ann.post("\(first)/accept", [:])
      #expect(accepted.status == .ok, "\(accepted.text)")
      let plan = try #require(try accepted.json()["plan"]?.string)
      #expect(try await ann.post("\(first)/accept", [:]).json()["plan"]?.string == plan)
      #expect(try await plans(ann).map(\.id.text) == [plan])
      #expect(try await ann.doses().count == 2)
      let conflict = try await ann.post("\(first)/decline", [:])
      try conflict.expectProblem(.conflict, "decided")
      #expect(try conflict.json()["state"] == "accepted")
      // Also without a body.
      for _ in 1...2 {
        let declined = try await harness.send(.post, "\(second)/decline", ann.token)
        #expect(try declined.json()["state"] == "declined", "\(declined.text)")
      }
      try await ann.post("\(second)/accept", [:]).expectProblem(.conflict, "decided")
      try await ann.post("/api/v1/proposals/nothing/accept", [:]).expectProblem(.notFound)
      try await ann.post("\(first)/seen", [:]).expectProblem(.notFound)
      #expect(try await proposals(ann).isEmpty)
    }
  }

  @Test func `all proposals can be accepted at once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await send(Self.file, to: ann)
      let answer = try await ann.post(
        "/api/v1/proposals/accept", ["patient": .string(ann.account.patient)])
      #expect(try answer.json()["accepted"]?.number?.integer == 2, "\(answer.text)")
      #expect(try await plans(ann).count == 2)
      let again = try await ann.post("/api/v1/proposals/accept", [:])
      #expect(try again.json()["accepted"]?.number?.integer == 0)
    }
  }

  @Test func `a key repeats the first response, even a conflict`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let key: HTTPFields = [.idempotencyKey: "one"]
      let first = try await send(Self.file, to: ann, "", key)
      #expect(try await send(Self.file, to: ann, "", key).text == first.text)
      let unchanged = try await send(Self.file, to: ann)
      #expect(try unchanged.json()["prescriptions"]?["unchanged"]?.number?.integer == 2)
      try await send(Self.file + " ", to: ann, "", key)
        .expectProblem(.unprocessableContent, "idempotency-key-reused")
      try await send(Self.file, to: ann, "?accept=true", key)
        .expectProblem(.unprocessableContent, "idempotency-key-reused")
      let proposal = try #require(try await proposals(ann).first?["id"]?.string)
      let address = "/api/v1/proposals/\(proposal)"
      let accepted = try await ann.post("\(address)/accept", [:], key)
      #expect(try await ann.post("\(address)/accept", [:], key).text == accepted.text)
      let conflict = try await ann.post("\(address)/decline", [:], key)
      try conflict.expectProblem(.conflict, "decided")
      #expect(try await ann.post("\(address)/decline", [:], key).text == conflict.text)
    }
  }

  @Test func `a dry run stores nothing, accept creates plans at once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let trial = try await send(Self.file, to: ann, "?dryRun=true&accept=true").json()
      #expect(trial["dryRun"] == true && trial["previews"]?.array?.count == 2)
      #expect(trial["previews"]?[0]?["standing"] == "new")
      #expect(trial["previews"]?[0]?["next"]?[0]?.string == "2026-03-01T08:00:00+00:00")
      #expect(try await proposals(ann).isEmpty)
      #expect(try await plans(ann).isEmpty)
      let real = try await send(Self.file, to: ann, "?accept=true&name=hospital").json()
      #expect(real["prescriptions"]?["accepted"]?.number?.integer == 2)
      #expect(try await plans(ann).count == 2)
    }
  }

  @Test(arguments: [
    ("", "application/json", 422), ("<Bundle/>", "application/json", 422),
    ("{}", "text/plain", 415), ("{}", "application/json", 200),
    ("{\"resourceType\":\"Bundle\",\"entry\":[{", "application/fhir+json", 200),
    ("{}\n[]\n{\"resourceType\":", "application/x-ndjson", 200),
  ])
  func `unreadable files are refused or reported entry by entry`(
    text: String, type: String, status: Int
  ) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await send(text, to: ann, type: type)
      #expect(answer.status.code == status, "\(answer.text)")
      if status == 200 {
        #expect(try answer.json()["problemCount"]?.number?.integer ?? 0 > 0)
      } else {
        try answer.expectProblem(.init(code: status))
      }
      try await send(Self.file, to: ann, "?accept=perhaps")
        .expectProblem(.unprocessableContent, "value")
    }
  }

  @Test func `no one can reach another's proposals`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await send(Self.file, to: ann)
      let proposal = try #require(try await proposals(ann).first?["id"]?.string)
      let patient = JSONValue.string(ann.account.patient)
      for body: JSONValue in [[:], ["patient": patient]] {
        for action in ["accept", "decline", "seen"] {
          try await bob.post("/api/v1/proposals/\(proposal)/\(action)", body)
            .expectProblem(.notFound)
        }
      }
      try await bob.post("/api/v1/proposals/accept", ["patient": patient]).expectProblem(.notFound)
      try await bob.get("/api/v1/proposals?patient=\(ann.account.patient)")
        .expectProblem(.notFound)
      try await send(Self.file, to: bob, "?patient=\(ann.account.patient)")
        .expectProblem(.notFound)
      #expect(try await proposals(ann).count == 2)
    }
  }

  @Test func `a change shows the current schedule, and a stop is read once`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await send(Self.file, to: ann, "?accept=true")
      _ = try await send(Self.file.replacing("20:00:00", with: "21:00:00"), to: ann)
      let change = try #require(try await proposals(ann).first)
      #expect(change["kind"] == "changed" && change["plan"] != nil)
      #expect(change["before"]?["sentence"]?.string?.contains("20:00") == true)
      #expect(change["sentence"]?.string?.contains("21:00") == true)
      let ended = Self.file.replacing(
        "\"id\":\"1\",\"status\":\"active\"", with: "\"id\":\"1\",\"status\":\"stopped\"")
      _ = try await send(ended, to: ann)
      let stops = try await ann.get("/api/v1/proposals").json()["stopped"]?.array ?? []
      try #require(stops.count == 1)
      #expect(stops[0]["medicine"] == "Bisoprolol 2.5 mg" && stops[0]["status"] == "stopped")
      let id = try #require(stops[0]["id"]?.string)
      for _ in 1...2 {
        #expect(try await ann.post("/api/v1/proposals/\(id)/seen", [:]).status == .noContent)
      }
      #expect(try await ann.get("/api/v1/proposals").json()["stopped"]?.array == [])
    }
  }

  @Test func `an open stream reports pending and decided proposals`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      func events(_ person: Person) async throws -> String {
        try await person.get("/api/v1/events", [Self.lastEventID: "0-0"]).text
      }
      #expect(try await !events(ann).contains("event: proposal"))
      _ = try await send(Self.file, to: ann)
      let waiting = try await events(ann)
      #expect(waiting.components(separatedBy: "event: proposal\n").count == 3)
      #expect(waiting.contains("\"state\":\"open\""))
      #expect(try await !events(bob).contains("event: proposal"))
      _ = try await ann.post("/api/v1/proposals/accept", [:])
      let decided = try await events(ann)
      #expect(decided.contains("\"state\":\"accepted\"") && !decided.contains("\"state\":\"open\""))
      #expect(decided.contains("event: dose\n"))
    }
  }
}
