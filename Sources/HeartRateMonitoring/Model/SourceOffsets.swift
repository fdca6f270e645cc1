// SPDX-License-Identifier: Apache-2.0

/// The differences between a person's devices, in bpm.
///
/// The first source is the measure of the others. A new one may be off by some beats in either direction, so
/// its first days say little about doses until its offset is known.
struct SourceOffsets {
  /// The variance of a new device's offset.
  private static let unknown = 12.0

  private struct Source {
    var name: String
    var value: Double
    var variance: Double
    var used: Int
  }

  private var sources: [Source] = []
  private var clock = 0

  /// Returns the offset of a source and its variance.
  func offset(of source: String) -> (value: Double, variance: Double) {
    guard let known = sources.first(where: { $0.name == source }) else {
      return (0, sources.isEmpty ? 0 : Self.unknown)
    }
    return (known.value, known.variance)
  }

  /// Learns from a day's mean difference from the expected value.
  mutating func learn(_ source: String, away: Double, variance: Double) {
    clock += 1
    guard let index = sources.firstIndex(where: { $0.name == source }) else {
      add(source, away: away, variance: variance)
      return
    }
    sources[index].used = clock
    let old = sources[index].variance
    guard old > 0 else { return }
    let gain = old / (old + variance)
    sources[index].value += gain * min(max(away, -15), 15)
    sources[index].variance = max(old * (1 - gain), 0.05)
  }

  private mutating func add(_ name: String, away: Double, variance: Double) {
    if sources.isEmpty {
      sources.append(Source(name: name, value: 0, variance: 0, used: clock))
      return
    }
    if sources.count == SourcePreference.capacity,
      let oldest = sources.indices.min(by: { sources[$0].used < sources[$1].used })
    {
      sources.remove(at: oldest)
    }
    let gain = Self.unknown / (Self.unknown + variance)
    sources.append(
      Source(
        name: name, value: gain * min(max(away, -15), 15), variance: Self.unknown * (1 - gain),
        used: clock))
  }
}
