// SPDX-License-Identifier: Apache-2.0

/// The parts that features add to every request; the composition root lists them.
package final class RequestParts: Sendable {
  /// The checks before a route's handler, in order.
  let guards: [any RouteGuard]
  /// The parts around all routes, in order.
  let edge: [any EdgePart]
  /// The facts derived about the visitor and kept with the session.
  let facts: [any VisitorFactSource.Type]
  /// The parts of a page's frame; parts in the same place keep this order.
  let frame: [any FramePart.Type]
  /// The addresses of the places in the navigation.
  let navigation: NavigationAddresses

  /// Creates the parts of a server.
  package init(
    guards: [any RouteGuard] = [], edge: [any EdgePart] = [],
    facts: [any VisitorFactSource.Type] = [], frame: [any FramePart.Type] = [],
    navigation: NavigationAddresses = NavigationAddresses()
  ) {
    self.guards = guards
    self.edge = edge
    self.facts = facts
    self.frame = frame
    self.navigation = navigation
  }
}
