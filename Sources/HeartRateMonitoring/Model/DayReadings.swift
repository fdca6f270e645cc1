// SPDX-License-Identifier: Apache-2.0

/// The contributions of hours, weekdays and sources for one person, learned from days that look usual.
struct ReadingHabits {
  /// The hours of the day in eighths; the first two are asleep for most people.
  private static let bins = 8
  private static let most = 200.0
  /// The weights, in readings and days, of the assumption that hours and weekdays make no difference.
  private static let hourWeight = 6.0
  private static let weekdayWeight = 20.0

  private var binSums = [-3 * hourWeight, -3 * hourWeight, 0, 0, 0, 0, 0, 0]
  private var binCounts = [Double](repeating: hourWeight, count: bins)
  private var weekdaySums = [Double](repeating: 0, count: 7)
  private var weekdayCounts = [Double](repeating: weekdayWeight, count: 7)
  private var readingSquares = 9.0 * 12
  private var readingCount = 12.0
  private var sources = SourceOffsets()

  /// The learned variance of single readings around their part of the day.
  var readingVariance: Double { readingSquares / readingCount }

  /// Returns the contribution of an hour of the day.
  func addition(ofHour hour: Double) -> Double {
    let bin = Self.bin(hour)
    return binSums[bin] / binCounts[bin]
  }

  /// Returns the contribution of a weekday.
  func addition(ofDay day: Int) -> Double {
    let weekday = Self.weekday(day)
    return weekdaySums[weekday] / weekdayCounts[weekday]
  }

  /// Returns a reading without the contributions of hour, weekday and source.
  func corrected(_ reading: HeartRateReading, day: Int) -> Double {
    reading.bpm - addition(ofHour: reading.hour) - addition(ofDay: day)
      - sources.offset(of: reading.source).value
  }

  /// Returns the mean of corrected readings; 0 without any.
  func mean(of readings: [HeartRateReading], day: Int) -> Double {
    readings.reduce(0) { $0 + corrected($1, day: day) } / Double(max(readings.count, 1))
  }

  /// Returns the parts of a day as means of all sources.
  ///
  /// A value far from the day's median counts only as far as readings usually scatter.
  func parts(of readings: [HeartRateReading], day: Int) -> [PartMean] {
    var parts: [PartMean] = []
    let noise = readingVariance
    let bounds = Self.bounds(readings.map { corrected($0, day: day) }, noise)
    var begin = 0
    while begin < readings.count {
      let section = Self.part(readings[begin].hour)
      var precision = 0.0
      var sum = 0.0
      var hours = 0.0
      var shared = 0.0
      while begin < readings.count, Self.part(readings[begin].hour) == section {
        let reading = readings[begin]
        let offset = sources.offset(of: reading.source)
        let value = min(max(corrected(reading, day: day), bounds.low), bounds.high)
        let share = 1 / (noise + offset.variance)
        precision += share
        sum += share * value
        hours += share * reading.hour
        // The offset is shared by all of a source's readings.
        shared += share * offset.variance
        begin += 1
      }
      parts.append(
        PartMean(
          value: sum / precision, variance: (1 + 0.5 * shared) / precision,
          hour: hours / precision))
    }
    return parts
  }

  /// Learns from a day; `expected` is the heart rate with every dose taken, and `trust` the probability that
  /// every dose was taken and the person was well.
  mutating func learn(
    from readings: [HeartRateReading], day: Int, expected: Estimate,
    trust: Double
  ) {
    if readings.count == 1 {
      // One reading cannot be told from the day's own noise; the filter divides the difference.
      let away = corrected(readings[0], day: day) - expected.value
      readingSquares += trust * min(away * away + expected.variance, 9 * readingVariance)
      readingCount += trust
    } else {
      learnNoise(readings, day)
    }
    guard trust > 0.3 else { return }
    var sum = 0.0
    for reading in readings {
      let away = corrected(reading, day: day) - expected.value
      sum += away
      let bin = Self.bin(reading.hour)
      let weight = trust / (1 + expected.variance / readingVariance)
      // The difference is from the present estimate, so the estimate is added again.
      binSums[bin] += weight * (min(max(away, -12), 12) + addition(ofHour: reading.hour))
      binCounts[bin] += weight
      if binCounts[bin] > Self.most {
        binSums[bin] *= Self.most / binCounts[bin]
        binCounts[bin] = Self.most
      }
    }
    let weekday = Self.weekday(day)
    let mean = min(max(sum / Double(readings.count), -8), 8)
    weekdaySums[weekday] += trust * (mean + addition(ofDay: day))
    weekdayCounts[weekday] += trust
    if weekdayCounts[weekday] > 60 {
      weekdaySums[weekday] *= 60 / weekdayCounts[weekday]
      weekdayCounts[weekday] = 60
    }
  }

  /// Learns how far each source is off; before the day is processed, so that a new watch explains a change.
  mutating func compare(
    _ readings: [HeartRateReading], day: Int, expected: Estimate
  ) {
    var checked: [String] = []
    for reading in readings where !checked.contains(reading.source) {
      checked.append(reading.source)
      var sum = 0.0
      var count = 0.0
      for other in readings where other.source == reading.source {
        sum += corrected(other, day: day) - expected.value
        count += 1
      }
      sources.learn(
        reading.source, away: sum / count, variance: expected.variance + readingVariance / count)
    }
  }

  private mutating func learnNoise(_ readings: [HeartRateReading], _ day: Int) {
    guard readings.count > 1 else { return }
    var mean = 0.0
    for reading in readings { mean += corrected(reading, day: day) }
    mean /= Double(readings.count)
    let limit = 9 * readingVariance
    for reading in readings {
      let away = corrected(reading, day: day) - mean
      readingSquares += min(away * away, limit)
    }
    readingCount += Double(readings.count - 1)
    if readingCount > 400 {
      readingSquares *= 400 / readingCount
      readingCount = 400
    }
  }

  /// Returns the range within which values count as they are.
  private static func bounds(_ values: [Double], _ noise: Double) -> (low: Double, high: Double) {
    guard values.count > 2 else { return (-.infinity, .infinity) }
    let sorted = values.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let width = 2 * noise.squareRoot()
    return (median - width, median + width)
  }

  private static func bin(_ hour: Double) -> Int { min(max(Int(hour / 3), 0), bins - 1) }

  private static func weekday(_ day: Int) -> Int { ((day % 7) + 7) % 7 }

  /// Returns the part of the day of an hour; parts are split where the effect of a missed dose differs most.
  private static func part(_ hour: Double) -> Int {
    hour < 7 ? 0 : hour < 12 ? 1 : hour < 17 ? 2 : 3
  }
}
