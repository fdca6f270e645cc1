// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Storage

/// All routes of the server, from which Hummingbird's router is built.
package struct RouteTable: Sendable {
  /// The routes of all features.
  package let routes: [Route]
  let environment: ServerEnvironment
  let parts: RequestParts

  /// Creates the table of a server's routes.
  package init(routes: [Route], environment: ServerEnvironment, parts: RequestParts) {
    self.routes = routes
    self.environment = environment
    self.parts = parts
  }

  static let methods: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
  ]

  /// Returns the router; a known address answers other methods with 405 and `Allow`.
  package func router() -> Router<RegimenContext> {
    let router = Router(context: RegimenContext.self)
    router.add(
      middleware: EdgeMiddleware(
        environment: environment, parts: parts, allowed: AllowedMethods(routes),
        allowances: BodyAllowances(routes),
        // The operator's commands take as long as they need.
        metrics: routes.contains(where: \.isOnHost) ? nil : environment.requestMetrics))
    for routes in Dictionary(grouping: routes, by: \.path).values {
      for route in routes {
        register(route, as: route.method, on: router)
      }
      // The edge middleware removes the body again.
      if let get = routes.first(where: { $0.method == .get }),
        !routes.contains(where: { $0.method == .head })
      {
        register(get, as: .head, on: router)
      }
    }
    return router
  }

  private func register(
    _ route: Route, as method: HTTPRequest.Method, on router: Router<RegimenContext>
  ) {
    router.on(RouterPath(route.path), method: method) { [environment, parts] request, context in
      var call = Call(
        stranger: request, context: context, environment: environment, parts: parts)
      call.allowance = route.allowance
      return await Self.answer(route, call: call)
    }
  }

  /// Refuses writes while the disk is full, so that the remaining space is left for reminders; the
  /// operator's own commands are allowed.
  private static func requireRoom(for route: Route, _ call: Call) throws {
    guard call.environment.disk.isShort, !safeMethods.contains(route.method), !route.onlyReads,
      !route.isOnHost
    else { return }
    throw StorageError.diskFull
  }

  /// Refuses requests while the database is damaged.
  ///
  /// Reads might be incomplete, and writes would be lost in a restore; devices keep their entries
  /// until they can be saved.
  private static func requireSoundData(for route: Route, _ call: Call) throws {
    guard let damage = call.environment.database.knownDamage, route.needsData else { return }
    throw damage
  }

  private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options]

  /// Runs one route: authentication, the forgery check, the handler, and its errors.
  private static func answer(_ route: Route, call: Call) async -> Response {
    var call = call
    do {
      try requireSoundData(for: route, call)
      try await call.identify()
      if route.surface != .page, !route.servesEmergencies { call.leaveEmergencies() }
      if route.audience == .signedIn, call.signedIn == nil {
        return FailureResponse.stranger(at: route, call: call)
      }
      if !route.servesPrograms { try ForgeryGuard.check(call, at: route.surface) }
      try MadeFor.checkAccount(of: call)
      for check in call.parts.guards { try check.check(route, call) }
      try requireRoom(for: route, call)
      let identified = call
      let response = try await ActingApp.running(call.signedIn?.actor.scope.app?.app) {
        try await route.handler(identified)
      }
      // If damage was discovered while the answer was read, the answer may be incomplete.
      if safeMethods.contains(route.method) || route.onlyReads {
        try requireSoundData(for: route, call)
      }
      return response
    } catch let detour as any RouteDetour {
      return detour.response(at: route, call: call)
    } catch {
      return FailureResponse.make(error, surface: route.surface, call: call)
    }
  }
}
