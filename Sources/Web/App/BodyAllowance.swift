// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The largest body that a route takes, and the time in which it must arrive.
package struct BodyAllowance: Sendable {
  /// The seconds that a file may take to arrive: enough for 50 MB over a slow line.
  package static let fileSeconds = 600

  /// The most bytes of the body, by the settings of the installation.
  let bytes: @Sendable (ServerSettings) -> Int
  let seconds: Int
}

/// The allowances of the routes that take other bodies than forms, for refusing a request before its body is read.
struct BodyAllowances: Sendable {
  private struct Entry: Sendable {
    let method: HTTPRequest.Method
    let pattern: PathPattern
    let allowance: BodyAllowance
  }

  private let entries: [Entry]

  init(_ routes: [Route]) {
    entries = routes.compactMap { route in
      route.allowance.map {
        Entry(method: route.method, pattern: PathPattern(route.path), allowance: $0)
      }
    }
  }

  /// Returns the allowance of an address; nil if it takes what forms need.
  func allowance(for method: HTTPRequest.Method, at path: String) -> BodyAllowance? {
    let candidates = entries.filter { $0.method == method }
    guard !candidates.isEmpty else { return nil }
    let segments = path.split(separator: "/")
    return candidates.first { $0.pattern.matches(segments) }?.allowance
  }
}
