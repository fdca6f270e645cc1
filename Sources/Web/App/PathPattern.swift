// SPDX-License-Identifier: Apache-2.0

/// The path of a route, split into segments; a segment that begins with a colon matches anything.
struct PathPattern: Sendable {
  private let segments: [Substring]

  init(_ path: String) {
    segments = path.split(separator: "/")
  }

  /// The number of segments.
  var count: Int { segments.count }

  /// A number that ranks patterns by their literal segments; earlier segments weigh more.
  var literalness: UInt64 {
    segments.reduce(0) { $0 << 1 | ($1.first == ":" ? 0 : 1) }
  }

  /// Returns true if the segments of a path match.
  func matches(_ path: [Substring]) -> Bool {
    segments.count == path.count
      && zip(segments, path).allSatisfy { $0.first == ":" || $0 == $1 }
  }
}
