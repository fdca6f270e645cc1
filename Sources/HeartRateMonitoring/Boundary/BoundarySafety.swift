// SPDX-License-Identifier: Apache-2.0

/// The records of the monitored doses of the last 48 hours.
public enum MonitoredDoses: Sendable, Hashable {
  /// Each dose is recorded as taken.
  case allTaken
  /// At least one dose is missed or has no record.
  case inDoubt
}

/// Keeps a moving limit from following the heart rate upwards when doses are missed.
///
/// A provider's limit never moves. A person's own limit falls freely, but rises at most 2 bpm in seven days
/// and 8 in total, and never while a monitored dose of the last 48 hours is unrecorded or missed. After three
/// "yes" answers in fourteen days it stops moving.
public struct BoundarySafety: Sendable, Hashable {
  /// The maximum rise in seven days, in bpm.
  public static let weekly = 2.0
  /// The maximum total rise, in bpm.
  public static let total = 8.0
  /// The number of "yes" answers, and of days, after which to see the provider.
  public static let yesLimit = (count: 3, days: 14)

  private struct Rise: Sendable, Hashable {
    var day: Int
    var by: Double
  }

  /// The maximum of the limit in bpm: 8 above the first one.
  private var ceiling: Double?
  private var rises: [Rise] = []
  private var yesDays: [Int] = []

  /// Creates the state before anything has risen.
  public init() {}

  /// True if it does not move until the person sees the provider.
  public private(set) var asksForProvider = false

  /// Returns the limit that replaces the current one, as close to the wanted one as is safe.
  public mutating func moved(
    _ boundary: Boundary, toward wish: Double, day: Int, doses: MonitoredDoses
  ) -> Boundary {
    guard boundary.owner == .own, !asksForProvider else { return boundary }
    let ceiling = self.ceiling ?? boundary.value + Self.total
    self.ceiling = ceiling
    if wish <= boundary.value { return Boundary(value: wish, owner: .own) }
    guard doses == .allTaken else { return boundary }
    rises.removeAll { $0.day <= day - 7 }
    let left = Self.weekly - rises.reduce(0) { $0 + $1.by }
    let rise = min(wish - boundary.value, left, ceiling - boundary.value)
    guard rise > 0 else { return boundary }
    rises.append(Rise(day: day, by: rise))
    return Boundary(value: boundary.value + rise, owner: .own)
  }

  /// Records the answer "yes, taken" to a warning.
  public mutating func noteYes(day: Int) {
    yesDays.removeAll { $0 <= day - Self.yesLimit.days }
    if !yesDays.contains(day) { yesDays.append(day) }
    if yesDays.count >= Self.yesLimit.count { asksForProvider = true }
  }

  /// Starts again, because the limit was set by hand or the provider was consulted.
  public mutating func reset() { self = BoundarySafety() }
}
