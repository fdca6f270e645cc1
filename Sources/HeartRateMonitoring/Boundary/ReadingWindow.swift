// SPDX-License-Identifier: Apache-2.0

/// The readings of a day that the boundary uses.
public struct ReadingWindow: Sendable, Hashable {
  /// The hour at which it begins.
  public let begin: Double
  /// The hour before which it ends.
  public let end: Double

  /// The afternoon, when a morning dose has its full effect and days are most alike.
  public static let afternoon = ReadingWindow(begin: 14, end: 20)

  /// The minimum time between two readings that count separately, in hours.
  static let apart = 10.0 / 60

  /// Creates a window; nil if it has no length or leaves the day.
  public init?(from begin: Double, to end: Double) {
    guard begin >= 0, end <= 24, begin < end else { return nil }
    self.init(begin: begin, end: end)
  }

  /// Creates a window of one hour, such as 15 for 15:00 to 16:00.
  public init?(hour: Int) {
    guard (0..<24).contains(hour) else { return nil }
    self.init(begin: Double(hour), end: Double(hour + 1))
  }

  private init(begin: Double, end: Double) {
    self.begin = begin
    self.end = end
  }

  /// Returns the readings that count, in order: valid, from the source, within the window, and at least ten
  /// minutes after the previous one.
  func counted(_ sorted: [HeartRateReading], source: String) -> [HeartRateReading] {
    var counted: [HeartRateReading] = []
    for reading in sorted
    where reading.source == source && reading.hour >= begin && reading.hour < end {
      if let last = counted.last, reading.hour - last.hour < Self.apart - 1e-9 { continue }
      counted.append(reading)
    }
    return counted
  }
}
