// SPDX-License-Identifier: Apache-2.0

/// The clock times of doses that come without any; begins with those of rule 12.
public struct ClockDefaults: Hashable, Sendable {
  /// Each for as many doses a day as it has times; a list, since the browser's module has no room for hashing.
  private var own: [[ClockTime]] = []

  /// The times of rule 12.
  public init() {}

  /// Sets the times for so many doses a day; as many times as doses, or it changes nothing.
  public mutating func set(_ times: [ClockTime], perDay count: Int) {
    guard count >= 1, times.count == count, Set(times).count == count else { return }
    own.removeAll { $0.count == count }
    own.append(times.sorted())
  }

  /// The times for so many doses a day; nil for more than 24 and fewer than 1.
  public func times(perDay count: Int) -> [ClockTime]? {
    own.first { $0.count == count } ?? DefaultClockTimes.times(perDay: count)
  }

  /// The time of one dose a day.
  public var once: ClockTime { own.first { $0.count == 1 }?.first ?? DefaultClockTimes.once }
}
