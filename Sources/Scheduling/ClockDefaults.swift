// SPDX-License-Identifier: Apache-2.0

/// The clock times of doses that come without any; begins with those of rule 12.
public struct ClockDefaults: Hashable, Sendable {
  private var own: [Int: [ClockTime]] = [:]

  /// The times of rule 12.
  public init() {}

  /// Sets the times for so many doses a day; as many times as doses, or it changes nothing.
  public mutating func set(_ times: [ClockTime], perDay count: Int) {
    if count >= 1, Set(times).count == count { own[count] = times.sorted() }
  }

  /// The times for so many doses a day; nil for more than 24 and fewer than 1.
  public func times(perDay count: Int) -> [ClockTime]? {
    own[count] ?? DefaultClockTimes.times(perDay: count)
  }

  /// The time of one dose a day.
  public var once: ClockTime { own[1]?.first ?? DefaultClockTimes.once }
}
