// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// A check that a feature adds before the handlers of routes.
package protocol RouteGuard: Sendable {
  /// Throws if the call must not reach the route's handler.
  func check(_ route: Route, _ call: Call) throws
}

/// An error that redirects a browser to another page first.
package protocol RouteDetour: Error {
  /// Returns the answer in the form of the route's surface.
  func response(at route: Route, call: Call) -> Response
}
