// SPDX-License-Identifier: Apache-2.0

/// The probability of each state of the doses, each with a normal distribution of the person's level, their
/// effect and the day's residual.
struct Belief {
  /// The probabilities, which sum to that of one condition: well, ill or moved.
  var weight: ByGap
  /// The resting heart rate in bpm with every dose taken.
  var level: ByGap
  /// The reduction by the usual dose, in bpm.
  var effect: ByGap
  /// The day's difference from the level that no dose explains, in bpm; an illness lasts.
  var residual: ByGap
  var levelVariance: ByGap
  var effectVariance: ByGap
  var residualVariance: ByGap
  var levelEffect: ByGap
  var levelResidual: ByGap
  var effectResidual: ByGap

  init(level: Double, levelVariance: Double, effect: Double, effectVariance: Double) {
    weight = ByGap()
    self.level = ByGap(repeating: level)
    self.effect = ByGap(repeating: effect)
    residual = ByGap()
    self.levelVariance = ByGap(repeating: levelVariance)
    self.effectVariance = ByGap(repeating: effectVariance)
    residualVariance = ByGap(repeating: 4)
    levelEffect = ByGap()
    levelResidual = ByGap()
    effectResidual = ByGap()
  }

  /// Returns one belief that replaces two, with the same mean and variance for each state; the weights need
  /// not sum to 1.
  @inline(__always)
  static func mixed(_ first: Belief, _ second: Belief) -> Belief {
    var mixed = first
    mixed.weight = first.weight + second.weight
    let share = second.weight / pointwiseMax(mixed.weight, ByGap(repeating: 1e-300))
    let spread = share * (1 - share)
    let level = second.level - first.level
    let effect = second.effect - first.effect
    let residual = second.residual - first.residual
    mixed.level += share * level
    mixed.effect += share * effect
    mixed.residual += share * residual
    mixed.levelVariance +=
      share * (second.levelVariance - first.levelVariance) + spread * level * level
    mixed.effectVariance +=
      share * (second.effectVariance - first.effectVariance) + spread * effect * effect
    mixed.residualVariance +=
      share * (second.residualVariance - first.residualVariance) + spread * residual * residual
    mixed.levelEffect += share * (second.levelEffect - first.levelEffect) + spread * level * effect
    mixed.levelResidual +=
      share * (second.levelResidual - first.levelResidual) + spread * level * residual
    mixed.effectResidual +=
      share * (second.effectResidual - first.effectResidual) + spread * effect * residual
    return mixed
  }

  /// Returns the belief with every weight multiplied by a factor.
  @inline(__always)
  func scaled(_ factor: Double) -> Belief {
    var scaled = self
    scaled.weight *= factor
    return scaled
  }

  /// Returns the belief at the start of a day: the residual keeps a share and gains a mean and a variance.
  @inline(__always)
  func starting(keep: Double, mean: Double, variance: Double) -> Belief {
    var started = self
    started.residual = residual * keep + mean
    started.residualVariance = residualVariance * (keep * keep) + variance
    started.levelResidual *= keep
    started.effectResidual *= keep
    return started
  }

  /// Applies a change of the recorded dose, which moves the level by the effect times the difference of
  /// responses.
  mutating func titrate(by difference: Double) {
    level += effect * difference
    levelVariance += 2 * difference * levelEffect + difference * difference * effectVariance
    levelEffect += difference * effectVariance
    levelResidual += difference * effectResidual
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
    picked.residual = pick(residual)
    picked.levelVariance = pick(levelVariance)
    picked.effectVariance = pick(effectVariance)
    picked.residualVariance = pick(residualVariance)
    picked.levelEffect = pick(levelEffect)
    picked.levelResidual = pick(levelResidual)
    picked.effectResidual = pick(effectResidual)
    return picked
  }
}
