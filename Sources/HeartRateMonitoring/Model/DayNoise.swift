// SPDX-License-Identifier: Apache-2.0

/// The noise of one person's usual days: its size, and how much of it lasts to the next day.
struct DayNoise {
  private static let memory = 150.0

  private var squares: Double
  private var count: Double
  private var products: Double
  private var productCount: Double
  private var last: Double?

  init(_ priors: ModelPriors) {
    squares = priors.dayVariance * priors.dayWeight
    count = priors.dayWeight
    products = priors.keep * priors.dayVariance * priors.keepWeight
    productCount = priors.keepWeight
  }

  /// The variance of a day's residual.
  var variance: Double { max(squares / count, 0.5) }

  /// The share of the residual that lasts to the next day.
  var keep: Double { min(max(products / productCount / variance, 0), 0.8) }

  /// The variance of the day's own contribution.
  var innovation: Double { (1 - keep * keep) * variance }

  /// Learns from the belief after a usual day, whose share among all kinds of days is its weight.
  mutating func learn(from usual: Belief, among others: Double) {
    let sum = usual.weight.sum()
    guard sum > 0 else { return }
    let trust = sum / (sum + others)
    let residuals = usual.residual * usual.residual + usual.residualVariance
    squares += trust * (usual.weight * residuals).sum() / sum
    count += trust
    let now = usual.residual[0]
    if let last {
      products += trust * now * last
      productCount += trust
    }
    last = trust > 0.5 ? now : nil
    if count > Self.memory {
      squares *= Self.memory / count
      count = Self.memory
    }
    if productCount > Self.memory {
      products *= Self.memory / productCount
      productCount = Self.memory
    }
  }

  /// Forgets the last day, because the next one is not the following day.
  mutating func pause() { last = nil }
}
