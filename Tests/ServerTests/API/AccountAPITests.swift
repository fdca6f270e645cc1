// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct AccountAPITests {
  @Test func `the profile is the account with its own patient`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let me = try await ann.get("/api/v1/me")
      #expect(me.status == .ok)
      #expect(me.headers[.cacheControl] == "no-store")
      let json = try me.json()
      #expect(json["account"]?["id"]?.string == ann.account.id.text)
      #expect(json["account"]?["email"]?.string == "ann@example.org")
      #expect(json["account"]?["administrator"]?.bool == false)
      #expect(
        json["patients"]
          == [
            [
              "id": .string(ann.account.patient), "name": "Ann", "relationship": "self",
            ]
          ])
    }
  }

  @Test func `the own patient comes first, then others by name`() async throws {
    try await ServerHarness.run { harness in
      let mia = try await Person.make(harness, "Mia")
      let bob = try await harness.makeAccount("Bob")
      let zoe = try await harness.makeAccount("Zoe")
      try await harness.environment.database.write { writer in
        for other in [zoe, bob] {
          try harness.environment.accounts.grant(
            .guardian, of: other.patient, to: mia.account.id, from: harness.clock.now, in: writer)
        }
      }
      harness.environment.sessions.forget()
      let patients = try await mia.get("/api/v1/me").json()["patients"]?.array ?? []
      #expect(patients.compactMap { $0["name"]?.string } == ["Mia", "Bob", "Zoe"])
      #expect(
        patients.compactMap { $0["relationship"]?.string } == ["self", "guardian", "guardian"])
    }
  }

  @Test func `a system token lists its account's own patients only`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      _ = try await harness.makeAccount("Bob")
      let token = try await harness.token(of: ann, scope: .system)
      let me = try await harness.send(.get, "/api/v1/me", token)
      #expect(try me.json()["patients"]?.array?.count == 1)
    }
  }

  @Test(arguments: ["", "Bearer", "Bearer ", "Bearer rgt_nonsense", "Basic YW5uOmFubg==", "rgt_x"])
  func `a wrong token is refused with a challenge`(header: String) async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(.get, "/api/v1/me", [.authorization: header])
      try answer.expectProblem(.unauthorized, "login")
      #expect(answer.headers[.wwwAuthenticate] == "Bearer")
    }
  }

  @Test func `a session can use the API`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      #expect(try await browser.open("/api/v1/me").status == .ok)
    }
  }

  @Test func `a session secret isn't a token, and a token isn't a session`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let asToken = try await harness.send(
        .get, "/api/v1/me", [.authorization: "Bearer \(browser.secret.text)"])
      #expect(asToken.status == .unauthorized)
      let token = (ann.token[.authorization] ?? "").dropFirst(7)
      let asSession = try await harness.send(.get, "/api/v1/me", [.cookie: "regimen=\(token)"])
      #expect(asSession.status == .unauthorized)
      #expect(try await browser.open("/api/v1/me").status == .ok)
    }
  }
}
