// SPDX-License-Identifier: Apache-2.0

/// A check for a watch that seems to be left at home or locked on the wrist: the person moves, but nothing is
/// measured.
public struct WearCheck: Sendable, Hashable {
  /// Steps counted in one part of the day, as reported by a phone.
  public struct Movement: Sendable, Hashable {
    /// The second of the day on the person's clock.
    public var second: Int
    /// The number of steps.
    public var steps: Double

    /// Creates steps at a time.
    public init(second: Int, steps: Double) {
      self.second = second
      self.steps = steps
    }
  }

  /// The next action.
  public enum Outcome: Sendable, Hashable {
    /// Do nothing, as far as is known.
    case quiet
    /// Check again at the given second of the day, because it is too early to tell.
    case lookAgain(second: Int)
    /// Send a gentle notice about the watch.
    case notice
  }

  /// The hours in which people are awake.
  public static let awake = 7..<22
  /// The time after the day's first movement without a notice, in seconds: people put on the watch after they
  /// get up.
  public static let afterFirstMovement = 30 * 60
  /// The seconds without a heart rate that count as silence.
  public static let silence = 3_600
  /// The minimum number of steps in an hour; fewer come from a phone carried across a room.
  static let leastSteps = 50.0

  /// Today's steps, in any order.
  public var movements: [Movement]
  /// The second of the day of the last heart rate measurement today.
  public var lastHeartRate: Int?
  /// True if there is a resting heart rate for today.
  public var hasResting: Bool
  /// True if the heart rate was measured on one of the last days; people who do not wear a watch are not
  /// asked.
  public var isUsuallyMeasured: Bool

  /// Creates a check from the facts of today.
  public init(
    movements: [Movement], lastHeartRate: Int?, hasResting: Bool, isUsuallyMeasured: Bool
  ) {
    self.movements = movements
    self.lastHeartRate = lastHeartRate
    self.hasResting = hasResting
    self.isUsuallyMeasured = isUsuallyMeasured
  }

  /// Returns the action at a second of the day.
  public func outcome(at now: Int) -> Outcome {
    let counted = movements.filter { $0.second <= now && $0.steps > 0 }
    guard !hasResting, isUsuallyMeasured, let first = counted.map(\.second).min() else {
      return .quiet
    }
    let isAwake = Self.awake.contains(now / 3_600)
    guard isAwake else {
      return now < Self.awake.lowerBound * 3_600
        ? .lookAgain(second: Self.awake.lowerBound * 3_600) : .quiet
    }
    guard now >= first + Self.afterFirstMovement else {
      return .lookAgain(second: first + Self.afterFirstMovement)
    }
    if let lastHeartRate, now < lastHeartRate + Self.silence {
      return .lookAgain(second: lastHeartRate + Self.silence)
    }
    let lately = counted.filter { $0.second > now - 3_600 }.reduce(0) { $0 + $1.steps }
    return lately >= Self.leastSteps ? .notice : .quiet
  }
}
