// SPDX-License-Identifier: Apache-2.0

import Storage

/// Notices when the wall clock was set back, by a clock that cannot be set.
struct ClockMonitor: Sendable {
  private var last: (wall: Timestamp, uptime: UInt64)?

  /// Smaller steps are the clock being kept in time.
  private static let smallestStep: Int64 = 1_000

  /// By how many milliseconds the wall clock was set back since the last look; nil where it was not.
  mutating func stepBack(wall: Timestamp, uptime: UInt64) -> Int64? {
    defer { last = (wall, uptime) }
    guard let last else { return nil }
    let elapsed = Int64(clamping: (uptime &- last.uptime) / 1_000_000)
    let expected = last.wall.adding(milliseconds: elapsed)
    let step = expected.milliseconds.subtractingReportingOverflow(wall.milliseconds)
    guard !step.overflow, step.partialValue >= Self.smallestStep else { return nil }
    return step.partialValue
  }
}
