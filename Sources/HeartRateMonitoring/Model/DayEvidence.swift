// SPDX-License-Identifier: Apache-2.0

/// The mean of a part of the day, corrected for hour, weekday and source.
struct PartMean {
  var value: Double
  var variance: Double
  var hour: Double
}

/// A value with its variance.
struct Estimate {
  var value: Double
  var variance: Double
}

/// The belief after a day's measurements, assuming one kind of day.
struct Branch {
  var belief: Belief
  /// Twice the negative logarithm of the likelihood, without the normalisation, which is `spread`.
  var misfit: ByGap = .zero
  var spread = ByGap(repeating: 1)

  init(_ belief: Belief) { self.belief = belief }

  /// Processes the parts of a day one after another.
  ///
  /// `losses` are shares of the effect. `passing` is a contribution that ends with the day, as after alcohol;
  /// its variance is spread over the parts.
  @inline(__always)
  mutating func take(
    _ parts: [PartMean], losses: [ByGap], doubt: Double,
    passing: (mean: Double, variance: Double) = (0, 0)
  ) {
    let extra = passing.variance * Double(parts.count)
    for index in parts.indices {
      let part = parts[index]
      let loss = losses[index]
      let level = belief.levelVariance + loss * belief.levelEffect + belief.levelResidual
      let effect = belief.levelEffect + loss * belief.effectVariance + belief.effectResidual
      let residual = belief.levelResidual + loss * belief.effectResidual + belief.residualVariance
      let noise = (part.variance + extra) + doubt * loss * loss
      let variance = level + loss * effect + residual + noise
      let inverse = 1 / variance
      let expected = belief.level + loss * belief.effect + belief.residual
      let surprise = (part.value - passing.mean) - expected
      misfit += surprise * surprise * inverse
      spread *= variance
      let gain = surprise * inverse
      belief.level += level * gain
      belief.effect += effect * gain
      belief.residual += residual * gain
      belief.levelVariance -= level * level * inverse
      belief.effectVariance -= effect * effect * inverse
      belief.residualVariance -= residual * residual * inverse
      belief.levelEffect -= level * effect * inverse
      belief.levelResidual -= level * residual * inverse
      belief.effectResidual -= effect * residual * inverse
    }
  }

  /// Weights the states by their likelihood; `least` is the smallest misfit of all branches.
  @inline(__always)
  mutating func weigh(least: Double, factor: Double) {
    belief.weight *= Exponential.of((least - misfit) * 0.5) / spread.squareRoot() * factor
  }
}
