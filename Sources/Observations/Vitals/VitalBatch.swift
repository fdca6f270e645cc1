// SPDX-License-Identifier: Apache-2.0

/// Measurements gathered by day, so that each day is read and written once.
package struct VitalBatch: Sendable {
  /// In the order in which each day came first.
  private var days: [(key: VitalDayKey, samples: [VitalSample])] = []
  private var places: [VitalDayKey: Int] = [:]
  /// Where the last sample went: the next one is mostly of the same day.
  private var last = 0
  /// Samples in it.
  package private(set) var count = 0

  package init() {}

  package init(_ samples: [VitalSample]) {
    for sample in samples { add(sample) }
  }

  package var isEmpty: Bool { days.isEmpty }
  package var dayCount: Int { days.count }

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

  /// The days in parts of so many samples at most, but of one day at least: what goes into one
  /// transaction, so that nobody waits for it.
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

  /// In an order that is the same on every run.
  var sorted: [(key: VitalDayKey, value: [VitalSample])] {
    days.map { (key: $0.key, value: $0.samples) }.sorted {
      ($0.key.metric.rawValue, $0.key.day, $0.key.source)
        < ($1.key.metric.rawValue, $1.key.day, $1.key.source)
    }
  }
}
