// SPDX-License-Identifier: Apache-2.0

/// The records of the monitored doses of the last 48 hours.
public enum MonitoredDoses: Sendable, Hashable {
  /// Each is recorded as taken.
  case allTaken
  /// One at least is missed, or nothing is recorded of it.
  case inDoubt
}

/// Keeps a moving limit from following the heart rate of missed doses upwards.
///
/// A limit that a provider set never moves. One's own falls freely, rises at most 2 bpm in seven days and 8 in all, and never while a
/// watched dose of the last 48 hours is unrecorded or missed. After three times "yes" in fourteen days it stands still.
public struct BoundarySafety: Sendable, Hashable {
  /// The most that it rises in seven days, in bpm.
  public static let weekly = 2.0
  /// The most that it rises in all, in bpm.
  public static let total = 8.0
  /// So many "yes" in so many days, and the provider is asked for.
  public static let yesLimit = (count: 3, days: 14)

  private struct Rise: Sendable, Hashable {
    var day: Int
    var by: Double
  }

  /// The highest that the limit may ever be: 8 over the first.
  private var ceiling: Double?
  private var rises: [Rise] = []
  private var yesDays: [Int] = []

  /// Creates the state before anything has risen.
  public init() {}

  /// True if it stands still until someone sees the provider.
  public private(set) var asksForProvider = false

  /// The limit in place of the present one, as near to the wish as is safe.
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

  /// Notes a "yes, taken" in answer to a warning.
  public mutating func noteYes(day: Int) {
    yesDays.removeAll { $0 <= day - Self.yesLimit.days }
    if !yesDays.contains(day) { yesDays.append(day) }
    if yesDays.count >= Self.yesLimit.count { asksForProvider = true }
  }

  /// The limit was set anew by hand, or the provider was seen: everything counts from here.
  public mutating func reset() { self = BoundarySafety() }
}
