// SPDX-License-Identifier: Apache-2.0

/// The measurements of one kind on one day from one source.
///
/// The same measurements give the same day, in any order, however often and late they arrive. Of two values
/// computed at the same moment, the later arrival counts. Deleted measurements stay deleted, whether they
/// come before or after.
struct VitalDay: Sendable, Hashable {
  /// The value in thousandths; nil once it was withdrawn.
  private(set) var value: Int64?
  private(set) var minimum: Int64?
  private(set) var count = 0
  private(set) var stamp: Int64
  var at: Int64
  private(set) var zoneOffset: Int
  /// The samples of a sampled kind; nil for a daily value.
  var samples: DaySamples?
  /// The values received for a daily kind, the latest last.
  var revisions: [VitalRevision] = []
  var withdrawn = WithdrawnSamples()

  /// Creates a day without measurements.
  init(_ first: VitalSample) {
    stamp = .min
    at = first.at
    zoneOffset = first.zoneOffset
    samples = first.metric.isSampled ? DaySamples() : nil
  }

  /// Creates a stored day; one without revisions has only a single value.
  init(
    value: Int64?, minimum: Int64?, count: Int, stamp: Int64, at: Int64, zoneOffset: Int,
    samples: DaySamples?, revisions: [VitalRevision]?, withdrawn: WithdrawnSamples
  ) {
    self.value = value
    self.minimum = minimum
    self.count = count
    self.stamp = stamp
    self.at = at
    self.zoneOffset = zoneOffset
    self.samples = samples
    self.withdrawn = withdrawn
    guard samples == nil else { return }
    self.revisions =
      revisions ?? [VitalRevision(stamp: stamp, value: value, at: at, zoneOffset: zoneOffset)]
  }

  /// Adds a measurement of this day, unless it was deleted.
  mutating func add(_ sample: VitalSample, to counts: inout VitalCounts) {
    guard !holds(sample) else {
      counts.unchanged += 1
      return
    }
    bring(sample, to: &counts)
  }

  /// Adds a measurement, even if it was deleted.
  mutating func bring(_ sample: VitalSample, to counts: inout VitalCounts) {
    if samples != nil {
      addPart(sample, &counts)
    } else {
      addWhole(sample, &counts)
    }
  }

  private mutating func addPart(_ sample: VitalSample, _ counts: inout VitalCounts) {
    guard let tenths = sample.tenths else {
      counts.unchanged += 1
      return
    }
    let part = DaySamples.Sample(tenths: tenths, motion: sample.motion)
    switch samples?.add(part, at: sample.secondOrTotal) {
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
    let before = revisions.last
    if let before, before.stamp == sample.stamp, before.value == sample.thousandths {
      counts.unchanged += 1
      return
    }
    revisions.keep(VitalRevision(sample))
    if let before, before.stamp > sample.stamp {
      counts.unchanged += 1
    } else if before?.value == nil {
      counts.stored += 1
    } else if before?.value == sample.thousandths {
      counts.unchanged += 1
    } else {
      counts.replaced += 1
    }
    settle()
  }

  /// Uses the value that was computed last.
  mutating func settle() {
    guard samples == nil else { return }
    value = revisions.last?.value
    minimum = value
    count = value == nil ? 0 : 1
    guard let last = revisions.last else { return }
    stamp = last.stamp
    at = last.at
    zoneOffset = last.zoneOffset
  }

  /// Calculates the day's values from its samples, once all samples of a batch were added.
  mutating func fold() {
    guard let samples else { return }
    guard !samples.bySecond.isEmpty else {
      value = nil
      minimum = nil
      count = 0
      return
    }
    let statistics = samples.statistics
    value = statistics.sum
    minimum = statistics.minimum
    count = statistics.count
  }
}

extension VitalSample {
  /// The key of the measurement among the samples of its day.
  var secondOrTotal: Int { isDayTotal ? DaySamples.total : min(max(second, 0), 86_399) }

  /// The value in tenths, as samples store it.
  var tenths: Int64? { thousandths.map { ($0 + 50) / 100 } }
}

/// The number of measurements stored, replaced and unchanged.
package struct VitalCounts: Sendable, Hashable {
  /// Measurements that were new.
  package var stored = 0
  /// Measurements that replaced an earlier value.
  package var replaced = 0
  /// Measurements that changed nothing.
  package var unchanged = 0

  /// Creates counts of zero.
  package init() {}

  /// Adds the counts of another batch.
  package mutating func add(_ other: VitalCounts) {
    stored += other.stored
    replaced += other.replaced
    unchanged += other.unchanged
  }
}
