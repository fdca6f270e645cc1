// SPDX-License-Identifier: Apache-2.0

/// The periods in which a dose counts as on time and then late, before it counts as missed.
public struct DoseWindow: Hashable, Sendable {
  /// The maximum distance from the due time, before or after, for an intake to be on time, in milliseconds.
  public let onTimeMilliseconds: Int64
  /// The time after the due time until which an intake is late rather than missed, in milliseconds.
  public let lateMilliseconds: Int64

  /// Creates the window for an interval between doses, in milliseconds.
  ///
  /// On time: 60 minutes or a quarter of the interval, whichever is less. Late: half the interval, but at least 30
  /// minutes and at most 12 hours.
  public init(intervalMilliseconds: Int64) {
    let interval = max(0, intervalMilliseconds)
    onTimeMilliseconds = min(60 * Self.minute, interval / 4)
    lateMilliseconds = min(max(interval / 2, 30 * Self.minute), 720 * Self.minute)
  }

  /// Returns the window of a dose between its neighbours in the same plan.
  ///
  /// The interval is the time to the next dose, or since the previous one for the last dose, or 24 hours for a single
  /// dose.
  public static func between(due: Instant, next: Instant?, previous: Instant?) -> DoseWindow {
    let interval =
      next?.milliseconds(since: due) ?? previous.map { due.milliseconds(since: $0) }
      ?? 1440 * minute
    return DoseWindow(intervalMilliseconds: interval)
  }

  /// Returns the first instant that is on time.
  public func onTimeFrom(_ due: Instant) -> Instant {
    due.adding(milliseconds: -onTimeMilliseconds)
  }

  /// Returns the last instant that is on time.
  public func onTimeUntil(_ due: Instant) -> Instant {
    due.adding(milliseconds: onTimeMilliseconds)
  }

  /// Returns the last instant that is late; after it, the dose is missed.
  public func lateUntil(_ due: Instant) -> Instant { due.adding(milliseconds: lateMilliseconds) }

  private static let minute: Int64 = 60_000
}
