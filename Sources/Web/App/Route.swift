// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird

/// One address of the server and who may use it.
///
/// The router, the access matrix test, the 405 answers and the comparison with the OpenAPI
/// description all read this one list.
package struct Route: Sendable {
  /// The kind of interface, which determines how errors and strangers are handled.
  package enum Surface: String, Sendable, CaseIterable {
    /// A page: strangers are redirected to the sign-in page.
    case page
    /// The JSON API: strangers get 401 problem+json.
    case api
    /// The FHIR API: strangers get 401 with an OperationOutcome.
    case fhir
  }

  /// The callers that a route admits; `Access.decide` decides which data they may reach.
  package enum Audience: Sendable {
    /// Everyone, signed in or not.
    case open
    /// Callers with a valid session or token.
    case signedIn
  }

  /// A function that answers one call; an error that it throws is reported in the form of the
  /// surface.
  package typealias Handler = @Sendable (Call) async throws -> Response

  /// The HTTP method; a `GET` route answers `HEAD` too.
  package let method: HTTPRequest.Method
  /// The path pattern in Hummingbird's syntax, for example `/medicines/:plan`.
  package let path: String
  /// The kind of interface that this address belongs to.
  package let surface: Surface
  /// The callers that this address admits.
  package let audience: Audience
  /// The recent proof of identity that the address requires, and the page to return to afterwards;
  /// nil if none is needed.
  package private(set) var proof: (policy: ProofPolicy, from: String)?
  /// True if the address is open to people who must first set up a second factor.
  package private(set) var isForSettingUp = false
  /// True if the address accepts tokens that may only send vitals; `Access` decides what they
  /// reach.
  package private(set) var takesVitals = false
  /// True if the address accepts the tokens of apps: all of the FHIR API, and what else is marked; `Access` decides
  /// what they reach.
  package var takesApps: Bool { surface == .fhir || isForApps }
  private var isForApps = false
  /// True if the address changes nothing, although its method is not `GET`.
  package private(set) var onlyReads = false
  /// True if programs of other sites may post to the address, because it pays no attention to cookies.
  private(set) var servesPrograms = false
  /// True if the address (API only) covers patients whose data is open only in an emergency.
  private(set) var servesEmergencies = false
  /// The body that the address accepts; nil if it needs only forms.
  private(set) var allowance: BodyAllowance?
  /// True if the address is served only on the host's Unix socket, to the operator.
  private(set) var isOnHost = false
  /// False if the address answers without the database, even if it is damaged.
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

  /// Returns a route that anyone may call.
  package static func open(
    _ method: HTTPRequest.Method, _ path: String, as surface: Surface = .page,
    _ handler: @escaping Handler
  ) -> Route {
    Route(method, path, surface, .open, handler)
  }

  /// Returns the route of a page for signed-in people; others are sent to the sign-in page.
  package static func page(
    _ method: HTTPRequest.Method, _ path: String,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    closed(method, path, .page, handler)
  }

  /// Returns an address of the JSON API, for a bearer token or a session.
  package static func api(
    _ method: HTTPRequest.Method, _ path: String,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    closed(method, path, .api, handler)
  }

  /// Returns an address of the FHIR API, for a bearer token or a session.
  package static func fhir(
    _ method: HTTPRequest.Method, _ path: String,
    _ handler: @escaping @Sendable (Call, SignedIn) async throws -> Response
  ) -> Route {
    closed(method, path, .fhir, handler)
  }

  /// Returns a route that requires a recent proof of identity (step-up).
  ///
  /// Anyone else is asked for the proof first and then sent back to the page with the form.
  ///
  /// - Parameter from: The page that contains the form; nil if this address is the page itself.
  package func after(_ policy: ProofPolicy, from: String? = nil) -> Route {
    var route = self
    route.proof = (policy, from ?? path)
    return route
  }

  /// Returns a route that is open to people who must first set up a second factor.
  package func whileSettingUp() -> Route {
    var route = self
    route.isForSettingUp = true
    return route
  }

  /// Returns a route that accepts tokens that may only send vitals.
  package func takingVitals() -> Route {
    var route = self
    route.takesVitals = true
    return route
  }

  /// Returns a route outside the FHIR API that accepts the tokens of apps.
  ///
  /// Use it only for addresses whose every access to data is decided for a resource to which scopes apply.
  package func takingApps() -> Route {
    var route = self
    route.isForApps = true
    return route
  }

  /// Returns a route that changes nothing, although its method is not `GET`: a search by form.
  package func onlyReading() -> Route {
    var route = self
    route.onlyReads = true
    return route
  }

  /// Returns a route that programs of other sites may post to: it must not act on a session.
  package func servingPrograms() -> Route {
    var route = self
    route.servesPrograms = true
    return route
  }

  /// Returns a route that covers patients whose data is open only in an emergency.
  ///
  /// Use it for addresses that the pages need. Others give data to programs, which emergency access
  /// does not allow.
  package func servingEmergencies() -> Route {
    var route = self
    route.servesEmergencies = true
    return route
  }

  /// Returns a route that accepts a body up to a size in bytes, within a time in seconds.
  package func taking(
    upTo bytes: Int, within seconds: Int = BodyAllowance.fileSeconds
  ) -> Route {
    taking(upTo: { _ in bytes }, within: seconds)
  }

  /// Returns a route that accepts a body up to the size in the settings, within a time in seconds.
  package func taking(
    upTo bytes: @escaping @Sendable (ServerSettings) -> Int,
    within seconds: Int = BodyAllowance.fileSeconds
  ) -> Route {
    var route = self
    route.allowance = BodyAllowance(bytes: bytes, seconds: seconds)
    return route
  }

  /// Returns an operator's route, which works even if the disk is full or the database is damaged.
  package func onHost() -> Route {
    var route = self
    route.isOnHost = true
    route.needsData = false
    return route
  }

  /// Returns a route that answers without the database, even if it is damaged.
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
