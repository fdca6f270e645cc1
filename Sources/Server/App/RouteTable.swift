// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Hummingbird
import Storage

/// All routes of the server, turned into Hummingbird's router.
package struct RouteTable: Sendable {
  package let routes: [Route]
  let environment: ServerEnvironment

  package init(routes: [Route], environment: ServerEnvironment) {
    self.routes = routes
    self.environment = environment
  }

  static let methods: [HTTPRequest.Method] = [
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
      // The edge takes the body off again.
      if let get = routes.first(where: { $0.method == .get }), allowed.insert(.head).inserted {
        register(get, as: .head, on: router)
      }
      refuseOthers(path: path, allowed: allowed, surface: routes.first?.surface, on: router)
    }
    return router
  }

  private func register(
    _ route: Route, as method: HTTPRequest.Method, on router: Router<RegimenContext>
  ) {
    router.on(RouterPath(route.path), method: method) { [environment] request, context in
      await Self.answer(
        route, call: Call(stranger: request, context: context, environment: environment))
    }
  }

  /// What is left of a full disk is for reminders; the operator's own commands are let through.
  private static func requireRoom(for route: Route, _ call: Call) throws {
    guard call.environment.disk.isShort, !safeMethods.contains(route.method),
      !route.path.hasPrefix(AdministrationRoutes.path)
    else { return }
    throw StorageError.diskFull
  }

  private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options]

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
          failure, surface: surface ?? .page,
          call: Call(stranger: request, context: context, environment: environment))
      }
    }
  }

  /// Runs one route: who asks, may a browser have been tricked into asking, the handler, its errors.
  private static func answer(_ route: Route, call: Call) async -> Response {
    var call = call
    do {
      try await call.identify()
      if route.door == .signedIn, call.signedIn == nil {
        return FailureResponse.stranger(at: route, call: call)
      }
      try ForgeryGuard.check(call)
      try DoorGuard.check(route, call)
      try requireRoom(for: route, call)
      return try await route.handler(call)
    } catch let detour as DoorDetour {
      return detour.response(at: route, call: call)
    } catch {
      return FailureResponse.make(error, surface: route.surface, call: call)
    }
  }
}
