// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// A part that a feature adds around all routes: it sees each request before the routes, and each answer after
/// them, including refusals.
package protocol EdgePart: Sendable {
  /// Returns the answer to a request that needs no route; nil for all others.
  func answer(_ call: Call) -> Response?

  /// Returns an answer in its final form.
  ///
  /// The sender of the call is not identified.
  func finish(_ response: Response, to call: Call) async -> Response
}
