// SPDX-License-Identifier: Apache-2.0

import Storage

/// Detects that the wall clock was set back, by comparing it with a monotonic clock.
struct ClockMonitor: Sendable {
  private var last: (wall: Timestamp, uptime: UInt64)?

  /// Smaller steps are normal clock adjustment.
  private static let smallestStep: Int64 = 1_000

  /// Returns the milliseconds by which the wall clock was set back since the last check; nil if it
  /// was not.
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
