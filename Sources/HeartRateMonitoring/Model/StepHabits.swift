// SPDX-License-Identifier: Apache-2.0

/// A person's usual steps, and what fewer of them say about illness.
struct StepHabits {
  private var mean = 8.5
  private var squares = 0.16 * 8
  private var count = 0.0

  /// The usual number of steps, once some days are known.
  var usual: Double? { count < 5 ? nil : Exponential.of(mean) }

  /// How much likelier this many steps are when ill.
  func illnessOdds(_ steps: Int?) -> Double {
    guard let away = away(steps), count >= 5 else { return 1 }
    let usualVariance = squares / (count + 8)
    // Ill, people walk about half, and differ more.
    let illVariance = usualVariance + 0.12
    let ill = away + 0.6
    let odds = Exponential.of(
      (away * away / usualVariance - ill * ill / illVariance) * 0.5)
    return min(max(odds * (usualVariance / illVariance).squareRoot(), 0.2), 8)
  }

  /// Learns from a day on which the person was well with a probability.
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

  /// Steps of a day beside the usual ones, as a logarithm; hardly any means that they were not counted.
  private func away(_ steps: Int?) -> Double? {
    guard let steps, steps >= 50 else { return nil }
    return Exponential.logarithm(Double(steps)) - mean
  }
}
