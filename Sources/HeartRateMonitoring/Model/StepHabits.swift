// SPDX-License-Identifier: Apache-2.0

/// A person's usual steps, and the relation of fewer steps to illness.
struct StepHabits {
  private var mean = 8.5
  private var squares = 0.16 * 8
  private var count = 0.0

  /// The usual number of steps; nil until five days are known.
  var usual: Double? { count < 5 ? nil : Exponential.of(mean) }

  /// Returns how much likelier a number of steps is when ill.
  func illnessOdds(_ steps: Int?) -> Double {
    guard let away = away(steps), count >= 5 else { return 1 }
    let usualVariance = squares / (count + 8)
    // Ill people walk about half as much, with more variation.
    let illVariance = usualVariance + 0.12
    let ill = away + 0.6
    let odds = Exponential.of(
      (away * away / usualVariance - ill * ill / illVariance) * 0.5)
    return min(max(odds * (usualVariance / illVariance).squareRoot(), 0.2), 8)
  }

  /// Learns from a day on which the person was well with a given probability.
  mutating func learn(_ steps: Int?, well: Double) {
    guard let steps, steps >= 50 else { return }
    let logarithm = Exponential.logarithm(Double(steps))
    let away = logarithm - mean
    let weight = well * (count < 1 ? 1 : 1 / min(count + 1, 60))
    mean += weight * away
    if count >= 1 { squares += well * min(away * away, 1.5) }
    count += well
    if count > 100 {
      squares *= 108 / (count + 8)
      count = 100
    }
  }

  /// Returns the logarithm of a day's steps relative to the usual ones; nil for hardly any, which means that
  /// they were not counted.
  private func away(_ steps: Int?) -> Double? {
    guard let steps, steps >= 50 else { return nil }
    return Exponential.logarithm(Double(steps)) - mean
  }
}
