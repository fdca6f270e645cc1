// SPDX-License-Identifier: Apache-2.0

/// The warning threshold of each method for a budget of false alert days in a month of thirty days.
///
/// Measured on simulated people by `python3 Benchmarks/heart/thresholds.py`: on seed 1 of every variant of the
/// first simulator and, for the model, on seed 2 of the training families too. A cohort of real people will
/// differ. Between the budgets, the threshold is interpolated linearly over the budget's logarithm.
enum DetectorThresholds {
  /// A threshold curve, from the largest budget to the smallest.
  typealias Curve = [(budget: Double, limit: Double)]

  private static let models: Curve = [
    (4, 0.01498), (2, 0.05702), (1, 0.1443), (0.5, 0.2848), (0.25, 0.4795), (0.125, 0.6736),
  ]
  private static let boundaries: Curve = [
    (4, 2.891), (2, 5.047), (1, 6.875), (0.5, 8.75), (0.25, 10.44), (0.125, 12.22),
  ]
  private static let dynamics: Curve = [
    (4, 4.062), (2, 5.562), (1, 6.734), (0.5, 8.094), (0.25, 9.594), (0.125, 11.09),
  ]

  /// The worth from which the model warns.
  static func model(budget: Double) -> Double { min(max(at(budget, models), 0.001), 0.999) }

  /// The distance of a fixed boundary above the average, in bpm.
  static func boundary(budget: Double) -> Double { max(at(budget, boundaries), 0) }

  /// The distance of a moving boundary above the average, in bpm.
  static func dynamic(budget: Double) -> Double { max(at(budget, dynamics), 0) }

  /// Returns the threshold of a budget; beyond the measured budgets the outermost line is extended.
  private static func at(_ budget: Double, _ curve: Curve) -> Double {
    let wanted = Exponential.logarithm(budget)
    var line = (curve[0], curve[1])
    for (upper, lower) in zip(curve, curve.dropFirst()) where budget <= upper.budget {
      line = (upper, lower)
    }
    let (from, to) = (Exponential.logarithm(line.0.budget), Exponential.logarithm(line.1.budget))
    return line.0.limit + (line.1.limit - line.0.limit) * (wanted - from) / (to - from)
  }
}
