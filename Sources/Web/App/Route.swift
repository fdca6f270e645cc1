// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird

/// One address of the server with who may use it: the router, the access matrix test, the 405
/// answers and the comparison with the OpenAPI description all read this one list.
package struct Route: Sendable {
  /// How errors are told and how strangers are received.
  package enum Surface: String, Sendable, CaseIterable {
    /// A page: strangers are led to the sign-in page.
    case page
    /// The JSON API: strangers get 401 problem+json.
    case api
    /// The FHIR API: strangers get 401 with an OperationOutcome.
    case fhir
  }

  /// Who may call; what they may reach is decided by `Access.decide` where the data is.
  package enum Audience: Sendable {
    case open
    case signedIn
  }

  package typealias Handler = @Sendable (Call) async throws -> Response

  package let method: HTTPRequest.Method
  /// Hummingbird's pattern, for example `/medicines/:plan`.
  package let path: String
  package let surface: Surface
  package let audience: Audience
  /// What must have been shown lately, and the page that leads here.
  package private(set) var proof: (policy: ProofPolicy, from: String)?
  /// Whether the address serves those who must set up a second factor first.
  package private(set) var isForSettingUp = false
  /// Whether a token that only sends vitals may come here; what it may reach is decided by `Access`.
  package private(set) var takesVitals = false
  /// True if an API address also serves patients whose data is open only in an emergency.
  private(set) var servesEmergencies = false
  /// The body that the address takes; nil for what forms need.
  private(set) var allowance: BodyAllowance?
  /// True if the address is served on the host's socket only, to the operator.
  private(set) var isOnHost = false
  /// False if the address answers without the database, even a damaged one.
  private(set) var needsData = true
  let handler: Handler

  private init(
    _ method: HTTPRequest.Method, _ path: String, _ surface: Surface, _ audience: Audience,
    _ handler: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.surface = surface
    self.audience = audience
    self.handler = handler
  }

  /// A route that anybody may call.
  package static func open(
    _ method: HTTPRequest.Method, _ path: String, as surface: Surface = .page,
    _ handler: @escaping Handler
  ) -> Route {
    Route(method, path, surface, .open, handler)
  }

  /// A page for somebody who is signed in.
  package static func page(
    _ method: HTTPRequest.Method, _ path: String,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    closed(method, path, .page, handler)
  }

  /// An address of the JSON API, for a bearer token or a session.
  package static func api(
    _ method: HTTPRequest.Method, _ path: String,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    closed(method, path, .api, handler)
  }

  /// An address of the FHIR API, for a bearer token or a session.
  package static func fhir(
    _ method: HTTPRequest.Method, _ path: String,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    closed(method, path, .fhir, handler)
  }

  /// The same for somebody who has shown lately who they are (step-up): others are asked, and led
  /// back to the page with the form.
  ///
  /// - Parameter from: the page that a form stands on; nil where the address is a page itself.
  package func after(_ policy: ProofPolicy, from: String? = nil) -> Route {
    var route = self
    route.proof = (policy, from ?? path)
    return route
  }

  /// The same also for somebody who must set up a second factor before all else.
  package func whileSettingUp() -> Route {
    var route = self
    route.isForSettingUp = true
    return route
  }

  /// The same also for a token that only sends vitals.
  package func takingVitals() -> Route {
    var route = self
    route.takesVitals = true
    return route
  }

  /// Returns a route that also serves patients whose data is open only in an emergency.
  ///
  /// This is for addresses that the pages themselves need: others hand out data to programs, which
  /// emergency access does not allow.
  package func servingEmergencies() -> Route {
    var route = self
    route.servesEmergencies = true
    return route
  }

  /// Returns a route that takes a body of so many bytes within so many seconds.
  package func taking(
    upTo bytes: Int, within seconds: Int = BodyAllowance.fileSeconds
  ) -> Route {
    taking(upTo: { _ in bytes }, within: seconds)
  }

  /// Returns a route that takes a body as large as the settings say, within so many seconds.
  package func taking(
    upTo bytes: @escaping @Sendable (ServerSettings) -> Int,
    within seconds: Int = BodyAllowance.fileSeconds
  ) -> Route {
    var route = self
    route.allowance = BodyAllowance(bytes: bytes, seconds: seconds)
    return route
  }

  /// Returns a route of the operator's, which a full disk or a damaged database does not close.
  package func onHost() -> Route {
    var route = self
    route.isOnHost = true
    route.needsData = false
    return route
  }

  /// Returns a route that answers without the database, even a damaged one.
  package func withoutData() -> Route {
    var route = self
    route.needsData = false
    return route
  }

  private static func closed(
    _ method: HTTPRequest.Method, _ path: String, _ surface: Surface,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    Route(method, path, surface, .signedIn) { call in
      guard let signedIn = call.signedIn else { throw Failure.signInNeeded }
      return try await handler(call, signedIn)
    }
  }
}
