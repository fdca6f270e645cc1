// SPDX-License-Identifier: Apache-2.0

/// What is known of one kind on one day from one source, and how a further measurement joins it.
///
/// In whatever order, how often and how late measurements come, the same ones make the same day; of
/// two for one day that were worked out at the same moment, the one that came later counts.
struct VitalDay: Sendable, Hashable {
  /// Thousandths; nil once the value was taken back.
  var value: Int64?
  var minimum: Int64?
  var count = 0
  var stamp: Int64
  var at: Int64
  var zoneOffset: Int
  var samples: DaySamples?

  /// A day of which nothing is known yet.
  init(_ first: VitalSample) {
    stamp = .min
    at = first.at
    zoneOffset = first.zoneOffset
    samples = first.metric.isSampled ? DaySamples() : nil
  }

  init(
    value: Int64?, minimum: Int64?, count: Int, stamp: Int64, at: Int64, zoneOffset: Int,
    samples: DaySamples?
  ) {
    self.value = value
    self.minimum = minimum
    self.count = count
    self.stamp = stamp
    self.at = at
    self.zoneOffset = zoneOffset
    self.samples = samples
  }

  /// Takes a measurement of this day in.
  mutating func add(_ sample: VitalSample, to counts: inout VitalCounts) {
    if samples != nil {
      addPart(sample, &counts)
    } else {
      addWhole(sample, &counts)
    }
  }

  private mutating func addPart(_ sample: VitalSample, _ counts: inout VitalCounts) {
    guard let thousandths = sample.thousandths else {
      counts.unchanged += 1
      return
    }
    let part = DaySamples.Sample(tenths: (thousandths + 50) / 100, motion: sample.motion)
    let second = sample.isDayTotal ? DaySamples.total : min(max(sample.second, 0), 86_399)
    switch samples?.add(part, at: second) {
    case .added: counts.stored += 1
    case .replaced: counts.replaced += 1
    case .unchanged, nil:
      counts.unchanged += 1
    }
    if (sample.at, sample.zoneOffset) > (at, zoneOffset) {
      at = sample.at
      zoneOffset = sample.zoneOffset
    }
    stamp = max(stamp, sample.stamp)
  }

  private mutating func addWhole(_ sample: VitalSample, _ counts: inout VitalCounts) {
    let isNew = stamp == .min
    guard sample.stamp >= stamp, isNew || sample.thousandths != value || sample.stamp > stamp else {
      counts.unchanged += 1
      return
    }
    if isNew || value == nil {
      counts.stored += 1
    } else if sample.thousandths == value {
      counts.unchanged += 1
    } else {
      counts.replaced += 1
    }
    value = sample.thousandths
    minimum = value
    count = value == nil ? 0 : 1
    stamp = sample.stamp
    at = sample.at
    zoneOffset = sample.zoneOffset
  }

  /// Works out the day's figures from its samples, once all have come that come now.
  mutating func fold() {
    guard let samples else { return }
    guard !samples.bySecond.isEmpty else {
      value = nil
      minimum = nil
      count = 0
      return
    }
    value = samples.sum
    minimum = samples.minimum
    count = samples.count
  }
}

/// What became of measurements.
package struct VitalCounts: Sendable, Hashable {
  package var stored = 0
  package var replaced = 0
  package var unchanged = 0

  package init() {}

  package mutating func add(_ other: VitalCounts) {
    stored += other.stored
    replaced += other.replaced
    unchanged += other.unchanged
  }
}
