// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The origins of browser apps on other sites that may read answers (CORS).
package struct CrossOrigins: Sendable, Hashable {
  private let origins: Set<String>

  /// Creates a value without origins.
  package init() { origins = [] }

  /// Reads origins separated by commas; nil if one is not an https origin, or http on the same computer.
  package init?(list: String) {
    var origins: Set<String> = []
    for part in list.split(separator: ",") {
      let text = part.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      guard let origin = Self.origin(text) else { return nil }
      origins.insert(origin)
    }
    self.origins = origins
  }

  /// True if there are none.
  package var isEmpty: Bool { origins.isEmpty }

  /// Returns true if a request's `Origin` is one of them.
  package func contains(_ origin: String) -> Bool { origins.contains(origin) }

  /// Returns an origin as browsers write it: in lower case, without a default port.
  private static func origin(_ text: String) -> String? {
    guard let parts = URLComponents(string: text.lowercased()), let scheme = parts.scheme,
      let host = parts.host, !host.isEmpty, parts.path.isEmpty || parts.path == "/",
      parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil
    else { return nil }
    let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains(host)
    guard scheme == "https" || scheme == "http" && isLocal else { return nil }
    let defaultPort = scheme == "https" ? 443 : 80
    let port = parts.port.flatMap { $0 == defaultPort ? nil : ":\($0)" }
    return "\(scheme)://\(host)\(port ?? "")"
  }
}
