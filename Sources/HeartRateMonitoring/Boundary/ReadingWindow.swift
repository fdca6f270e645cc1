// SPDX-License-Identifier: Apache-2.0

/// The readings of a day that the boundary uses.
public struct ReadingWindow: Sendable, Hashable {
  /// The hour with which it begins.
  public let begin: Double
  /// The hour before which it ends.
  public let end: Double

  /// The afternoon, when a dose of the morning acts fully and rest is like that of other days.
  public static let afternoon = ReadingWindow(begin: 14, end: 20)

  /// How far readings must lie apart to count as two, in hours.
  static let apart = 10.0 / 60

  /// A window of the day; `nil` where it has no length or leaves the day.
  public init?(from begin: Double, to end: Double) {
    guard begin >= 0, end <= 24, begin < end else { return nil }
    self.init(begin: begin, end: end)
  }

  /// One fixed hour of the day, such as 15 for 15:00 to 16:00.
  public init?(hour: Int) {
    guard (0..<24).contains(hour) else { return nil }
    self.init(begin: Double(hour), end: Double(hour + 1))
  }

  private init(begin: Double, end: Double) {
    self.begin = begin
    self.end = end
  }

  /// The readings that count, in order: valid, of the source, within the window, at least ten minutes after the one before.
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
