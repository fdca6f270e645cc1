// SPDX-License-Identifier: Apache-2.0

import Storage

/// The interval for which a list is requested, at most 400 days long.
package struct QueryWindow: Sendable {
  /// The start, inclusive.
  package let from: Timestamp
  /// The end, exclusive.
  package let until: Timestamp

  /// The longest window, in milliseconds: 400 days.
  private static let longest: Int64 = 400 * 24 * 3_600_000

  /// Reads the query parameters `from` (inclusive) and `to` (exclusive); throws ``Failure`` 422
  /// unless both are instants in order.
  package init(_ call: Call) throws {
    from = try Self.instant("from", call)
    until = try Self.instant("to", call)
    guard from <= until else {
      throw Failure.unprocessable("value", "to must not be before from.")
    }
    guard until.milliseconds - from.milliseconds <= Self.longest else {
      throw Failure.unprocessable("too-costly", "from and to must be at most 400 days apart.")
    }
  }

  private static func instant(_ name: String, _ call: Call) throws -> Timestamp {
    guard let text = call.queryValue(name), let instant = InstantText.parse(text) else {
      throw Failure.unprocessable(
        "required", "\(name) must be a time with offset, such as 2026-03-01T00:00:00+01:00.")
    }
    return instant
  }
}
