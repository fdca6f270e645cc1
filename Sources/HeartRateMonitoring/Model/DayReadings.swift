// SPDX-License-Identifier: Apache-2.0

/// The contributions of hours and sources for one person, learned from days that look usual.
struct ReadingHabits {
  /// The difference of each part of the day from the afternoon.
  private var partSums: [Double] = [0, 0, 0]
  private var partCounts: [Double] = [8, 0, 8]
  private var readingSquares = 9.0 * 15
  private var readingCount = 15.0
  private var sources: [SourceOffset] = []

  /// A source other than the preferred one, compared with it.
  private struct SourceOffset {
    var name: String
    var sum = 0.0
    var count = 1.0
  }

  /// The learned variance of single readings around their part of the day.
  var readingVariance: Double { readingSquares / readingCount }

  /// Returns the contribution of a part of the day.
  func addition(of part: SamplingPeriod) -> Double {
    part == .afternoon ? 0 : partSums[part.rawValue] / partCounts[part.rawValue]
  }

  /// Returns the offset of a source and its uncertainty.
  func offset(of source: String) -> (value: Double, variance: Double) {
    guard let known = sources.first(where: { $0.name == source }) else { return (0, 9) }
    return (known.sum / known.count, 9 / known.count)
  }

  /// Returns the parts of a day as means, from the preferred source and, corrected by their offsets, the
  /// others.
  func parts(of readings: [HeartRateReading], preferred: String) -> [PartMean] {
    var parts: [PartMean] = []
    let variance = readingVariance
    var begin = 0
    while begin < readings.count {
      let part = SamplingPeriod(hour: readings[begin].hour)
      var precision = 0.0
      var sum = 0.0
      var hours = 0.0
      while begin < readings.count, SamplingPeriod(hour: readings[begin].hour) == part {
        let reading = readings[begin]
        var value = reading.bpm
        var share = 1 / variance
        if reading.source != preferred {
          let offset = offset(of: reading.source)
          value -= offset.value
          // The offset is shared by all of its readings, and some devices measure less accurately.
          share = 1 / (variance * 1.5 + offset.variance * 2)
        }
        precision += share
        sum += share * value
        hours += share * reading.hour
        begin += 1
      }
      parts.append(
        PartMean(
          value: sum / precision - addition(of: part), variance: 1 / precision,
          hour: hours / precision))
    }
    return parts
  }

  /// Learns from a day; `trust` is the probability that every dose was taken and the person was not ill.
  mutating func learn(from readings: [HeartRateReading], preferred: String, trust: Double) {
    var sums = [0.0, 0, 0]
    var squares = [0.0, 0, 0]
    var counts = [0.0, 0, 0]
    for reading in readings where reading.source == preferred {
      let part = SamplingPeriod(hour: reading.hour).rawValue
      sums[part] += reading.bpm
      squares[part] += reading.bpm * reading.bpm
      counts[part] += 1
    }
    for part in 0..<3 where counts[part] > 1 {
      readingSquares += max(0, squares[part] - sums[part] * sums[part] / counts[part])
      readingCount += counts[part] - 1
    }
    if readingCount > 400 {
      readingSquares *= 400 / readingCount
      readingCount = 400
    }
    if trust > 0.5 { learnParts(sums, counts, trust) }
    learnSources(readings, preferred, sums, counts)
  }

  private mutating func learnParts(_ sums: [Double], _ counts: [Double], _ trust: Double) {
    guard counts[1] > 0 else { return }
    for part in [0, 2] where counts[part] > 0 {
      // Two means of few readings say less than two of many.
      let weight = trust * 2 / (1 / counts[1] + 1 / counts[part])
      partSums[part] += weight * (sums[part] / counts[part] - sums[1] / counts[1])
      partCounts[part] += weight
      if partCounts[part] > 200 {
        partSums[part] *= 200 / partCounts[part]
        partCounts[part] = 200
      }
    }
  }

  private mutating func learnSources(
    _ readings: [HeartRateReading], _ preferred: String, _ sums: [Double], _ counts: [Double]
  ) {
    let count = counts[0] + counts[1] + counts[2]
    guard count > 0 else { return }
    var mean = 0.0
    for part in SamplingPeriod.allCases where counts[part.rawValue] > 0 {
      mean += sums[part.rawValue] - counts[part.rawValue] * addition(of: part)
    }
    mean /= count
    for reading in readings where reading.source != preferred {
      let away = reading.bpm - addition(of: SamplingPeriod(hour: reading.hour)) - mean
      if let index = sources.firstIndex(where: { $0.name == reading.source }) {
        sources[index].sum += away
        sources[index].count += 1
        if sources[index].count > 100 {
          sources[index].sum *= 100 / sources[index].count
          sources[index].count = 100
        }
      } else if sources.count < SourcePreference.capacity {
        sources.append(SourceOffset(name: reading.source, sum: away, count: 2))
      }
    }
  }
}
