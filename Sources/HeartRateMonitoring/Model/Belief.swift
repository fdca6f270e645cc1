// SPDX-License-Identifier: Apache-2.0

/// For each state of the doses its probability, and with it a normal belief about the person's level and effect.
struct Belief {
  /// Probabilities, which sum to that of being well or of being ill.
  var weight: ByGap
  /// The resting heart rate with every dose taken, in bpm.
  var level: ByGap
  /// By how many bpm the usual dose lowers it.
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

  /// One belief in place of two, with the same mean and variance, state by state; the weights need not sum to 1.
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

  /// The same with every weight times a factor.
  @inline(__always)
  func scaled(_ factor: Double) -> Belief {
    var scaled = self
    scaled.weight *= factor
    return scaled
  }

  /// A change of the recorded dose moves the level by effect times the difference of responses.
  mutating func titrate(by difference: Double) {
    level += effect * difference
    levelVariance += 2 * difference * covariance + difference * difference * effectVariance
    covariance += difference * effectVariance
    // How far the new dose acts is known to about a third.
    let doubt = effect * difference * 0.35
    levelVariance += doubt * doubt
  }

  /// The states of the next day.
  @inline(__always)
  mutating func advance(_ moves: GapMoves) {
    let first = picked(moves.chances.0, GapMoves.first)
    let second = picked(moves.chances.1, GapMoves.second)
    let third = picked(moves.chances.2, GapMoves.third)
    let fourth = picked(moves.chances.3, GapMoves.fourth)
    self = Belief.mixed(Belief.mixed(first, second), Belief.mixed(third, fourth))
  }

  /// For each state the belief of one that may lead to it, weighed by the chance.
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
