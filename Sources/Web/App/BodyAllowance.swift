// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The largest body that a route accepts, and the time it has to arrive.
package struct BodyAllowance: Sendable {
  /// The time limit for a file, in seconds: enough for 50 MB over a slow line.
  package static let fileSeconds = 600

  /// The size limit in bytes, which can depend on the settings.
  let bytes: @Sendable (ServerSettings) -> Int
  let seconds: Int
}

/// The allowances of routes that accept something other than forms, so that requests can be refused
/// before their body is read.
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

  /// Returns the allowance of an address; nil if it accepts only forms.
  func allowance(for method: HTTPRequest.Method, at path: String) -> BodyAllowance? {
    let candidates = entries.filter { $0.method == method }
    guard !candidates.isEmpty else { return nil }
    let segments = path.split(separator: "/")
    return candidates.first { $0.pattern.matches(segments) }?.allowance
  }
}
