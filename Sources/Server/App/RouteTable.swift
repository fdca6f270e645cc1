// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird

/// All routes of the server, turned into Hummingbird's router.
package struct RouteTable: Sendable {
  package let routes: [Route]
  let environment: ServerEnvironment

  package init(routes: [Route], environment: ServerEnvironment) {
    self.routes = routes
    self.environment = environment
  }

  private static let methods: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
  ]

  /// Builds the router; a known address with another method answers 405 with `Allow`.
  package func router() -> Router<RegimenContext> {
    let router = Router(context: RegimenContext.self)
    router.add(middleware: EdgeMiddleware(environment: environment))
    for (path, routes) in Dictionary(grouping: routes, by: \.path) {
      for route in routes {
        register(route, as: route.method, on: router)
      }
      var allowed = Set(routes.map(\.method))
      if let get = routes.first(where: { $0.method == .get }), !allowed.contains(.head) {
        registerHead(of: get, on: router)
        allowed.insert(.head)
      }
      refuseOthers(path: path, allowed: allowed, surface: routes.first?.surface, on: router)
    }
    return router
  }

  private func register(
    _ route: Route, as method: HTTPRequest.Method, on router: Router<RegimenContext>
  ) {
    router.on(RouterPath(route.path), method: method) { [environment] request, context in
      await Self.answer(route, request: request, context: context, environment: environment)
    }
  }

  /// HEAD is GET without the body, with the length it would have had.
  private func registerHead(of route: Route, on router: Router<RegimenContext>) {
    router.on(RouterPath(route.path), method: .head) { [environment] request, context in
      let full = await Self.answer(
        route, request: request, context: context, environment: environment)
      var response = Response(status: full.status, headers: full.headers)
      if let length = full.body.contentLength {
        response.headers[.contentLength] = String(length)
      }
      return response
    }
  }

  private func refuseOthers(
    path: String, allowed: Set<HTTPRequest.Method>, surface: Route.Surface?,
    on router: Router<RegimenContext>
  ) {
    let allow = allowed.map(\.rawValue).sorted().joined(separator: ", ")
    for method in Self.methods where !allowed.contains(method) {
      router.on(RouterPath(path), method: method) { [environment] request, context in
        let failure = Failure(
          .methodNotAllowed, code: "not-supported",
          detail: "This address takes \(allow).", headers: [.allow: allow])
        return FailureResponse.make(
          failure, surface: surface ?? .page, request: request, context: context,
          environment: environment)
      }
    }
  }

  /// Runs one route: who asks, may a browser have been tricked into asking, the handler, its errors.
  private static func answer(
    _ route: Route, request: Request, context: RegimenContext, environment: ServerEnvironment
  ) async -> Response {
    let now = environment.now()
    do {
      let credentials = try await Authentication.credentials(
        of: request, at: now, environment: environment)
      let call = Call(
        request: request, context: context, environment: environment,
        signedIn: credentials.signedIn, session: credentials.session, now: now)
      if route.door == .signedIn, credentials.signedIn == nil {
        return FailureResponse.stranger(at: route, call: call)
      }
      try ForgeryGuard.check(call)
      return try await route.handler(call)
    } catch {
      return FailureResponse.make(
        error, surface: route.surface, request: request, context: context,
        environment: environment)
    }
  }
}
