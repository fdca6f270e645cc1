// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring

/// Days of one person, for tests.
enum HeartDays {
  /// Returns a day with one reading an hour in the afternoon, which differs by a beat or two from day to day
  /// without randomness.
  static func day(
    _ number: Int, bpm: Double, source: String = "watch", dose: Double = 1, steps: Int? = 6000
  ) -> PatientDay {
    let wobble = [0.0, 1, -1, 2, 0, -2, 1, -1][((number % 8) + 8) % 8]
    let readings = (0..<5).map { index in
      HeartRateReading(
        hour: 10 + Double(index) * 2, bpm: bpm + wobble + Double(index % 2), source: source)
    }
    return PatientDay(
      day: number, agent: .bisoprolol, slot: .morning, dose: dose, readings: readings, steps: steps)
  }

  /// Judges usual days up to a given one.
  static func settle(
    _ detector: inout any HeartDetector, days: Range<Int> = 0..<40, bpm: Double = 60
  ) throws -> [HeartVerdict] {
    var verdicts: [HeartVerdict] = []
    for number in days { verdicts.append(try detector.judge(day(number, bpm: bpm))) }
    return verdicts
  }

  /// One detector of each method, as a person gets it.
  static var detectors: [any HeartDetector] {
    [
      BoundaryRule(.fixed, budget: 0.5), BoundaryRule(.dynamic, budget: 0.5),
      HeartModel(budget: 0.5),
    ]
  }
}
