// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identifiers
import NIOCore
import Testing

@testable import AccountPages
@testable import Server
@testable import Web

/// An app that acts for a person, with only the access that its scopes give.
///
/// Its requests are those of the person's own token; the server of the test replaces the token's scope by that of the
/// app before it checks the route and answers.
struct AppClient: Sendable {
  let client: any TestClientProtocol
  let person: Person
  let scopes: String
  /// The patient for whom the app was started; nil for none.
  let patient: PatientID?

  private static let scopesField = HTTPField.Name("X-Test-Scopes") ?? .via
  private static let patientField = HTTPField.Name("X-Test-Patient") ?? .via

  /// Runs a test against the FHIR and JSON APIs of a server, with a function that starts apps.
  static func run(
    _ harness: ServerHarness,
    _ test:
      @escaping @Sendable (@escaping @Sendable (Person, String) -> AppClient) async throws
      -> Void
  ) async throws {
    let table = try RegimenServer(environment: harness.environment).table
    let routes = table.routes
      .filter { $0.surface != .page && $0.audience == .signedIn }.map(limited)
    let router = RouteTable(
      routes: routes, environment: harness.environment, parts: table.parts
    ).router()
    let application = Application(router: router, logger: harness.environment.logger)
    try await application.test(.router) { client in
      try await test { person, scopes in
        AppClient(
          client: client, person: person, scopes: scopes, patient: person.account.patient)
      }
    }
  }

  /// Returns a route that answers with the scope of the app that sends the request.
  private static func limited(_ route: Route) -> Route {
    .fhir(route.method, route.path) { call, signedIn in
      let headers = call.request.headers
      let scopes = SMARTScopes(parsing: headers[scopesField] ?? "")
      var call = call
      call.signedIn?.actor = Actor(
        accountID: signedIn.account.id, kind: .token, rights: signedIn.actor.rights,
        scope: .app(scopes, patient: headers[patientField].map { PatientID($0) }))
      try AccountSecurityGuard().check(route, call)
      return try await route.handler(call)
    }
  }

  /// Returns the same app, started for another patient or for none.
  func started(for patient: PatientID?) -> AppClient {
    AppClient(client: client, person: person, scopes: scopes, patient: patient)
  }

  func send(
    _ method: HTTPRequest.Method, _ address: String, _ body: JSONValue? = nil,
    _ headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    var headers = person.token.with(headers)
    headers[Self.scopesField] = scopes
    headers[Self.patientField] = patient?.text
    if body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
    return try await client.executeRequest(
      uri: address, method: method, headers: headers,
      body: body.map { ByteBuffer(bytes: $0.bytes) })
  }

  func get(_ address: String) async throws -> TestResponse { try await send(.get, address) }

  /// Returns the type and id of each entry that a search finds, after a check of the total.
  func search(
    _ query: String, mode: String = "match", sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> [String] {
    let answer = try await get("/fhir/\(query)")
    #expect(answer.status == .ok, "\(query): \(answer.text)", sourceLocation: sourceLocation)
    let bundle = try answer.json()
    let matches = bundle.entries()
    #expect(
      bundle["total"]?.number?.integer == matches.count, "\(query)",
      sourceLocation: sourceLocation)
    return bundle.entries(mode)
  }
}
