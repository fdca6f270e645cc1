// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Operations
@testable import Web

@Suite struct TokenAdministrationTests {
  private struct Host {
    let harness: ServerHarness
    let administration: Administration

    init(_ harness: ServerHarness) {
      self.harness = harness
      administration = Administration(environment: harness.environment)
    }

    func make(_ scope: String, for email: String = "ann@example.org") async throws -> String {
      try await administration.perform(.createToken(email: email, scope: scope, days: 30))
    }

    func list(_ email: String = "ann@example.org") async throws -> [[Substring]] {
      try await administration.perform(.listTokens(email: email))
        .split(separator: "\n").map { $0.split(separator: " ", maxSplits: 9) }
    }

    func status(_ token: String) async throws -> HTTPResponse.Status {
      try await harness.send(.get, "/api/v1/me", [.authorization: "Bearer \(token)"]).status
    }
  }

  @Test func `the host lists an account's tokens without showing them`() async throws {
    try await ServerHarness.run { harness in
      let host = Host(harness)
      _ = try await harness.makeAccount("Ann")
      _ = try await harness.makeAccount("Bob")
      #expect(try await host.list().isEmpty)
      let first = try await host.make("user/*.cruds")
      harness.clock.advance(minutes: 5)
      let second = try await host.make("patient/*.rs")
      _ = try await host.make("user/*.cruds", for: "bob@example.org")
      #expect(try await host.status(first) == .ok)
      let listed = try await host.list()
      #expect(listed.map { $0[1] } == [second.prefix(8), first.prefix(8)])
      #expect(listed.map { $0[2] } == ["patient/*.rs", "user/*.cruds"])
      #expect(listed.map { $0[4] } == ["2026-03-01T07:05:00+00:00", "2026-03-01T07:00:00+00:00"])
      #expect(listed[0][6] == "2026-03-31T07:05:00+00:00")
      #expect(listed[0].last == "never" && listed[1].last != "never")
      let text = try await host.administration.perform(.listTokens(email: "ann@example.org"))
      #expect(!text.contains(first) && !text.contains(second))
    }
  }

  @Test func `a token's name can't control the operator's terminal`() async throws {
    try await ServerHarness.run { harness in
      let host = Host(harness)
      let account = try await harness.makeAccount("Ann")
      let (accounts, now) = (harness.environment.accounts, harness.clock.now)
      let secret = Secret(prefix: Secret.tokenPrefix, random: harness.environment.random)
      try await harness.environment.database.write { writer in
        try accounts.createToken(
          secret, for: account.id, scope: .user, patient: account.patient,
          label: "a\u{1B}]0;b\u{7}\r\nc\u{9B}2Jd\u{7F}\u{202E}é", at: now, in: writer)
      }
      let text = try await host.administration.perform(.listTokens(email: "ann@example.org"))
      #expect(text.hasSuffix(" a ]0;b   c 2Jd  é"))
      #expect(!text.contains("\n"))
    }
  }

  @Test func `a practitioner's name can't control the operator's terminal`() async throws {
    try await ServerHarness.run { harness in
      let account = try await harness.makeAccount("Berg")
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE accounts SET display_name = $1 WHERE account = $2",
          [.text("Dr\u{1B}[2J Berg\n\u{202E}x"), .text(account.id)])
      }
      let host = Host(harness)
      for ends in [false, true] {
        let line = try await host.administration.perform(
          .practitioner(email: "berg@example.org", ends: ends))
        #expect(line == "Dr [2J Berg  x")
      }
    }
  }

  @Test(
    arguments: [0x00, 0x1F, 0x7F, 0x85, 0x9F, 0x061C, 0x200F, 0x2028, 0x202A, 0x2069] as [UInt32])
  func `control characters are printed as spaces`(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(TerminalText.line("a\(scalar)é") == "a é")
  }

  @Test func `the host revokes a token by its id prefix`() async throws {
    try await ServerHarness.run { harness in
      let host = Host(harness)
      _ = try await harness.makeAccount("Ann")
      _ = try await harness.makeAccount("Bob")
      let (kept, ended) = (try await host.make("user/*.cruds"), try await host.make("user/*.rs"))
      let id = String(try #require(try await host.list().first { $0[1] == ended.prefix(8) })[0])
      #expect(try await host.status(ended) == .ok)
      let refused: [AdministrationCommand] = [
        .endToken(email: "bob@example.org", id: id), .endToken(email: "ann@example.org", id: ""),
        .endToken(email: "ann@example.org", id: String(id.prefix(5))),
        .endToken(email: "ann@example.org", id: "zzzzzzzz"),
        .endToken(email: "nobody@example.org", id: id),
      ]
      for command in refused {
        await #expect(throws: (any Error).self) {
          try await host.administration.perform(command)
        }
      }
      #expect(try await host.status(ended) == .ok)
      let line = try await host.administration.perform(
        .endToken(email: "ann@example.org", id: String(id.prefix(6)).uppercased()))
      #expect(line == id)
      #expect(try await host.status(ended) == .unauthorized)
      #expect(try await host.status(kept) == .ok)
      #expect(try await host.list().count == 1)
      let actors = try await harness.environment.database.read { reader in
        try reader.query(
          "SELECT actor FROM audit WHERE resource = 'Token' AND kind = 'delete'", []
        ).map { try $0.text(0) }
      }
      #expect(actors == ["operator"])
    }
  }

  @Test(arguments: [TokenScope.userReading, .patientReading])
  func `a read-only token finds everything and changes nothing`(scope: TokenScope) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let dose = try await ann.newDose()
      let reading = try await harness.token(of: ann.account, scope: scope)
      for address in [
        "/api/v1/me", "/api/v1/doses?\(Person.today)", "/fhir/MedicationRequest", "/fhir/metadata",
      ] {
        #expect(try await harness.send(.get, address, reading).status == .ok, "\(address)")
      }
      let answer = try await harness.send(
        .post, "/api/v1/doses/\(dose)/answers", reading, json: ["action": "taken"])
      try answer.expectProblem(.forbidden)
      let created = try await harness.send(
        .post, "/fhir/MedicationRequest", reading, json: ann.request())
      try created.expectOutcome(.forbidden)
      // Page views are recorded in the audit trail.
      #expect(try await harness.send(.get, "/chat", reading).status == .forbidden)
      #expect(try await ann.doses().first?["state"] == "scheduled")
    }
  }

  @Test func `the page creates a read-only token`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      #expect(try await browser.open("/account/tokens").text.contains("name=\"reach\""))
      for (reach, status) in [("read", 403), ("all", 422)] {
        let made = try await browser.post(
          "/account/tokens", ["label": "Widget", "days": "30", "reach": reach])
        let token = try #require(made.text.firstMatch(of: /heart-secret">(rgt_[\w-]+)</)?.1)
        // An empty body is refused for its missing content only if writing is allowed.
        let written = try await harness.send(
          .post, "/api/v1/administrations", [.authorization: "Bearer \(token)"], json: [:])
        #expect(written.status.code == status, "\(written.text)")
      }
      #expect(try await browser.open("/me/programs").text.contains("can’t change anything"))
    }
  }
}
