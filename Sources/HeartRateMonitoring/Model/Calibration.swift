// SPDX-License-Identifier: Apache-2.0

/// Corrects the filter's probability, which is overconfident about people unlike its assumptions.
///
/// Fitted by logistic regression on seed 2 of the training families of simulators; `regimen detect --evaluate`
/// shows how well it holds on other people.
enum Calibration {
  private static let slope = 0.869
  private static let offset = -0.007

  /// Returns the probability as it turned out among simulated people.
  static func calibrated(_ probability: Double) -> Double {
    let bounded = min(max(probability, 1e-6), 1 - 1e-6)
    let logit = Exponential.logarithm(bounded) - Exponential.logarithm(1 - bounded)
    return 1 / (1 + Exponential.of(-(slope * logit + offset)))
  }
}
