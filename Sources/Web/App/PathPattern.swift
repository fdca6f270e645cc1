// SPDX-License-Identifier: Apache-2.0

/// The path of a route in segments, of which those that begin with a colon match anything.
struct PathPattern: Sendable {
  private let segments: [Substring]

  init(_ path: String) {
    segments = path.split(separator: "/")
  }

  /// The number of segments.
  var count: Int { segments.count }

  /// The literal segments as a number: earlier ones weigh more.
  var literalness: UInt64 {
    segments.reduce(0) { $0 << 1 | ($1.first == ":" ? 0 : 1) }
  }

  /// Returns true if the segments of a path match.
  func matches(_ path: [Substring]) -> Bool {
    segments.count == path.count
      && zip(segments, path).allSatisfy { $0.first == ":" || $0 == $1 }
  }
}
