// SPDX-License-Identifier: Apache-2.0

/// Leaves out values that no dose explains: half or twice the pulse, another unit, someone else's wrist.
struct Plausibility {
  /// The distance from the expected heart rate, in bpm, from which a value is an artefact.
  private static let limit = 40.0
  /// The days in a row with nothing but artefacts after which they are believed.
  private static let patience = 3

  private var days = 0

  /// Returns the values to use, and whether the level has to be found anew.
  mutating func checked(
    _ readings: [HeartRateReading], expected: Estimate
  ) -> (readings: [HeartRateReading], isNewLevel: Bool) {
    // Nothing is known yet.
    guard expected.variance < 25, !readings.isEmpty else { return (readings, false) }
    let close = readings.filter { abs($0.bpm - expected.value) <= Self.limit }
    if !close.isEmpty {
      days = 0
      return (close, false)
    }
    days += 1
    guard days > Self.patience else { return ([], false) }
    days = 0
    return (readings, true)
  }
}
