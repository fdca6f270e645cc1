// SPDX-License-Identifier: Apache-2.0

/// Measurements grouped by day, so that each day is read and written once.
package struct VitalBatch: Sendable {
  /// The days in order of first occurrence.
  private var days: [(key: VitalDayKey, samples: [VitalSample])] = []
  private var places: [VitalDayKey: Int] = [:]
  /// The index of the last sample's day, which the next sample usually shares.
  private var last = 0
  /// The number of samples.
  package private(set) var count = 0

  /// Creates an empty batch.
  package init() {}

  /// Creates a batch of samples.
  package init(_ samples: [VitalSample]) {
    for sample in samples { add(sample) }
  }

  /// True if there are no samples.
  package var isEmpty: Bool { days.isEmpty }
  /// The number of days, each of one kind from one source.
  package var dayCount: Int { days.count }

  /// Adds a sample to its day.
  package mutating func add(_ sample: VitalSample) {
    count += 1
    if last < days.count, days[last].key.holds(sample) {
      days[last].samples.append(sample)
      return
    }
    let key = VitalDayKey(metric: sample.metric, day: sample.day, source: sample.source)
    if let place = places[key] {
      last = place
      days[place].samples.append(sample)
    } else {
      last = days.count
      places[key] = last
      days.append((key, [sample]))
    }
  }

  private mutating func add(_ samples: [VitalSample], of key: VitalDayKey) {
    places[key] = days.count
    days.append((key, samples))
    count += samples.count
  }

  /// Splits the batch into parts for one transaction each, so that no one waits long: at most
  /// `most` samples and 100 days, but at least one day.
  package func parts(samples most: Int) -> [VitalBatch] {
    var parts: [VitalBatch] = []
    var part = VitalBatch()
    for (key, samples) in sorted {
      if part.count > 0, part.count + samples.count > most || part.dayCount >= 100 {
        parts.append(part)
        part = VitalBatch()
      }
      part.add(samples, of: key)
    }
    if !part.isEmpty { parts.append(part) }
    return parts
  }

  /// The days in an order that is the same on every run.
  var sorted: [(key: VitalDayKey, value: [VitalSample])] {
    days.map { (key: $0.key, value: $0.samples) }.sorted {
      ($0.key.metric.rawValue, $0.key.day, $0.key.source)
        < ($1.key.metric.rawValue, $1.key.day, $1.key.source)
    }
  }
}
