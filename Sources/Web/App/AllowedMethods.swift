// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The methods that each address accepts, for answering a request that no route matched.
///
/// One table replaces a refusing handler for each address and method, which took 3.4 MB.
struct AllowedMethods: Sendable {
  /// An address pattern with its methods.
  struct Entry: Sendable {
    fileprivate let pattern: PathPattern
    /// The methods for the `Allow` field, sorted.
    let methods: [HTTPRequest.Method]
    /// The surface that determines how a refusal is presented.
    let surface: Route.Surface

    var allow: String { methods.map(\.rawValue).joined(separator: ", ") }
  }

  private let entriesByLength: [Int: [Entry]]

  init(_ routes: [Route]) {
    let entries = Dictionary(grouping: routes, by: \.path).compactMap { path, routes -> Entry? in
      guard let surface = routes.first?.surface else { return nil }
      var methods = Set(routes.map(\.method))
      if methods.contains(.get) { methods.insert(.head) }
      return Entry(
        pattern: PathPattern(path),
        methods: methods.sorted { $0.rawValue < $1.rawValue }, surface: surface)
    }
    entriesByLength = Dictionary(grouping: entries) { $0.pattern.count }
  }

  /// Returns the entry for an address; if several patterns match, the most literal one, like the
  /// router.
  func entry(at path: String) -> Entry? {
    let segments = path.split(separator: "/")
    return (entriesByLength[segments.count] ?? []).filter { $0.pattern.matches(segments) }
      .max { $0.pattern.literalness < $1.pattern.literalness }
  }
}
