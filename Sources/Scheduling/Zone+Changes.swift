// SPDX-License-Identifier: Apache-2.0

/// A change of a zone's UTC offset.
public struct ZoneChange: Hashable, Sendable {
  /// The first instant with the new offset.
  public let instant: Instant
  /// Seconds east of UTC before the change.
  public let before: Int
  /// Seconds east of UTC from the change on.
  public let after: Int
}

extension Zone {
  /// Returns the changes after an instant up to, but not including, another, in chronological order.
  public func changes(after from: Instant, until: Instant) -> [ZoneChange] {
    var changes: [ZoneChange] = []
    var current = span(at: from.supportedSeconds)
    let last = until.supportedSeconds
    while current.end < last {
      let next = span(at: current.end)
      if next.offset != current.offset {
        changes.append(
          ZoneChange(
            instant: Instant(milliseconds: current.end * 1000), before: Int(current.offset),
            after: Int(next.offset)))
      }
      if next.end <= current.end { break }
      current = next
    }
    return changes
  }
}
