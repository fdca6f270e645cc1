// SPDX-License-Identifier: Apache-2.0

/// The source that a person's warnings may come from: the chosen one, else the one that was worn on
/// most days of the last weeks.
public struct SourcePreference: Sendable, Hashable {
  /// Sources remembered at most; the one worn least gives way.
  static let capacity = 4
  /// By what a day loses weight with each later one: half is left after about a week.
  private static let fading = 0.9

  private struct Worn: Sendable, Hashable {
    var source: String
    var weight: Double
  }

  /// The one chosen by the person.
  public let chosen: String?
  private var worn: [Worn] = []

  /// A preference of one source, or of what is worn most.
  public init(chosen: String? = nil) { self.chosen = chosen }

  /// The source that warnings come from, once there is any.
  public var preferred: String? {
    if let chosen { return chosen }
    // The first seen wins a tie, so that a new device must show itself more often.
    return worn.max { $0.weight < $1.weight }?.source
  }

  /// Takes in one day's sources; `days` have passed since the last one.
  mutating func note(_ readings: [HeartRateReading], days: Int) {
    if chosen != nil || readings.isEmpty { return }
    var seen: [String] = []
    for reading in readings where !seen.contains(reading.source) {
      seen.append(reading.source)
      // A day from more sources than are remembered must not take long.
      if seen.count == Self.capacity { break }
    }
    // Two months away, nothing of the old days counts.
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
