// SPDX-License-Identifier: Apache-2.0

/// The clock times of doses that are written without times; initially those of rule 12.
public struct ClockDefaults: Hashable, Sendable {
  /// The replaced lists, each used for as many doses a day as it has times.
  ///
  /// This is an array because the browser module has no room for hashing.
  private var own: [[ClockTime]] = []

  /// Creates the times of rule 12.
  public init() {}

  /// Sets the times for a number of doses a day; ignored unless there is one time for each dose.
  public mutating func set(_ times: [ClockTime], perDay count: Int) {
    guard count >= 1, times.count == count, Set(times).count == count else { return }
    own.removeAll { $0.count == count }
    own.append(times.sorted())
  }

  /// Returns the times for a number of doses a day; nil if it is not 1 to 24.
  public func times(perDay count: Int) -> [ClockTime]? {
    own.first { $0.count == count } ?? DefaultClockTimes.times(perDay: count)
  }

  /// The time of a dose taken once a day.
  public var once: ClockTime { own.first { $0.count == 1 }?.first ?? DefaultClockTimes.once }
}
