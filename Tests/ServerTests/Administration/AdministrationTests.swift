// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import HomeDevices
@testable import Operations
@testable import Server
@testable import Web

@Suite struct AdministrationTests {
  private static let commands: [AdministrationCommand] = [
    .createAccount(email: "a@example.org", password: nil, isAdministrator: false),
    .createAccount(email: "a@example.org", password: "p \"q\" \n é", isAdministrator: true),
    .createToken(email: "a@example.org", scope: "system/*.cruds"),
    .createToken(email: "a@example.org", scope: "user/*.cruds", days: 30),
    .changeAddress(email: "a@example.org", to: "+4790012345"),
    .invite(email: "a@example.org"),
    .listTokens(email: "a@example.org"),
    .endToken(email: "a@example.org", id: "0123ab"),
    .study(.load(text: "{\"id\": \"a\"}")), .study(.list), .study(.close(id: "a")),
    .study(.allocation(id: "a")), .study(.export(id: "a", folder: "/b")),
    .study(.addResearcher(id: "a", name: "B")), .study(.revokeResearcher(id: "a", researcher: "b")),
    .app(.list), .app(.set("tracker", .disabled)),
    .device(
      .add(
        email: "a@example.org", kind: .rfidReader, name: "Desk", meaning: .note,
        compartments: ["left", "right"])),
    .device(.list(email: "a@example.org")), .device(.revoke(email: "a@example.org", id: "box")),
    .app(
      .add(
        AppRegistration(
          name: "Tracker", kind: .confidential, redirects: ["https://app.example.org/"],
          scopes: "patient/*.rs"), email: nil)),
  ]

