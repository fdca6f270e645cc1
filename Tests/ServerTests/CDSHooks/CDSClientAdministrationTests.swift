// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import Operations
@testable import Web

/// The operator's commands about systems that ask for decision support.
@Suite struct CDSClientAdministrationTests {
  private static let commands: [AdministrationCommand] = [
    .cds(
      .add(
        issuer: "https://a.example", keys: ["keys": [["kty": "EC"]]], email: "a@example.org",
        reachesEveryPatient: true)),
    .cds(.list),
    .cds(.enable(issuer: "https://a.example", isEnabled: false)),
    .cds(.remove(issuer: "https://a.example")),
  ]

  @Test(arguments: commands)
  func `a command crosses the socket unchanged`(command: AdministrationCommand) throws {
    let wire = try JSONValue(parsing: command.json.bytes)
    #expect(AdministrationCommand(json: wire) == command)
  }

  @Test(arguments: [
    #"{"command":"cds add"}"#, #"{"command":"cds add","issuer":"a","email":"a@b.org"}"#,
    #"{"command":"cds add","issuer":"a","email":"a@b.org","keys":{},"every-patient":1}"#,
    #"{"command":"cds enable","issuer":"a"}"#, #"{"command":"cds remove"}"#,
    #"{"command":"cds","email":"a@b.org"}"#,
  ])
  func `invalid commands are refused`(text: String) throws {
    #expect(try AdministrationCommand(json: JSONValue(parsing: text)) == nil)
  }

  @Test func `systems are added, listed, disabled and removed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let administration = Administration(environment: harness.environment)
      let issuer = CDSSystem.issuer
      #expect(try await administration.perform(.cds(.list)) == "")
      let system = try await CDSSystem.make(harness, for: ann.account)
      let body = CDSSystem.body("patient-view", ann.account.patient.text)
      let path = "/cds-services/regimen-patient-view"
      #expect(try await system.post(path, body).cards().count == 1)
      let line = try await administration.perform(.cds(.list))
      #expect(
        line == """
          \(issuer) ann@example.org own-patients enabled added 2026-03-01T07:00:00+00:00 used \
          2026-03-01T07:00:00+00:00
          """)
      #expect(
        try await administration.perform(.cds(.enable(issuer: issuer, isEnabled: false))) == issuer)
      try await system.post(path, body).expectProblem(.unauthorized, "login")
      _ = try await administration.perform(.cds(.enable(issuer: issuer, isEnabled: true)))
      #expect(try await system.post(path, body).cards().count == 1)
      _ = try await administration.perform(.cds(.remove(issuer: issuer)))
      try await system.post(path, body).expectProblem(.unauthorized, "login")
      await #expect(throws: CDSClientError.unknown) {
        try await administration.perform(.cds(.remove(issuer: issuer)))
      }
      await #expect(throws: AccountError.unknownAccount) {
        try await administration.perform(
          .cds(
            .add(
              issuer: issuer, keys: system.keySet, email: "b@example.org",
              reachesEveryPatient: false)))
      }
      await #expect(throws: CDSClientError.keys) {
        try await administration.perform(
          .cds(
            .add(
              issuer: issuer, keys: [:], email: "ann@example.org", reachesEveryPatient: false)))
      }
    }
  }
}
