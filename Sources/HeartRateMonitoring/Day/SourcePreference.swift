// SPDX-License-Identifier: Apache-2.0

/// The source that may raise a person's warnings: the selected one, otherwise the one worn on most days of
/// the last weeks.
public struct SourcePreference: Sendable, Hashable {
  /// The maximum number of sources remembered; the one worn least is dropped.
  static let capacity = 4
  /// The daily factor by which a day loses weight: half is left after about a week.
  private static let fading = 0.9

  private struct Worn: Sendable, Hashable {
    var source: String
    var weight: Double
  }

  /// The source that the person selected.
  public let chosen: String?
  private var worn: [Worn] = []

  /// Creates a preference for one source, or for the one worn most.
  public init(chosen: String? = nil) { self.chosen = chosen }

  /// The source of warnings; nil until there is one.
  public var preferred: String? {
    if let chosen { return chosen }
    // The first one seen wins a tie, so that a new device must be worn more often.
    return worn.max { $0.weight < $1.weight }?.source
  }

  /// Adds one day's sources; `days` have passed since the last one.
  mutating func note(_ readings: [HeartRateReading], days: Int) {
    if chosen != nil || readings.isEmpty { return }
    var seen: [String] = []
    for reading in readings where !seen.contains(reading.source) {
      seen.append(reading.source)
      // A day with more sources than are remembered must not take long.
      if seen.count == Self.capacity { break }
    }
    // After two months, earlier days no longer count.
    for _ in 0..<min(max(days, 0), 60) {
      for index in worn.indices { worn[index].weight *= Self.fading }
    }
    for source in seen {
      if let index = worn.firstIndex(where: { $0.source == source }) {
        worn[index].weight += 1
      } else {
        if worn.count == Self.capacity,
          let least = worn.indices.min(by: { worn[$0].weight < worn[$1].weight })
        {
          worn.remove(at: least)
        }
        worn.append(Worn(source: source, weight: 1))
      }
    }
  }
}
