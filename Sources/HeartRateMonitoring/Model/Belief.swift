// SPDX-License-Identifier: Apache-2.0

/// The probability of each state of the doses, each with a normal distribution of the person's level and
/// effect.
struct Belief {
  /// The probabilities, which sum to that of being well or of being ill.
  var weight: ByGap
  /// The resting heart rate in bpm with every dose taken.
  var level: ByGap
  /// The reduction by the usual dose, in bpm.
  var effect: ByGap
  var levelVariance: ByGap
  var covariance: ByGap
  var effectVariance: ByGap

  init(level: Double, levelVariance: Double, effect: Double, effectVariance: Double) {
    weight = ByGap()
    self.level = ByGap(repeating: level)
    self.effect = ByGap(repeating: effect)
    self.levelVariance = ByGap(repeating: levelVariance)
    covariance = ByGap()
    self.effectVariance = ByGap(repeating: effectVariance)
  }

  /// Returns one belief that replaces two, with the same mean and variance for each state; the weights need
  /// not sum to 1.
  @inline(__always)
  static func mixed(_ first: Belief, _ second: Belief) -> Belief {
    var mixed = first
    mixed.weight = first.weight + second.weight
    let share = second.weight / pointwiseMax(mixed.weight, ByGap(repeating: 1e-300))
    let rest = 1 - share
    let level = second.level - first.level
    let effect = second.effect - first.effect
    let spread = share * rest
    mixed.level += share * level
    mixed.effect += share * effect
    mixed.levelVariance =
      rest * first.levelVariance + share * second.levelVariance + spread * level * level
    mixed.covariance = rest * first.covariance + share * second.covariance + spread * level * effect
    mixed.effectVariance =
      rest * first.effectVariance + share * second.effectVariance + spread * effect * effect
    return mixed
  }

  /// Returns the belief with every weight multiplied by a factor.
  @inline(__always)
  func scaled(_ factor: Double) -> Belief {
    var scaled = self
    scaled.weight *= factor
    return scaled
  }

  /// Applies a change of the recorded dose, which moves the level by the effect times the difference of
  /// responses.
  mutating func titrate(by difference: Double) {
    level += effect * difference
    levelVariance += 2 * difference * covariance + difference * difference * effectVariance
    covariance += difference * effectVariance
    // The effect of the new dose is known to about a third.
    let doubt = effect * difference * 0.35
    levelVariance += doubt * doubt
  }

  /// Advances to the states of the next day.
  @inline(__always)
  mutating func advance(_ moves: GapMoves) {
    let first = picked(moves.chances.0, GapMoves.first)
    let second = picked(moves.chances.1, GapMoves.second)
    let third = picked(moves.chances.2, GapMoves.third)
    let fourth = picked(moves.chances.3, GapMoves.fourth)
    self = Belief.mixed(Belief.mixed(first, second), Belief.mixed(third, fourth))
  }

  /// Returns, for each state, the belief of a predecessor, weighted by its chance.
  @inline(__always)
  private func picked(_ chance: ByGap, _ pick: (ByGap) -> ByGap) -> Belief {
    var picked = self
    picked.weight = pick(weight) * chance
    picked.level = pick(level)
    picked.effect = pick(effect)
    picked.levelVariance = pick(levelVariance)
    picked.covariance = pick(covariance)
    picked.effectVariance = pick(effectVariance)
    return picked
  }
}
