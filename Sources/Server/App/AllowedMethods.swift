// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The methods that each address accepts, for answering a request that no route matched.
///
/// One table replaces a refusing handler for each address and method, which took 3.4 MB.
struct AllowedMethods: Sendable {
  /// An address pattern with its methods.
  struct Entry: Sendable {
    fileprivate let segments: [Substring]
    /// The methods for the `Allow` field, sorted.
    let methods: [HTTPRequest.Method]
    /// The surface that determines how a refusal is presented.
    let surface: Route.Surface

    var allow: String { methods.map(\.rawValue).joined(separator: ", ") }

    fileprivate func matches(_ path: [Substring]) -> Bool {
      zip(segments, path).allSatisfy { $0.first == ":" || $0 == $1 }
    }

    /// The literal segments as a number: earlier ones weigh more.
    fileprivate var literalness: UInt64 {
      segments.reduce(0) { $0 << 1 | ($1.first == ":" ? 0 : 1) }
    }
  }

  private let entriesByLength: [Int: [Entry]]

  init(_ routes: [Route]) {
    let entries = Dictionary(grouping: routes, by: \.path).compactMap { path, routes -> Entry? in
      guard let surface = routes.first?.surface else { return nil }
      var methods = Set(routes.map(\.method))
      if methods.contains(.get) { methods.insert(.head) }
      return Entry(
        segments: path.split(separator: "/"),
        methods: methods.sorted { $0.rawValue < $1.rawValue }, surface: surface)
    }
    entriesByLength = Dictionary(grouping: entries) { $0.segments.count }
  }

  /// Returns the entry for an address; if several patterns match, the most literal one, like the
  /// router.
  func entry(at path: String) -> Entry? {
    let segments = path.split(separator: "/")
    return (entriesByLength[segments.count] ?? []).filter { $0.matches(segments) }
      .max { $0.literalness < $1.literalness }
  }
}
