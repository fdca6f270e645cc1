// SPDX-License-Identifier: Apache-2.0

/// The size of the noise of one person's usual days.
struct DayNoise {
  /// The number of days that count; older ones fade.
  private static let memory = 150.0

  private var squares: Double
  private var count: Double

  init(_ priors: ModelPriors) {
    squares = priors.dayVariance * priors.dayWeight
    count = priors.dayWeight
  }

  /// The variance of a usual day's residual.
  var variance: Double { max(squares / count, 0.5) }

  /// Learns from the belief after a usual day, whose share among all kinds of days is its weight.
  mutating func learn(from usual: Belief, among others: Double) {
    let sum = usual.weight.sum()
    guard sum > 0 else { return }
    let trust = sum / (sum + others)
    let residuals = usual.residual * usual.residual + usual.residualVariance
    squares += trust * (usual.weight * residuals).sum() / sum
    count += trust
    if count > Self.memory {
      squares *= Self.memory / count
      count = Self.memory
    }
  }
}