  @Test(arguments: commands)
  func `a command crosses the socket unchanged`(command: AdministrationCommand) throws {
    let wire = try JSONValue(parsing: command.json.bytes)
    #expect(AdministrationCommand(json: wire) == command)
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"{"command":"account create"}"#, #"{"command":"drop","email":"a@b.org"}"#,
    #"{"email":"a@b.org"}"#, #"{"command":"token create","email":"a@b.org"}"#,
    #"{"command":"token create","email":7,"scope":"user/*.cruds"}"#,
    #"{"command":"account create","email":"a@b.org","password":7}"#,
    #"{"command":"device add","email":"a@b.org"}"#, #"{"command":"device list"}"#,
    #"{"command":"device revoke","email":"a@b.org"}"#,
    #"{"command":"device add","email":"a@b.org","kind":"toaster","name":"x","meaning":"log","compartments":[]}"#,
    #"{"command":"study load"}"#, #"{"command":"study export","id":"a"}"#,
    #"{"command":"study close"}"#, #"{"command":"study revoke","id":"a"}"#,
    #"{"command":"token list"}"#, #"{"command":"token end","email":"a@b.org"}"#,
    #"{"command":"account create","email":"a@b.org","administrator":"yes"}"#,
  ])
  func `invalid commands are refused`(text: String) async throws {
    #expect(try AdministrationCommand(json: JSONValue(parsing: text)) == nil)
    try await ServerHarness.run { harness in
      try await harness.administer { client in
        let answer = try await client.executeRequest(
          uri: AdministrationRoutes.path, method: .post,
          headers: [.contentType: "application/json"], body: .init(string: text))
        try answer.expectProblem(.unprocessableContent)
      }
    }
  }

  @Test func `the socket creates working accounts and tokens`() async throws {
    try await ServerHarness.run { harness in
      let administration = Administration(environment: harness.environment)
      let id = try await administration.perform(
        .createAccount(
          email: "Ann@Example.org", password: "eightlong", isAdministrator: true))
      let token = try await administration.perform(
        .createToken(email: "ann@example.org", scope: "user/*.cruds"))
      let me = try await harness.send(
        .get, "/api/v1/me", [.authorization: "Bearer \(token)"])
      let account = try #require(try me.json()["account"])
      #expect(account["id"]?.string == id)
      #expect(account["administrator"] == true)
      #expect(account["name"] == "Ann")
      let signedIn = try await harness.submit(
        "/sign-in", [("email", "ann@example.org"), ("password", "eightlong")])
      #expect(signedIn.status == .seeOther)
    }
  }

  @Test func `each response of the socket is one line`() async throws {
    try await ServerHarness.run { harness in
      try await harness.administer { client in
        let answer = try await client.executeRequest(
          uri: AdministrationRoutes.path, method: .post,
          headers: [.contentType: "application/json"],
          body: .init(
            bytes: AdministrationCommand.createAccount(
              email: "a@example.org", password: nil, isAdministrator: false
            ).json.bytes))
        #expect(answer.status == .ok)
        let line = try #require(try answer.json()["line"]?.string)
        #expect(line.hasPrefix("http://127.0.0.1:8080/invitation/rgi_"), "\(line)")
        let get = try await client.executeRequest(
          uri: AdministrationRoutes.path, method: .get, headers: [:], body: nil)
        #expect(get.status == .methodNotAllowed)
        #expect(get.headers[.allow] == "POST")
      }
    }
  }

  @Test func `a failed command says why and changes nothing`() async throws {
    try await ServerHarness.run { harness in
      _ = try await harness.makeAccount("Ann")
      let administration = Administration(environment: harness.environment)
      let cases: [(AdministrationCommand, AccountError)] = [
        (
          .createAccount(email: "ANN@example.org", password: nil, isAdministrator: false),
          .emailTaken
        ),
        (.createAccount(email: "", password: nil, isAdministrator: false), .emailMissing),
        (.createAccount(email: "ann", password: nil, isAdministrator: false), .emailMalformed),
        (
          .createAccount(email: "b@example.org", password: "short", isAdministrator: false),
          .passwordTooShort(minimum: 8)
        ),
        (.createToken(email: "b@example.org", scope: "user/*.cruds"), .unknownAccount),
        (.createToken(email: "ann@example.org", scope: "all"), .unknownScope("all")),
        (.invite(email: "b@example.org"), .unknownAccount),
      ]
      for (command, expected) in cases {
        await #expect(throws: expected) { try await administration.perform(command) }
      }
      let accounts = try await harness.environment.database.read { reader in
        try reader.query("SELECT account FROM accounts", []).count
      }
      #expect(accounts == 1)
    }
  }

  @Test func `a new link replaces a forgotten password and ends its sessions`() async throws {
    try await ServerHarness.run { harness in
      let administration = Administration(environment: harness.environment)
      _ = try await administration.perform(
        .createAccount(
          email: "ann@example.org", password: "forgotten one", isAdministrator: false))
      let before = try await harness.submit(
        "/sign-in", [("email", "ann@example.org"), ("password", "forgotten one")])
      let cookie = try #require(before.headers[.setCookie]?.split(separator: ";").first)
      let line = try await administration.perform(.invite(email: "Ann@example.org"))
      let secret = try #require(line.split(separator: "/").last)
      let taken = try await harness.submit(
        "/invitation/\(secret)", [("password", SignInTests.password)])
      #expect(taken.status == .seeOther, "\(taken.text)")
      let old = try await harness.send(.get, "/api/v1/me", [.cookie: String(cookie)])
      #expect(old.status == .unauthorized)
      let wrong = try await harness.submit(
        "/sign-in", [("email", "ann@example.org"), ("password", "forgotten one")])
      #expect(wrong.status == .unprocessableContent)
    }
  }

  @Test func `administration is not served over TCP`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await harness.send(
        .post, AdministrationRoutes.path, json: Self.commands[0].json)
      #expect(answer.status == .notFound)
    }
  }
}

extension ServerHarness {
  /// Serves the routes of the Unix socket.
  func administer<Value: Sendable>(
    _ test: @escaping @Sendable (Client) async throws -> Value
  ) async throws -> Value {
    let router = try RegimenServer(environment: environment).hostTable.router()
    return try await Application(router: router, logger: environment.logger).test(.router) {
      client in
      try await test(client)
    }
  }
}
