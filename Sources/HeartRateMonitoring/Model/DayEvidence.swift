// SPDX-License-Identifier: Apache-2.0

/// A part of the day, whose readings enter the filter as one mean.
enum SamplingPeriod: Int, CaseIterable {
  case early
  case afternoon
  case late

  /// Returns the part of an hour; parts are split where the effect of a missed dose differs most.
  init(hour: Double) {
    self = hour < 12 ? .early : hour < 17 ? .afternoon : .late
  }
}

/// The mean of a part of the day, corrected for hour and source.
struct PartMean {
  var value: Double
  var variance: Double
  var hour: Double
}

/// The belief after a day's measurements, assuming one kind of day (usual, an outlier, ill).
struct Branch {
  var belief: Belief
  /// The contribution of this day alone to the heart rate, in bpm, with its variance.
  var added: ByGap
  var addedVariance: ByGap
  /// Twice the negative logarithm of the likelihood, without the normalisation, which is `spread`.
  var misfit: ByGap = .zero
  var spread = ByGap(repeating: 1)

  init(_ belief: Belief, added: Double, variance: Double) {
    self.belief = belief
    self.added = ByGap(repeating: added)
    addedVariance = ByGap(repeating: variance)
  }

  /// Processes the parts of a day one after another.
  ///
  /// `losses` are shares of the effect.
  @inline(__always)
  mutating func take(_ parts: ArraySlice<PartMean>, losses: [ByGap], doubt: Double) {
    // The variance of the level including the day's contribution, and its covariance with the effect.
    var levelAdded = ByGap()
    var effectAdded = ByGap()
    for index in parts.indices {
      let part = parts[index]
      let loss = losses[index]
      let level = belief.levelVariance + loss * belief.covariance + levelAdded
      let effect = belief.covariance + loss * belief.effectVariance + effectAdded
      let day = levelAdded + loss * effectAdded + addedVariance
      let variance = level + loss * effect + day + part.variance + doubt * loss * loss
      let inverse = 1 / variance
      let surprise = part.value - belief.level - loss * belief.effect - added
      misfit += surprise * surprise * inverse
      spread *= variance
      let gain = surprise * inverse
      belief.level += level * gain
      belief.effect += effect * gain
      added += day * gain
      belief.levelVariance -= level * level * inverse
      belief.covariance -= level * effect * inverse
      belief.effectVariance -= effect * effect * inverse
      levelAdded -= level * day * inverse
      effectAdded -= effect * day * inverse
      addedVariance -= day * day * inverse
    }
  }

  /// Weights the states by their likelihood; `least` is the smallest misfit of all branches.
  @inline(__always)
  mutating func weigh(least: Double, factor: Double) {
    belief.weight *= Exponential.of((least - misfit) * 0.5) / spread.squareRoot() * factor
  }
}
